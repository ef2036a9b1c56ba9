import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '../../shared/client.ts'
import { createKey, ready, signUp } from '../../shared/contract/index.ts'
import type { BenchDatabase } from './database.ts'
import { owned } from './owned.ts'

const READY_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

export interface BenchServer extends AsyncDisposable {
  url: string
  pid: number
  /** Sends a message to the preloaded module. */
  send(message: unknown): void
}

export interface Probe<T> {
  /** A module that is loaded into the server's process. */
  preload: string
  onMessage(message: T): void
}

/**
 * Starts the production server in a separate process. Its log has the default level and is discarded.
 * @param env additional environment variables.
 * @param executable `svc` of a release, or `cli/main.ts` of a clone. Default: this clone.
 */
export const startServer = async <T = never>(
  database: Pick<BenchDatabase, 'dataDir' | 'url'>,
  env: Record<string, string> = {},
  probe?: Probe<T>,
  executable = '',
): Promise<BenchServer> => {
  const port = freePort()
  const child = Bun.spawn(
    executable && !executable.endsWith('.ts')
      ? [executable, 'serve']
      : [
          process.execPath,
          ...(probe ? ['--preload', probe.preload] : []),
          executable || main,
          'serve',
        ],
    {
      ...(probe && { ipc: probe.onMessage }),
      env: {
        HOME: process.env.HOME,
        SVC_PORT: String(port),
        SVC_DATA_DIR: database.dataDir,
        SVC_DATABASE_URL: database.url,
        SVC_TRUSTED_PROXIES: '127.0.0.1',
        ...env,
      },
      stdin: 'ignore',
      stdout: 'ignore',
      stderr: 'pipe',
    },
  )
  const stop = async () => {
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await child.exited
    clearTimeout(kill)
  }
  const server = {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid,
    send: (message: unknown) => child.send(message),
    ...owned(stop),
  }
  const errorOutput = new Response(child.stderr).text()
  await Promise.race([
    untilReady(server.url),
    child.exited.then(async () => Promise.reject(new Error(await errorOutput))),
  ]).catch(async (error) => {
    await stop()
    throw error
  })
  return server
}

/** Polls with a short interval, because the time until ready is measured. */
const untilReady = async (url: string) => {
  const client = createClient({ baseUrl: url, timeoutMs: 5_000 })
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < deadline) {
    const isReady = await client.call(ready).then(
      () => true,
      () => false,
    )
    if (isReady) return
    await Bun.sleep(2)
  }
  throw new Error(`${url} was not ready within ${READY_TIMEOUT_MS / 1000} s`)
}

export const freePort = (): number => {
  const probe = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response() })
  const { port } = probe
  void probe.stop(true)
  return Number(port)
}

export interface Account {
  userId: string
  email: string
  accessToken: string
  /** An API key. */
  key: string
  client: Client
}

/** The password of every account. */
export const PASSWORD = 'correct horse battery staple'

/** Starts at a random address, so that processes use different ones. */
let address = Math.floor(Math.random() * 2 ** 24)

/** Returns another client address at each call, because sign-in and sign-up are limited by address. */
export const nextAddress = (): string => {
  address = (address + 1) % 2 ** 24
  return `10.${address >> 16}.${(address >> 8) % 256}.${address % 256}`
}

/** Creates an account with an API key. */
export const newAccount = async (
  server: BenchServer,
  email = `bench-${crypto.randomUUID()}@example.com`,
): Promise<Account> => {
  const signedUp = await fetch(new URL(signUp.path, server.url), {
    method: signUp.method,
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': nextAddress(),
    },
    body: JSON.stringify({ email, password: PASSWORD, confirm_password: PASSWORD }),
  })
  const { access_token, user } = (await signedUp.json()) as {
    access_token: string
    user: { id: string }
  }
  const owner = createClient({ baseUrl: server.url, credential: access_token })
  const { key } = await owner.call(createKey, { body: { name: 'bench' } })
  return accountOn(server, { userId: user.id, email, accessToken: access_token, key })
}

/** The same account on a restarted server. */
export const accountOn = (server: BenchServer, account: Omit<Account, 'client'>): Account => ({
  ...account,
  client: createClient({ baseUrl: server.url, credential: account.key, timeoutMs: 120_000 }),
})
