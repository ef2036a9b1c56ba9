import { fileURLToPath } from 'node:url'
import postgres from 'postgres'
import type { Endpoint } from '../shared/contract/endpoint.ts'
import { contract, protocols } from '../shared/contract/index.ts'
import { type Case, textCases, wrongCases } from '../tests/fuzz/corpus.ts'
import { createFixtures, createOrgFixtures } from '../tests/fuzz/fixtures.ts'
import { sendCase } from '../tests/fuzz/send.ts'
import { count, oneOf, readArgs, text } from './lib/args.ts'
import { createDatabase } from './lib/database.ts'
import { largeCases } from './lib/large-requests.ts'
import { largeScenarios } from './lib/large-scenarios.ts'
import {
  type Account,
  type BenchServer,
  newAccount,
  nextAddress,
  startServer,
} from './lib/server.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/loop-delay.ts: how long requests with hostile text block the event loop of the server (ms of CPU time)',
  {
    limit: count('exit with 1 when an endpoint blocks it longer than this', 50),
    only: text('measure the endpoints whose path contains one of these (comma-separated)', '/'),
    large: oneOf('whether to send large requests', ['yes', 'no', 'only'], 'yes'),
    again: count('number of repetitions of a case above the limit', 2),
  },
)

const probe = fileURLToPath(new URL('lib/loop-probe.ts', import.meta.url))

interface Measured {
  row: Endpoint
  longest: number
  title: string
}

await using database = await createDatabase('postgres')
const url = database.url as string
const waiting: ((longest: number) => void)[] = []
await using server = await startServer(
  database,
  {},
  {
    preload: probe,
    onMessage: ({ longest }: { longest: number }) => waiting.shift()?.(longest),
  },
)
const sql = postgres(url, { max: 1, onnotice: () => {} })

/** The longest blocking time in milliseconds since the last call. */
const readLongestMs = (): Promise<number> => {
  const { promise, resolve } = Promise.withResolvers<number>()
  waiting.push(resolve)
  server.send('read')
  return promise
}

const newUser = async (): Promise<Account & { username: string }> => {
  const account = await newAccount(server)
  const rows = await sql`update users set email_verified = true, is_admin = true
    where email = ${account.email} returning username`
  return { ...account, username: String(rows[0]?.username) }
}

const sender =
  ({ url }: BenchServer, { key }: Pick<Account, 'key'>) =>
  async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(new URL(path, url), sent)
    if (!response.ok) throw new Error(`${path} returned status ${response.status}`)
    return (await response.json()) as Record<string, unknown>
  }

const other = await newUser()

const measure = async (row: Endpoint, next: Case, token: string): Promise<number> => {
  await readLongestMs()
  await sendCase(server.url, row, next, { token, from: nextAddress() })
  // Wait for the jobs that the request queued.
  await Bun.sleep(20)
  return readLongestMs()
}

const worstOf = async (row: Endpoint): Promise<Measured> => {
  const user = await newUser()
  const rows = await createFixtures(sender(server, user), {
    id: other.userId,
    username: other.username,
  })
  const org = await createOrgFixtures(
    (token, path, body) => sender(server, { key: token })('POST', path, body),
    user.accessToken,
  )
  const ids = { ...rows, ...org.ids }
  const token = row.tag === 'SCIM' ? org.token : user.key
  const worst: Measured = { row, longest: 0, title: '' }
  for (const next of [...wrongCases(row, ids), ...textCases(row, ids), ...largeCases(row, ids)]) {
    let longest = await measure(row, next, token)
    // Repeating a case excludes pauses of the garbage collector and the compiler.
    for (let i = 0; i < args.again && longest > args.limit; i++)
      longest = Math.min(longest, await measure(row, next, token))
    if (longest > args.limit)
      console.error(`${row.method} ${row.path}: ${longest.toFixed(1)} ms by ${next.title}`)
    if (longest > worst.longest) Object.assign(worst, { longest, title: next.title })
  }
  return worst
}

const paths = args.only.split(',')
const found: { endpoint: string; longest: number; title: string }[] = []
const rows =
  args.large === 'only' ? [] : [...contract, ...protocols.filter(({ tag }) => tag === 'SCIM')]
for (const row of rows.filter(({ path }) => paths.some((part) => path.includes(part))))
  found.push({ endpoint: `${row.method} ${row.path}`, ...(await worstOf(row)) })
if (args.large !== 'no') {
  for (const [endpoint, send, title] of largeScenarios(server.url, await newUser())) {
    const once = async () => {
      await readLongestMs()
      await send()
      await Bun.sleep(20)
      return readLongestMs()
    }
    let longest = await once()
    for (let i = 0; i < args.again && longest > args.limit; i++)
      longest = Math.min(longest, await once())
    if (longest > args.limit) console.error(`${endpoint}: ${longest.toFixed(1)} ms by ${title}`)
    found.push({ endpoint, longest, title })
  }
}
await sql.end()

found.sort((one, two) => two.longest - one.longest)
printTable(
  ['endpoint', 'longest block', 'case'],
  found.map(({ endpoint, longest, title }) => [endpoint, longest.toFixed(1), title]),
)
process.exitCode = (found[0]?.longest ?? 0) > args.limit ? 1 : 0
