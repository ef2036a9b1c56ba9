import { afterAll, beforeAll, setDefaultTimeout } from 'bun:test'
import { readConfig } from '../../server/config/config.ts'
import type { StartOptions } from '../../server/config/start-options.ts'
import { createLog } from '../../server/platform/log.ts'
import { type Server, start } from '../../server/start.ts'
import { type Client, createClient } from '../../shared/client.ts'
import { createDatabase, SHORT_PAUSES, type TestDatabase } from './database.ts'
import { assertErrorsDeclared } from './declared-errors.ts'
import { withoutMeaning } from './meaning.ts'
import { assertNoSecrets, noteSecrets } from './secrets.ts'

/** The production factory on a free port, with its own database and a recorded log. Stopping it checks the log. */
export interface TestServer extends Server {
  database: TestDatabase
  log: string[]
  /**
   * @throws Error when the log contains a secret that `request` sent or received since the last check, or an
   * error that the row of its endpoint does not declare, or when a statement broke the order of locks.
   */
  checkLog(): void
  /** Notices to the operator outside the log. */
  notices: string[]
  /** The first notice that matches: now, or when it arrives. */
  noticed(pattern: RegExp): Promise<string>
}

/** Starts at the first call what later calls of the process return, too. */
export const once = <T>(begin: () => Promise<T>): (() => Promise<T>) => {
  let started: Promise<T> | undefined
  return () => {
    started ??= begin()
    return started
  }
}

/** Tests sign up thousands of users and do not depend on the strength of the hashes. */
export const CHEAP_HASHING = { memoryCost: 1_024, timeCost: 1 }

/** Tests send many requests at once, also on a slow machine, and expect an answer to each. */
const PATIENT = { patienceMs: 60_000 }

/** A server on a given database leaves that to the caller. */
export const startServer = async (
  env: Record<string, string | undefined> = {},
  database?: TestDatabase,
  options: Pick<
    StartOptions,
    'fetching' | 'recallBudgetMs' | 'bodyPace' | 'pauses' | 'admission'
  > = {},
): Promise<TestServer> => {
  const used = database ?? (await createDatabase())
  const log: string[] = []
  const notices: string[] = []
  let waiting: (() => boolean)[] = []
  const config = readConfig({
    SVC_PORT: '0',
    SVC_TRUSTED_PROXIES: '127.0.0.1',
    ...withoutMeaning(env),
    ...used.env,
    ...env,
  })
  const violations: Error[] = []
  const server = await start(config, {
    onLockOrderViolation: (error) => violations.push(error),
    hashing: CHEAP_HASHING,
    pauses: SHORT_PAUSES,
    admission: PATIENT,
    ...options,
    log: createLog('debug', { write: (line) => log.push(line) }),
    notice: (text) => {
      notices.push(text)
      waiting = waiting.filter((give) => !give())
    },
  })
  const noticed = (pattern: RegExp) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const give = () => {
      const notice = notices.find((text) => pattern.test(text))
      if (notice !== undefined) resolve(notice)
      return notice !== undefined
    }
    if (!give()) waiting.push(give)
    return promise
  }
  const checkLog = () => {
    assertNoSecrets(server.url, log)
    assertErrorsDeclared(log)
    const [violation] = violations.splice(0)
    if (violation) throw violation
  }
  const stop = async () => {
    await server.stop()
    if (!database) await used.drop()
    checkLog()
  }
  return {
    ...server,
    database: used,
    log,
    notices,
    noticed,
    checkLog,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

/** One server for all tests of a file. */
export const useServer = (env: Record<string, string> = {}): { readonly current: TestServer } =>
  useStarted(
    () => startServer(env),
    (server) => server.stop(),
  )

/**
 * One server for all files of a process that call this: those whose tests read and change only what belongs
 * to their own users. Starting it takes longer than most files.
 */
export const useSharedServer = (): { readonly current: TestServer } =>
  useStarted(sharedServer, endFile)

const sharedServer = once(() => startServer())

/** A shared server ends with its process: Bun has no hook after the last file of a worker. */
export const endFile = async (server: TestServer): Promise<void> => {
  server.checkLog()
  server.log.length = 0
}

/** Calls `begin` before the tests of a file, and `end` after them. */
export const useStarted = <T>(
  begin: () => Promise<T>,
  end: (started: T) => Promise<void>,
): { readonly current: T } => {
  // Hashing passwords on a busy machine takes seconds; bunfig.toml has no option for this.
  setDefaultTimeout(120_000)
  let started: { value: T } | undefined
  beforeAll(async () => {
    started = { value: await begin() }
  }, 120_000)
  afterAll(async () => {
    if (started) await end(started.value)
  })
  return {
    get current() {
      if (!started)
        throw new Error('the server starts before the tests, not while they are declared')
      return started.value
    },
  }
}

export interface Answer {
  status: number
  headers: Headers
  // Tests read bodies of any shape; assertions check them, not types.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any
  text: string
  /** The `Set-Cookie` header of the refresh cookie, if one was sent. */
  cookie: string | undefined
}

export interface RequestOptions {
  /** Sent as JSON; a string is sent unchanged. */
  body?: unknown
  headers?: Record<string, string>
  /** An access token or API key, sent as a bearer token. */
  token?: string
  /** The value of the refresh cookie. */
  cookie?: string
  /** The client's address, as a trusted proxy reports it; a new one for each request if omitted. */
  from?: string
}

/** Sends a plain HTTP request to a server. */
export const request = async (
  server: Pick<Server, 'url'>,
  method: string,
  path: string,
  { body, headers = {}, token, cookie, from = newAddress() }: RequestOptions = {},
): Promise<Answer> => {
  const url = new URL(path, server.url)
  const sent = {
    'x-forwarded-for': from,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(token && { authorization: `Bearer ${token}` }),
    ...(cookie && { cookie: `refresh_token=${cookie}` }),
    ...headers,
  }
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: sent,
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json')
  const answered = isJson ? JSON.parse(text) : undefined
  noteSecrets(server.url, {
    request: { headers: sent, body, url },
    answer: { headers: response.headers, body: answered },
  })
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: answered,
    cookie: response.headers.getSetCookie().find((line) => line.startsWith('refresh_token=')),
  }
}

let addresses = 0

/** A new address for each call, from the range for tests (RFC 2544): limits count by address. */
export const newAddress = (): string => {
  const number = addresses++
  return `198.18.${(number >> 8) & 255}.${number & 255}`
}

/** The value in a `Set-Cookie` header. */
export const cookieValue = (header: string | undefined): string =>
  header?.split(';')[0]?.split('=')[1] ?? ''

export const uniqueEmail = (): string => `user-${crypto.randomUUID()}@example.com`

export const PASSWORD = 'correct horse battery staple'

export interface TestUser {
  id: string
  email: string
  accessToken: string
  refreshToken: string
  /** An API key of the user. */
  key: string
  keyId: string
  /** The typed client, signed in with the key. */
  client: Client
}

/** Signs up a new user, with an API key. */
export const newUser = async (
  server: Pick<Server, 'url'>,
  email = uniqueEmail(),
): Promise<TestUser> => {
  const signedUp = await request(server, 'POST', '/api/auth/signup', {
    body: { email, password: PASSWORD, confirm_password: PASSWORD },
  })
  const accessToken: string = signedUp.body.access_token
  const created = await request(server, 'POST', '/api/auth/api-keys', {
    token: accessToken,
    body: { name: 'test' },
  })
  return {
    id: signedUp.body.user.id,
    email,
    accessToken,
    refreshToken: cookieValue(signedUp.cookie),
    key: created.body.key,
    keyId: created.body.id,
    client: createClient({ baseUrl: server.url, credential: created.body.key }),
  }
}
