import { join } from 'node:path'
import { type AdminClaim, newAdminClaim } from './account/sign-in/first-admin/service.ts'
import { createApp } from './app.ts'
import { httpContextOf, metricsOf } from './app-options.ts'
import { type Config, roleWarnings } from './config/config.ts'
import { createSettingsCatalog, followSettings } from './config/live.ts'
import type { StartOptions } from './config/start-options.ts'
import { rateLimits, retentionRules } from './features.ts'
import { LOCK_ORDER } from './lock-order.ts'
import { connectBeside, openEmbedded, startEmbedded } from './platform/db/embedded/open.ts'
import { openPostgres } from './platform/db/postgres.ts'
import { createAdmission } from './platform/http/admission.ts'
import { BODY_PACE } from './platform/http/body.ts'
import { createLimiter } from './platform/http/limits.ts'
import { listen, reservePort } from './platform/http/listen.ts'
import { createOpenStreams } from './platform/http/streams.ts'
import { createSubmissions } from './platform/http/submissions.ts'
import { createImages } from './platform/images/images.ts'
import { startJobs } from './platform/jobs.ts'
import { createLog, type Log, ringOf } from './platform/log.ts'
import { type LineFilter, PROCESS_NAME } from './platform/log-ring.ts'
import { createLiveMailTransport } from './platform/mail/transport.ts'
import { PAUSES } from './platform/pauses.ts'
import { createRequestRate } from './platform/request-rate.ts'
import { startRetention } from './platform/retention.ts'
import { dutiesOf } from './platform/role.ts'
import {
  checkAuthSecret,
  configuredSecrets,
  keptSecrets,
  secretSource,
} from './platform/secrets/auth-secret.ts'
import { openStoredSettings } from './platform/settings/service.ts'
import { boundedStage, type ShutdownStage } from './platform/shutdown.ts'
import { startTelemetry } from './platform/telemetry.ts'
import { createReader } from './platform/text/reader.ts'
import { createWebProcesses } from './platform/web-processes.ts'
import { startFeatures } from './services.ts'
import { drain, stopWithServer } from './stop.ts'

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

const DRAIN_MARGIN_MS = 1_000
/** A terminal and npm send the same Ctrl-C twice within this time. */
const REPEATED_STOP_MS = 1_000
/** Longer than jobs need to stop. */
const JOBS_STOP_TIMEOUT_MS = 8_000
/** A web process ends its requests, and then closes its pools. */
const WEB_PROCESSES_STOP_TIMEOUT_MS = 20_000
/** Closes the pools and, if svc runs PostgreSQL itself, shuts it down. */
const DATABASE_STOP_TIMEOUT_MS = 30_000

/**
 * Starts the server and listens.
 * @throws StartError with a message for the operator, such as a port in use or an unreachable database.
 */
export const start = async (
  config: Config,
  {
    command = 'svc',
    log = createLog(config.logLevel),
    embedded,
    notice = (text) => {
      process.stderr.write(`${text}\n`)
    },
    program,
    joined,
    requestLevel = 'info',
    fetching = {},
    hashing,
    pauses: changedPauses,
    recallBudgetMs,
    admission: changedAdmission,
    bodyPace = BODY_PACE,
    onLockOrderViolation,
  }: StartOptions = {},
): Promise<Server> => {
  for (const name of config.unknown) log.warn({ name }, 'unknown configuration variable, ignored')
  // The first process of a server does the background work.
  const duties = joined
    ? { ...dutiesOf(config.role), runsBackgroundWork: false }
    : dutiesOf(config.role)
  const stopping = new AbortController()
  await using opened = new AsyncDisposableStack()
  const onStop: OnStop = (stage) => opened.defer(boundedStage(log, stage))
  if (config.telemetry) {
    const { stop } = await startTelemetry(config.telemetry.serviceName)
    onStop({ name: 'telemetry', stop })
  }
  const { database, authSecrets, settings } = await openStorage(config, log, onStop, {
    embedded,
    joined,
    notice,
    onLockOrderViolation,
  })
  const hasSiblings = joined !== undefined || (program !== undefined && config.processes > 1)
  const settingsCatalog = createSettingsCatalog(hasSiblings ? shareIndexes(config) : config)
  const live = followSettings(settingsCatalog, settings, log)
  for (const warning of joined ? [] : roleWarnings(live)) log.warn({ role: config.role }, warning)
  const mailTransport = createLiveMailTransport(() => live.smtpUrl, {
    outboxDir: join(config.dataDir, 'outbox'),
    notice,
  })
  // Stops after the jobs (stages run in reverse order), so that they finish sending.
  onStop({ name: 'mail', stop: () => mailTransport.close() })
  const pauses = { ...PAUSES, ...changedPauses }
  const jobs = await startJobs(database, log, {
    runs: duties.runsBackgroundWork,
    retrySeconds: pauses.jobRetrySeconds,
  })
  onStop({ name: 'jobs', timeoutMs: JOBS_STOP_TIMEOUT_MS, stop: jobs.stop })

  await using reserved = config.port || joined ? undefined : reservePort(config.host)
  const port = joined?.membership.port ?? reserved?.port ?? config.port
  const baseUrl = joined?.membership.baseUrl ?? config.baseUrl ?? `http://localhost:${port}`
  const claim = joined ? joined.membership.claim : claimOf(config)
  const metrics = config.metricsToken
    ? (await import('./platform/metrics.ts')).createMetrics(config.role)
    : undefined
  const report = async () => (await metrics?.registry.getMetricsAsJSON()) ?? []
  const findOwn = (filter: LineFilter) => ({
    process: PROCESS_NAME,
    lines: ringOf(log).find(filter),
  })
  joined?.answer(report, findOwn)
  const drainMs = duties.servesApi ? config.drainSeconds * 1000 : 0
  const count = program && !joined ? config.processes - 1 : 0
  const others =
    program && count > 0
      ? startWebProcesses({ program, count, log, report, findLines: findOwn }, onStop, drainMs)
      : undefined
  const siblings = joined ?? others
  const limiter = createLimiter(
    config.rateLimitStore ?? (siblings ? 'postgres' : 'memory'),
    database,
    rateLimits,
  )
  const reader = opened.use(createReader())
  const images = opened.use(createImages())
  const admission = createAdmission(changedAdmission)
  const requestRate = createRequestRate(admission.untilCalm)
  const started = await startFeatures({
    command,
    findLines: async (filter) =>
      together([findOwn(filter), ...((await siblings?.lines(filter)) ?? [])]),
    config: live,
    settings,
    settingsCatalog,
    baseUrl,
    authSecrets,
    claim,
    duties,
    stopping: stopping.signal,
    database,
    jobs,
    limiter,
    log,
    admission,
    requestRate,
    metrics,
    mailTransport,
    fetching,
    reader,
    images,
    hashing,
    pauses,
    recallBudgetMs,
    encode: joined?.encode,
  })

  if (duties.runsBackgroundWork)
    await startRetention(database, jobs, log, retentionRules({ config: live, authSecrets }))
  const { core, features, services } = started
  const { account } = services
  if (config.role !== 'all' && account.admin.isMissing)
    log.warn('there is no admin; set SVC_ADMIN_EMAILS, and sign up with one of these addresses')

  const streams = createOpenStreams()
  const app = createApp(started, {
    baseUrl,
    duties,
    stopping: stopping.signal,
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
  // Before the first request: a transaction that sends a job waits for its worker, which needs a connection.
  await jobs.ready()
  listen(app, config.host, port, reserved !== undefined || siblings !== undefined)
  others?.begin({ port, baseUrl, claim }, services.memory.vectors.encode)
  stopWithServer(onStop, app, features, streams)
  // Registered last, so it runs first: load balancers send no more requests before connections close.
  const hurry = Promise.withResolvers<void>()
  onStop({
    name: 'drain',
    timeoutMs: drainMs + DRAIN_MARGIN_MS,
    stop: () => {
      others?.stop()
      return drain(stopping, log, drainMs, hurry.promise)
    },
  })
  for (const { feature, isOn, service } of features) if (isOn) feature.begin?.(service, core)

  const stop = stopOf(opened.move(), () => {
    hurry.resolve()
    others?.stop()
  })
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    baseUrl,
    claimLink: account.admin.claimLink,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

type OnStop = (stage: ShutdownStage) => void

interface StorageOptions extends Pick<StartOptions, 'embedded' | 'joined'> {
  notice: (text: string) => void
  onLockOrderViolation: StartOptions['onLockOrderViolation'] | undefined
}

/** The database, the secrets that it was made with, and the settings that it has. */
const openStorage = async (config: Config, log: Log, onStop: OnStop, options: StorageOptions) => {
  const database = await openDatabase(config, log, options)
  onStop({ name: 'database', timeoutMs: DATABASE_STOP_TIMEOUT_MS, stop: database.close })
  const authSecrets = configuredSecrets(config) ?? keptSecrets(config.dataDir)
  await checkAuthSecret(database.query, authSecrets, secretSource(config))
  const settings = await openStoredSettings(database, authSecrets, log)
  onStop({ name: 'settings', stop: () => settings[Symbol.asyncDispose]() })
  return { database, authSecrets, settings }
}

/** The database of a URL, the one beside the first process, or an embedded one that this process runs. */
const openDatabase = async (
  config: Config,
  log: Log,
  { embedded, joined, notice, onLockOrderViolation }: StorageOptions,
) => {
  const lockCheck = onLockOrderViolation && {
    order: LOCK_ORDER,
    onViolation: onLockOrderViolation,
  }
  if (config.databaseUrl)
    return openPostgres(config.databaseUrl, lockCheck, readReplica(config, log))
  if (joined) return connectBeside(config.dataDir)
  return openEmbedded(embedded ?? startEmbedded(config.dataDir, { log, notice }), lockCheck)
}

/** Further processes. They stop after the requests of this process, and before what all of them use. */
const startWebProcesses = (
  options: Parameters<typeof createWebProcesses>[0],
  onStop: OnStop,
  drainMs: number,
) => {
  const others = createWebProcesses(options)
  onStop({
    name: 'web processes',
    timeoutMs: drainMs + WEB_PROCESSES_STOP_TIMEOUT_MS + DRAIN_MARGIN_MS,
    stop: () => others.ended(drainMs + WEB_PROCESSES_STOP_TIMEOUT_MS),
  })
  return others
}

/** The lines of several processes. */
const together = <Line>(found: readonly { process: string; lines: Line[] }[]) => ({
  lines: found.flatMap(({ lines }) => lines),
  processes: found.map(({ process }) => process),
})

/** Stops once. @param hurry ends the drain, at a second call that does not repeat the signal of the first. */
const stopOf = (owned: AsyncDisposableStack, hurry: () => void): (() => Promise<void>) => {
  let stopped: { since: number; done: Promise<void> } | undefined
  return () => {
    stopped ??= { since: performance.now(), done: owned.disposeAsync() }
    if (performance.now() - stopped.since > REPEATED_STOP_MS) hurry()
    return stopped.done
  }
}

/** The processes of a server share the memory for the indexes of users. */
const shareIndexes = (config: Config): Config => ({
  ...config,
  indexBytes: Math.floor(config.indexBytes / config.processes),
})

/** Only a server that does everything is started by a person who sees its output. */
const claimOf = ({ role }: Config): AdminClaim | undefined =>
  role === 'all' ? newAdminClaim() : undefined

const readReplica = ({ databaseReadUrl: url }: Config, log: Log) =>
  url === undefined ? undefined : { url, log }
