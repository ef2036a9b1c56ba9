import { verify } from '../../bench/lib/pending.ts'
import {
  type BenchServer,
  newAccount,
  nextAddress,
  PASSWORD,
  startServer,
} from '../../bench/lib/server.ts'
import { connectBeside } from '../../server/platform/db/embedded/open.ts'
import {
  contract,
  type Endpoint,
  getProfile,
  mcp,
  protocols,
  signIn,
} from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { type Use, useDuring } from '../harness/use.ts'
import { type CostCase, costCases, headerCases } from './cost-cases.ts'
import { listTools, mcpCases } from './cost-mcp.ts'
import { createFixtures, createOrgFixtures, type Send } from './fixtures.ts'
import type { Pathological } from './pathological.ts'

const ADMIN = 'admin@example.com'
/** A request that takes longer is reported by its status. */
const TIMEOUT_MS = 120_000

export interface Measured extends Use {
  row: string
  place: string
  text: string
  status: number | 'timeout'
}

export interface Bound {
  seconds: number
  mib: number
}

interface User {
  id: string
  username: string
  key: string
  accessToken: string
  scimToken?: string
  ids: Record<string, string>
}

/** A server with the embedded PostgreSQL in its own process tree. */
export const startMeasuredServer = async (dataDir: string, executable = '') => {
  await using opened = new AsyncDisposableStack()
  const server = opened.use(
    await startServer(
      { dataDir, url: undefined },
      { SVC_ADMIN_EMAILS: ADMIN },
      undefined,
      executable,
    ),
  )
  const database = await connectBeside(dataDir)
  opened.defer(database.close)
  const owned = opened.move()

  /** Waits until all engines and jobs that are due have run. Task 0 waits for the next look at the graph. */
  const settled = async () => {
    await eventually(async () => {
      const [pending] = await database.query(
        `select where exists (select from memory_tasks where seq > 0) or exists (select from jobs.job
          where state = 'active' or (state < 'active' and start_after <= now()))`,
        [],
      )
      return !pending
    })
  }
  let admin = await newUser(server, dataDir, ADMIN)
  const other = await newUser(server, dataDir)
  return {
    /** Another user with the rows that requests name, and another session of the admin. */
    newUser: async () => {
      admin = { ...admin, accessToken: await signInAsAdmin(server) }
      const user = await newUser(server, dataDir)
      const org = await createOrgFixtures(
        (key, path, body) => senderOf(server.url, { key })('POST', path, body),
        user.accessToken,
      )
      const rows = await createFixtures(senderOf(server.url, user), other)
      return { ...user, scimToken: org.token, ids: { ...rows, ...org.ids } }
    },
    measure: (requests: readonly Request[], user: User) =>
      measure(server, settled, requests, (row) => (row.adminOnly ? admin : user)),
    tools: ({ key }: User) => listTools(server.url, key),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  }
}

export type MeasuredServer = Awaited<ReturnType<typeof startMeasuredServer>>

const senderOf =
  (url: string, { key }: Pick<User, 'key'>): Send =>
  async (method, path, body) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const sent = { method, headers, body: JSON.stringify(body) }
    const response = await fetch(new URL(path, url), sent)
    if (!response.ok) throw new Error(`${path} answered ${response.status}`)
    return (await response.json()) as Record<string, unknown>
  }

const newUser = async (
  server: BenchServer,
  dataDir: string,
  email = `user-${crypto.randomUUID()}@example.com`,
): Promise<User> => {
  const account = await newAccount(server, email)
  await verify(account, dataDir)
  const { username } = await account.client.call(getProfile)
  return { id: account.userId, username, ids: {}, ...account }
}

interface Request {
  row: Endpoint
  sent: CostCase
}

const signInAsAdmin = async ({ url }: BenchServer): Promise<string> => {
  const signedIn = await fetch(new URL(signIn.path, url), {
    method: signIn.method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
    body: JSON.stringify({ email: ADMIN, password: PASSWORD }),
  })
  const { access_token } = (await signedIn.json()) as { access_token: string }
  return access_token
}

/** The cost of requests together, and the status of each that was sent. */
interface Cost extends Use {
  statuses: (number | 'timeout')[]
}

/** Sends requests one after another, up to one that shows that the session has ended or the key is deleted. */
const measure = async (
  server: BenchServer,
  settled: () => Promise<void>,
  requests: readonly Request[],
  callerOf: (row: Endpoint) => User,
): Promise<Cost> => {
  const statuses: Cost['statuses'] = []
  const use = await useDuring(
    server.pid,
    async (between) => {
      for (const { row, sent } of requests) {
        if (statuses.length) between()
        const status = await send(server.url, row, sent, tokenFor(row, callerOf(row))).catch(
          (error): 'timeout' => {
            if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
            throw error
          },
        )
        statuses.push(status)
        if (isSignedOut(row, status)) return
      }
    },
    settled,
  )
  return { ...use, statuses }
}

const tokenFor = (row: Endpoint, user: User): string => {
  const userToken = row.credential === 'bearer' ? user.key : user.accessToken
  return (row.tag === 'SCIM' && user.scimToken) || userToken
}

const isSignedOut = (row: Endpoint | undefined, status: number | 'timeout' | undefined): boolean =>
  status === 401 &&
  (row?.tag === 'SCIM' || row?.credential === 'bearer' || row?.credential === 'jwt')

/** Reads the whole response, because the work of a stream ends with it. */
const send = async (url: string, row: Endpoint, sent: CostCase, token: string): Promise<number> => {
  const { path, body, contentType, headers } = sent
  const response = await fetch(new URL(path, url), {
    method: row.method,
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    headers: {
      'x-forwarded-for': nextAddress(),
      authorization: `Bearer ${token}`,
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...headers,
    },
    ...(body !== undefined && row.method !== 'GET' && { body }),
  })
  await response.arrayBuffer()
  return response.status
}

const all: readonly Endpoint[] = [...contract, ...protocols.filter((row) => row !== mcp)]

/** Endpoints that delete come last, so that the rows of the fixtures exist until then. */
const rows = [...all.filter((row) => !deletes(row)), ...all.filter(deletes)]

function deletes({ method, name }: Endpoint): boolean {
  return method === 'DELETE' || name === 'signOut'
}

interface Planned extends Request {
  text: Pathological
}

/** Which texts a row gets; `index` counts the rows. */
export type Choose = (row: Endpoint, index: number) => readonly Pathological[]

/** The requests to all endpoints and MCP tools, those to an endpoint with one text together. */
async function* planned(
  server: MeasuredServer,
  user: () => User,
  choose: Choose,
): AsyncGenerator<Planned[]> {
  let number = 0
  const tail = () => `end${++number}`
  const all = (row: Endpoint, text: Pathological, cases: Iterable<CostCase>): Planned[] =>
    Array.from(cases, (sent) => ({ row, text, sent }))
  for (const [index, row] of rows.entries())
    for (const text of choose(row, index))
      yield all(row, text, costCases(row, user().ids, text, tail()))
  const tools = await server.tools(user())
  for (const text of choose(mcp, rows.length))
    yield all(mcp, text, mcpCases(tools, user().ids, text, tail()))
  const me = rows.find(({ path }) => path === '/api/me')
  if (me)
    for (const text of choose(me, rows.length + 1))
      yield all(me, text, headerCases(me, {}, text, tail()))
}

/** Attempts of a request above a bound: what runs on a schedule may fall into one of them. */
const ATTEMPTS = 3

const isWithin = (use: Use, bound: Bound): boolean =>
  use.seconds <= bound.seconds && use.mib <= bound.mib

/**
 * Measures requests one after another. A request above the bound is repeated, with the lowest cost counted,
 * because work that runs on a schedule counts too.
 */
export async function* measureAll(
  server: MeasuredServer,
  choose: Choose,
  bound: Bound,
): AsyncGenerator<Measured> {
  let user = await server.newUser()
  for await (const group of planned(server, () => user, choose))
    for (const each of group) {
      const measured = await measureOne(server, each, user, bound)
      if (isSignedOut(each.row, measured.status)) user = await server.newUser()
      yield measured
    }
}

/** Measured together, so that few wait until the server is idle. More are above the bound together. */
const TOGETHER = 10

/**
 * Measures the requests above the bound. Up to ten to an endpoint are measured together, and one by one only if
 * they are above it together.
 */
export async function* measureAbove(
  server: MeasuredServer,
  choose: Choose,
  bound: Bound,
): AsyncGenerator<Measured> {
  let user = await server.newUser()
  let isFresh = true
  for await (const group of planned(server, () => user, choose))
    for (let next = 0; next < group.length; ) {
      const requests = group.slice(next, next + TOGETHER)
      const { statuses, ...use } = await server.measure(requests, user)
      const isOut = isSignedOut(requests[0]?.row, statuses.at(-1))
      // The last request is sent again, unless a new user is refused too.
      const sent =
        isOut && !(isFresh && statuses.length === 1) ? statuses.length - 1 : statuses.length
      next += sent
      isFresh = isOut
      if (isOut) user = await server.newUser()
      if (isWithin(use, bound)) continue
      for (const each of requests.slice(0, sent)) {
        const measured = await measureOne(server, each, user, bound, 1)
        if (isSignedOut(each.row, measured.status)) user = await server.newUser()
        if (!isWithin(measured, bound)) yield measured
      }
    }
}

/** @param first the number of the first attempt. */
const measureOne = async (
  server: MeasuredServer,
  { row, text, sent }: Planned,
  user: User,
  bound: Bound,
  first = 0,
): Promise<Measured> => {
  const measureNext = async (attempt: number): Promise<Measured> => {
    const { statuses, ...use } = await server.measure([{ row, sent: varied(sent, attempt) }], user)
    const status = statuses[0] ?? 'timeout'
    return { row: `${row.method} ${row.path}`, place: sent.title, text: text.name, status, ...use }
  }
  let best = await measureNext(first)
  for (let tried = 1; tried < ATTEMPTS && !isWithin(best, bound); tried++) {
    const { seconds, mib, ...measured } = await measureNext(first + tried)
    best = { ...measured, seconds: Math.min(seconds, best.seconds), mib: Math.min(mib, best.mib) }
  }
  return best
}

/** The same request with another text, which is not the duplicate of a stored one. */
const varied = (sent: CostCase, attempt: number): CostCase =>
  attempt === 0 || typeof sent.body !== 'string'
    ? sent
    : { ...sent, body: sent.body.replaceAll(/end\d+/g, (tail) => `${tail}${attempt}`) }
