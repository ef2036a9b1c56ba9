import { join } from 'node:path'
import type { HashingCost } from './account/users/passwords.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { openEmbedded } from './platform/db/embedded.ts'
import { openPostgres } from './platform/db/postgres.ts'
import { clientAddress } from './platform/http/address.ts'
import { startLimits } from './platform/http/limits.ts'
import { createOpenStreams } from './platform/http/open-streams.ts'
import { startJobs } from './platform/jobs.ts'
import { createLog, type Log } from './platform/log.ts'
import { openMailTransport } from './platform/mail/transport.ts'
import { keptSecret } from './platform/secret.ts'
import { StartError } from './platform/start-error.ts'
import { createServices } from './services.ts'
import type { FetchingOptions } from './surroundings.ts'

export interface Server extends AsyncDisposable {
  /** Where the server listens. */
  url: string
  /** Where people reach it: in links, in tokens, in the API description. */
  baseUrl: string
  /** Where the first admin is made, once; undefined when there is one. */
  claimLink: string | undefined
  /** Finishes what is under way, closes the database and lets go of the directory. */
  stop(): Promise<void>
}

export interface StartOptions {
  log?: Log
  /** Tells the operator something that must not stand in a log, such as a link with a secret. */
  notice?(text: string): void
  /** How pages are fetched; without it from the public internet alone. */
  fetching?: FetchingOptions
  /** What hashing a password costs; without it as much as it should. */
  hashing?: HashingCost
  /** What a recall waits for the embedding model; without it so long that nobody notices. */
  recallBudgetMs?: number
}

const STOP_TIMEOUT_MS = 8_000

/**
 * Builds the whole server in order and listens.
 * @throws StartError with a message for the operator when something it needs is not as it should be.
 */
export const start = async (
  config: Config,
  {
    log = createLog(config.logLevel),
    notice = (text) => {
      process.stderr.write(`${text}\n`)
    },
    fetching = {},
    hashing,
    recallBudgetMs,
  }: StartOptions = {},
): Promise<Server> => {
  for (const name of config.unknown) log.warn({ name }, 'unknown variable')
  await using opened = new AsyncDisposableStack()

  const database = config.databaseUrl
    ? await openPostgres(config.databaseUrl)
    : await openEmbedded(config.dataDir, config.embedding !== undefined)
  opened.defer(database.close)
  const mailTransport = openMailTransport({
    smtpUrl: config.smtpUrl,
    outboxDir: join(config.dataDir, 'outbox'),
    notice,
  })
  // After the jobs have stopped: what they are sending is sent.
  opened.defer(async () => mailTransport.close())
  const jobs = await startJobs(database, log)
  opened.defer(jobs.stop)

  await using held = config.port ? undefined : holdPort(config.host)
  const port = held?.port ?? config.port
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`
  const limits = await startLimits(config.rateLimitStore, database, jobs)
  const services = await createServices({
    config,
    baseUrl,
    authSecret: config.authSecret ?? keptSecret(config.dataDir),
    database,
    jobs,
    limits,
    log,
    mailTransport,
    fetching,
    hashing,
    recallBudgetMs,
  })

  const { account, memory, people } = services

  const streams = createOpenStreams()
  const app = createApp(services, {
    baseUrl,
    frontendOrigins: config.frontendOrigins,
    http: {
      log,
      limits,
      streams,
      authenticate: {
        apiKey: account.keys.authenticate,
        accessToken: account.sessions.authenticate,
        cookie: account.sessions.authenticateCookie,
        inTimezone: account.timezones.note,
      },
      clientAddress: clientAddress(config.trustedProxies),
      trustedOrigins: new Set([...ownOrigins(baseUrl), ...config.frontendOrigins]),
      cookieDomain: config.cookieDomain,
    },
  })
  listen(app, config.host, port, held !== undefined)
  opened.defer(async () => {
    const drained = Promise.all([app.server?.stop(false), streams.close()])
    await Promise.race([drained, Bun.sleep(STOP_TIMEOUT_MS)])
    await app.server?.stop(true)
  })
  opened.defer(memory.engines.stop)
  opened.defer(async () => people.answers.stop())
  opened.defer(async () => memory.vectors?.stop())
  memory.recalls.warm().catch((error) => log.error({ error }, 'recall is not warm'))

  const owned = opened.move()
  return {
    url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
    baseUrl,
    claimLink: account.admin.claimLink,
    stop: () => owned.disposeAsync(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

/** On this machine a browser may come by either name of it. */
const ownOrigins = (baseUrl: string): string[] => {
  const { origin } = new URL(baseUrl)
  return [origin, origin.replace('//localhost', '//127.0.0.1')]
}

const listen = (
  app: ReturnType<typeof createApp>,
  hostname: string,
  port: number,
  isHeld: boolean,
): void => {
  try {
    app.listen({ hostname, port, reusePort: isHeld })
  } catch (cause) {
    throw cannotListen(hostname, port, cause)
  }
}

const cannotListen = (hostname: string, port: number, cause: unknown): StartError => {
  const { code } = cause as NodeJS.ErrnoException
  return new StartError(
    code === 'EADDRINUSE'
      ? `SVC_PORT: ${port} is in use; stop what uses it, or set another port`
      : `SVC_HOST: cannot listen on ${hostname}:${port} (${code})`,
    { cause },
  )
}

/**
 * Keeps a free port from others until the app listens on it as well: it is part of tokens and links, so it
 * has to be known before the app is built.
 */
const holdPort = (hostname: string) => {
  try {
    const server = Bun.serve({ hostname, port: 0, reusePort: true, fetch: () => new Response() })
    return { port: server.port ?? 0, [Symbol.asyncDispose]: () => server.stop(true) }
  } catch (cause) {
    throw cannotListen(hostname, 0, cause)
  }
}
