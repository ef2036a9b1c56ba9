import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '../../shared/client.ts'
import { createKey, ready, signUp } from '../../shared/contract/index.ts'
import type { BenchDatabase } from './database.ts'
import { owned } from './owned.ts'

const READY_TIMEOUT_MS = 60_000
const STOP_TIMEOUT_MS = 10_000

const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

export interface BenchServer extends AsyncDisposable {
  url: string
  pid: number
}

/**
 * The production server in a process of its own, its log at the default level and thrown away.
 * @param env more variables for it.
 */
export const startServer = async (
  database: Pick<BenchDatabase, 'dataDir' | 'url'>,
  env: Record<string, string> = {},
): Promise<BenchServer> => {
  const port = freePort()
  const child = Bun.spawn([process.execPath, main], {
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
  })
  const stop = async () => {
    child.kill('SIGTERM')
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS)
    await child.exited
    clearTimeout(kill)
  }
  const server = { url: `http://127.0.0.1:${port}`, pid: child.pid, ...owned(stop) }
  const complaint = new Response(child.stderr).text()
  await Promise.race([
    untilReady(server.url),
    child.exited.then(async () => Promise.reject(new Error(await complaint))),
  ]).catch(async (error) => {
    await stop()
    throw error
  })
  return server
}

/** Asks again at once: how soon it is ready is measured. */
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
  key: string
  client: Client
}

/** Every account's password. */
export const PASSWORD = 'correct horse battery staple'

/** Processes begin anywhere, so that they do not use each other's. */
let address = Math.floor(Math.random() * 2 ** 24)

/** Another client's address at each call: requests to sign in and up are limited by address. */
export const nextAddress = (): string => {
  address = (address + 1) % 2 ** 24
  return `10.${address >> 16}.${(address >> 8) % 256}.${address % 256}`
}

/** A new account with a key. */
export const newAccount = async (server: BenchServer): Promise<Account> => {
  const email = `bench-${crypto.randomUUID()}@example.com`
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
  return accountOn(server, { userId: user.id, email, key })
}

/** The same account on a server that was started again. */
export const accountOn = (server: BenchServer, account: Omit<Account, 'client'>): Account => ({
  ...account,
  client: createClient({ baseUrl: server.url, credential: account.key, timeoutMs: 120_000 }),
})
