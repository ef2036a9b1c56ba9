import packageJson from '../package.json'
import { createDeviceService } from './account/device/service.ts'
import { createKeyService } from './account/keys/service.ts'
import { createSessionService } from './account/sessions/service.ts'
import { createTokens } from './account/sessions/tokens.ts'
import { createPasswords } from './account/users/passwords.ts'
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { createMemoryService } from './memory/memories/service.ts'
import { createRecallService } from './memory/recall/service.ts'
import { openEmbedded } from './platform/db/embedded.ts'
import { openPostgres } from './platform/db/postgres.ts'
import { clientAddress } from './platform/http/address.ts'
import { createLimits } from './platform/http/limits.ts'
import { createLog, type Log } from './platform/log.ts'
import { keptSecret } from './platform/secret.ts'
import { StartError } from './platform/start-error.ts'
import { createHealthService } from './system/health/service.ts'

export interface Server extends AsyncDisposable {
  /** Where the server listens. */
  url: string
  /** Where people reach it: in links, in tokens, in the API description. */
  baseUrl: string
  /** Finishes what is under way, closes the database and lets go of the directory. */
  stop(): Promise<void>
}

const STOP_TIMEOUT_MS = 8_000

/**
 * Builds the whole server in order and listens.
 * @throws StartError with a message for the operator when something it needs is not as it should be.
 */
export const start = async (
  config: Config,
  log: Log = createLog(config.logLevel),
): Promise<Server> => {
  for (const name of config.unknown) log.warn({ name }, 'unknown variable')

  const database = config.databaseUrl
    ? await openPostgres(config.databaseUrl)
    : await openEmbedded(config.dataDir)
  try {
    const port = config.port || (await freePort(config.host))
    const baseUrl = config.baseUrl ?? `http://localhost:${port}`

    const limits = createLimits(config.rateLimitStore, database)
    const tokens = createTokens(config.authSecret ?? keptSecret(config.dataDir), baseUrl)
    const sessions = createSessionService(database, tokens, createPasswords(), {
      defaultTier: config.defaultTier,
    })
    const keys = createKeyService(database)
    const devices = createDeviceService(database, keys, sessions, limits, { baseUrl })
    const memories = createMemoryService(database)
    const recalls = createRecallService(database, log)

    let warm = false
    const health = createHealthService(
      [
        {
          name: 'database',
          required: true,
          check: async () => {
            await database.query('select 1', [])
            return { note: database.kind }
          },
        },
        {
          name: 'recall',
          required: false,
          check: async () => ({ state: warm ? 'ok' : 'warming' }),
        },
      ],
      packageJson.version,
    )

    const app = createApp(
      { sessions, keys, devices, memories, recalls, health },
      {
        baseUrl,
        frontendOrigins: config.frontendOrigins,
        http: {
          log,
          limits,
          authenticate: { apiKey: keys.authenticate, accessToken: sessions.authenticate },
          clientAddress: clientAddress(config.trustedProxies),
          trustedOrigins: new Set([...ownOrigins(baseUrl), ...config.frontendOrigins]),
          cookieDomain: config.cookieDomain,
        },
      },
    )
    listen(app, config.host, port)
    void recalls.warm().then(
      () => {
        warm = true
      },
      (error) => log.error({ error }, 'recall is not warm'),
    )

    let stopping: Promise<void> | undefined
    const stop = async () => {
      const drained = Promise.resolve(app.server?.stop(false))
      await Promise.race([drained, Bun.sleep(STOP_TIMEOUT_MS)])
      await app.server?.stop(true)
      await database.close()
    }
    const server: Server = {
      url: `http://${config.host.includes(':') ? `[${config.host}]` : config.host}:${port}`,
      baseUrl,
      stop: () => (stopping ??= stop()),
      [Symbol.asyncDispose]: () => server.stop(),
    }
    return server
  } catch (error) {
    await database.close()
    throw error
  }
}

/** On this machine a browser may come by either name of it. */
const ownOrigins = (baseUrl: string): string[] => {
  const { origin } = new URL(baseUrl)
  return [origin, origin.replace('//localhost', '//127.0.0.1')]
}

const listen = (app: ReturnType<typeof createApp>, hostname: string, port: number): void => {
  try {
    app.listen({ hostname, port, reusePort: false })
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

/** The base URL is part of tokens and links, so the port has to be known before the app is built. */
const freePort = async (hostname: string): Promise<number> => {
  try {
    const probe = Bun.serve({ hostname, port: 0, fetch: () => new Response() })
    const port = probe.port ?? 0
    await probe.stop(true)
    return port
  } catch (cause) {
    throw cannotListen(hostname, 0, cause)
  }
}
