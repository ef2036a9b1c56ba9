import { verify } from '../../bench/lib/pending.ts'
import { type BenchServer, newAccount, nextAddress, startServer } from '../../bench/lib/server.ts'
import { connectBeside } from '../../server/platform/db/embedded/open.ts'
import { contract, type Endpoint, getProfile, mcp, protocols } from '../../shared/contract/index.ts'
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
  const admin = await newUser(server, dataDir, ADMIN)
  const other = await newUser(server, dataDir)
  return {
    /** Another user with the rows that requests name. */
    newUser: async () => {
      const user = await newUser(server, dataDir)
      const org = await createOrgFixtures(
        (key, path, body) => senderOf(server.url, { key })('POST', path, body),
        user.accessToken,
      )
      const rows = await createFixtures(senderOf(server.url, user), other)
      return { ...user, scimToken: org.token, ids: { ...rows, ...org.ids } }
    },
    admin,
    measure: (row: Endpoint, sent: CostCase, user: User) =>
      measure(server, settled, row, sent, user),
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

const measure = async (
  server: BenchServer,
  settled: () => Promise<void>,
  row: Endpoint,
  sent: CostCase,
  user: User,
): Promise<Use & { status: number | 'timeout' }> => {
  const userToken = row.credential === 'bearer' ? user.key : user.accessToken
  const token = (row.tag === 'SCIM' && user.scimToken) || userToken
  let status: number | 'timeout' = 'timeout'
  const use = await useDuring(
    server.pid,
    async () => {
      status = await send(server.url, row, sent, token).catch((error) => {
        if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
        throw error
      })
    },
    settled,
  )
  return { ...use, status }
}

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

interface Planned {
  row: Endpoint
  text: Pathological
  sent: CostCase
}

/** Which texts a row gets; `index` counts the rows. */
export type Choose = (row: Endpoint, index: number) => readonly Pathological[]

/** The requests to all endpoints and MCP tools. */
export async function* planned(
  server: MeasuredServer,
  user: () => User,
  choose: Choose,
): AsyncGenerator<Planned> {
  let number = 0
  const tail = () => `end${++number}`
  for (const [index, row] of rows.entries())
    for (const text of choose(row, index))
      for (const sent of costCases(row, user().ids, text, tail())) yield { row, text, sent }
  const tools = await server.tools(user())
  for (const text of choose(mcp, rows.length))
    for (const sent of mcpCases(tools, user().ids, text, tail())) yield { row: mcp, text, sent }
  const me = rows.find(({ path }) => path === '/api/me')
  if (me)
    for (const text of choose(me, rows.length + 1))
      for (const sent of headerCases(me, {}, text, tail())) yield { row: me, text, sent }
}

/** Attempts of a request above a bound: what runs on a schedule may fall into one of them. */
const ATTEMPTS = 3

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
  for await (const { row, text, sent } of planned(server, () => user, choose)) {
    const caller = row.adminOnly ? { ...server.admin, ids: user.ids } : user
    let best: (Use & { status: number | 'timeout' }) | undefined
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const use = await server.measure(row, varied(sent, attempt), caller)
      best = {
        status: use.status,
        seconds: Math.min(use.seconds, best?.seconds ?? use.seconds),
        mib: Math.min(use.mib, best?.mib ?? use.mib),
      }
      if (best.seconds <= bound.seconds && best.mib <= bound.mib) break
    }
    if (!best) continue
    // A request ended the session or deleted the key.
    if (best.status === 401 && (row.credential !== 'none' || row.tag === 'SCIM'))
      user = await server.newUser()
    yield { row: `${row.method} ${row.path}`, place: sent.title, text: text.name, ...best }
  }
}

/** The same request with another text, which is not the duplicate of a stored one. */
const varied = (sent: CostCase, attempt: number): CostCase =>
  attempt === 0 || typeof sent.body !== 'string'
    ? sent
    : { ...sent, body: sent.body.replaceAll(/end\d+/g, (tail) => `${tail}${attempt}`) }
