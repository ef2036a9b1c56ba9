import { join } from 'node:path'
import { type AdminClaim, newAdminClaim } from './account/sign-in/first-admin/service.ts'
import { type App, createApp } from './app.ts'
import { httpContextOf, metricsOf } from './app-options.ts'
import { type Config, roleWarnings } from './config/config.ts'
import { createSettingsCatalog, followSettings } from './config/live.ts'
import type { StartOptions } from './config/start-options.ts'
import type { AppDeps } from './deps.ts'
import { rateLimits, retentionRules } from './features.ts'
import type { Database } from './platform/db/database.ts'
import { createAdmission } from './platform/http/admission.ts'
import { BODY_PACE } from './platform/http/body.ts'
import { createLimiter } from './platform/http/limits.ts'
import { listen, reservePort } from './platform/http/listen.ts'
import { createOpenStreams, type OpenStreams } from './platform/http/streams.ts'
import { createSubmissions } from './platform/http/submissions.ts'
import { createImages } from './platform/images/images.ts'
import { type Jobs, startJobs } from './platform/jobs.ts'
import { createLiveMailTransport } from './platform/mail/transport.ts'
import type { Metrics } from './platform/metrics.ts'
import { PAUSES, type Pauses } from './platform/pauses.ts'
import type { Membership } from './platform/process-link.ts'
import { createRequestRate } from './platform/request-rate.ts'
import { startRetention } from './platform/retention.ts'
import { startTelemetry } from './platform/telemetry.ts'
import { createReader } from './platform/text/reader.ts'
import { configOfProcess, createProcesses, type Processes } from './processes.ts'
import { createRun, type ServerRun } from './run.ts'
import { type Started, startFeatures } from './services.ts'
import { drainFirst, stopOf, stopWithServer } from './stop.ts'
import { openStorage } from './storage.ts'

export interface Server extends AsyncDisposable {
  /** The URL that the server listens on. */
  url: string
  /** The public URL, in links, tokens and the API description. */
  baseUrl: string
  /** One-time link that makes a user the first admin; undefined when an admin exists. */
  claimLink: string | undefined
  /**
   * Finishes open requests and jobs, closes the database and unlocks the data directory. A second call, a
   * second or more after the first, ends the drain and waits for the same end.
   */
  stop(): Promise<void>
}

/** Longer than jobs need to stop. */
const JOBS_STOP_TIMEOUT_MS = 8_000

/**
 * Starts the server and listens.
 * @throws StartError with a message for the operator, such as a port in use or an unreachable database.
 */
export const start = async (config: Config, options: StartOptions = {}): Promise<Server> => {
  await using opened = new AsyncDisposableStack()
  const run = createRun(config, options, opened)
  for (const name of config.unknown)
    run.log.warn({ name }, 'unknown configuration variable, ignored')
  await openTelemetry(run)
  const storage = await openStorage(run, options)
  const { database, settings } = storage
  const settingsCatalog = createSettingsCatalog(configOfProcess(run))
  const live = followSettings(settingsCatalog, settings, run.log)
  warnOfRole(run, live)
  const mailTransport = openMail(run, live)
  const pauses = { ...PAUSES, ...options.pauses }
  const jobs = await openJobs(run, database, pauses)

  await using reserved = config.port || run.joined ? undefined : reservePort(config.host)
  const membership = membershipOf(run, reserved?.port)
  const metrics = await openMetrics(config)
  const processes = createProcesses(run, metrics)
  const deps: AppDeps = {
    ...{ ...storage, config: live, settingsCatalog, mailTransport, jobs, pauses, metrics },
    ...optionsOf(options),
    ...toolsOf(run, database, processes, options),
    baseUrl: membership.baseUrl,
    claim: membership.claim,
  }
  const started = await startFeatures(deps)
  await startRules(deps)
  warnOfMissingAdmin(config, started)

  const streams = createOpenStreams()
  const app = appOf(deps, started, { config, options, processes, streams })
  // Before the first request: a transaction that sends a job waits for its worker, which needs a connection.
  await jobs.ready()
  const isShared = reserved !== undefined || processes.siblings !== undefined
  listen(app, config.host, membership.port, isShared)
  processes.others?.begin(membership, started.services.memory.vectors.encode)
  stopWithServer(run.onStop, app, started.features, streams)
  // Registered last, so it runs first.
  const hurry = drainFirst(run, processes.others)
  begin(started)

  const stop = stopOf(opened.move(), hurry)
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${membership.port}`,
    baseUrl: membership.baseUrl,
    claimLink: started.services.account.admin.claimLink,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

const openTelemetry = async ({ config: { telemetry }, onStop }: ServerRun): Promise<void> => {
  if (!telemetry) return
  const { stop } = await startTelemetry(telemetry.serviceName)
  onStop({ name: 'telemetry', stop })
}

/** The first process warns for all. */
const warnOfRole = ({ log, joined }: ServerRun, config: Config): void => {
  for (const warning of joined ? [] : roleWarnings(config)) log.warn({ role: config.role }, warning)
}

/** Stops after the jobs (stages run in reverse order), so that they finish sending. */
const openMail = ({ notice, onStop }: ServerRun, config: Config): AppDeps['mailTransport'] => {
  const transport = createLiveMailTransport(() => config.smtpUrl, {
    outboxDir: join(config.dataDir, 'outbox'),
    notice,
  })
  onStop({ name: 'mail', stop: () => transport.close() })
  return transport
}

const openJobs = async (
  { log, duties, onStop }: ServerRun,
  database: Database,
  { jobRetrySeconds: retrySeconds }: Pauses,
): Promise<Jobs> => {
  const jobs = await startJobs(database, log, { runs: duties.runsBackgroundWork, retrySeconds })
  onStop({ name: 'jobs', timeoutMs: JOBS_STOP_TIMEOUT_MS, stop: jobs.stop })
  return jobs
}

/** The addresses of the server, and the link of its first admin, which all of its processes share. */
const membershipOf = (
  { config, joined }: ServerRun,
  reservedPort: number | undefined,
): Membership => {
  if (joined) return joined.membership
  const port = reservedPort ?? config.port
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`
  return { port, baseUrl, claim: claimOf(config) }
}

/** Only a server that does everything is started by a person who sees its output. */
const claimOf = ({ role }: Config): AdminClaim | undefined =>
  role === 'all' ? newAdminClaim() : undefined

const openMetrics = async ({ metricsToken, role }: Config): Promise<Metrics | undefined> =>
  metricsToken ? (await import('./platform/metrics.ts')).createMetrics(role) : undefined

const optionsOf = ({ command = 'svc', fetching = {}, hashing, recallBudgetMs }: StartOptions) => ({
  command,
  fetching,
  hashing,
  recallBudgetMs,
})

const toolsOf = (
  { config, log, duties, stopping, opened, joined }: ServerRun,
  database: Database,
  { siblings, findLines }: Processes,
  { admission: changed }: StartOptions,
) => {
  const admission = createAdmission(changed)
  return {
    log,
    duties,
    stopping: stopping.signal,
    findLines,
    limiter: createLimiter(
      config.rateLimitStore ?? (siblings ? 'postgres' : 'memory'),
      database,
      rateLimits,
    ),
    reader: opened.use(createReader()),
    images: opened.use(createImages()),
    admission,
    requestRate: createRequestRate(admission.untilCalm),
    encode: joined?.encode,
  }
}

const startRules = async (deps: AppDeps): Promise<void> => {
  const { database, jobs, log, duties } = deps
  if (duties.runsBackgroundWork) await startRetention(database, jobs, log, retentionRules(deps))
}

const warnOfMissingAdmin = ({ role }: Config, { core, services }: Started): void => {
  if (role !== 'all' && services.account.admin.isMissing)
    core.log.warn(
      'there is no admin; set SVC_ADMIN_EMAILS, and sign up with one of these addresses',
    )
}

interface Assembled {
  /** As it was at the start. */
  config: Config
  options: StartOptions
  processes: Processes
  streams: OpenStreams
}

const appOf = (
  { baseUrl, duties, stopping, database, metrics, log, requestRate, limiter, admission }: AppDeps,
  started: Started,
  { config, options, processes: { siblings }, streams }: Assembled,
): App => {
  const { requestLevel = 'info', bodyPace = BODY_PACE } = options
  const { core, services } = started
  return createApp(started, {
    baseUrl,
    duties,
    stopping,
    frontendOrigins: config.frontendOrigins,
    metrics: metricsOf(config, services, {
      metrics,
      database,
      streams,
      admission,
      siblings,
      models: core.models,
    }),
    http: httpContextOf(config, services, {
      baseUrl,
      log,
      requestLevel,
      requestRate,
      limiter,
      admission,
      submissions: createSubmissions(database.db),
      streams,
      bodyPace,
    }),
  })
}

/** Begins the background work of the features. */
const begin = ({ core, features }: Started): void => {
  for (const { feature, isOn, service } of features) if (isOn) feature.begin?.(service, core)
}
