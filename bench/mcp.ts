import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderMcpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { recall } from '../shared/contract/index.ts'
import { count, counts, oneOf, readArgs } from './lib/args.ts'
import { type BenchDatabase, createDatabase, kindsOf } from './lib/database.ts'
import { type Account, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'

/** Not counted: connections are opened and statements planned. */
const WARM_UP = 50

const { values: args } = readArgs(
  'bench/mcp.ts: recall over HTTP, and by the MCP tool over HTTP with either client, in turn (ms)',
  {
    sizes: counts('how many memories', [1_000, 10_000]),
    questions: count('how many questions', 300),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)

type Ask = (question: string) => Promise<number>

const transportSettings = ({ key }: Account) => ({
  requestInit: { headers: { authorization: `Bearer ${key}` } },
})

const countOf = (result: object): number =>
  (result as { structuredContent: { count: number } }).structuredContent.count

/** A client of revision 2026-07-28. */
const connect = async ({ url }: BenchServer, account: Account) => {
  const client = new McpClient({ name: 'bench', version: '1' })
  const at = new URL('/api/mcp', url)
  await client.connect(new StreamableHTTPClientTransport(at, transportSettings(account)))
  const ask: Ask = async (query) =>
    countOf(await client.callTool({ name: 'recall', arguments: { query } }))
  return { ask, [Symbol.asyncDispose]: () => client.close() }
}

/** A client of the revisions before it. */
const connectOlder = async ({ url }: BenchServer, account: Account) => {
  const client = new OlderMcpClient({ name: 'bench', version: '1' })
  const transport = new OlderTransport(new URL('/api/mcp', url), transportSettings(account))
  await client.connect(transport as Parameters<OlderMcpClient['connect']>[0])
  const ask: Ask = async (query) =>
    countOf(await client.callTool({ name: 'recall', arguments: { query } }))
  return { ask, [Symbol.asyncDispose]: () => client.close() }
}

/** Each way in turn, in an order that turns too, because the first finds the pages cold. */
const askInTurn = async (ways: Ask[], turns: Turn[]): Promise<number[][]> => {
  const next = random(0)
  const times = ways.map((): number[] => [])
  for (let i = -WARM_UP; i < args.questions; i++) {
    const question = questionAbout(turns[Math.floor(next() * turns.length)] as Turn, next)
    for (const offset of ways.keys()) {
      const way = (i + WARM_UP + offset) % ways.length
      const [ms, found] = await timed(() => (ways[way] as Ask)(question))
      if (found === 0) throw new Error(`nothing was found for: ${question}`)
      if (i >= 0) times[way]?.push(ms)
    }
  }
  return times
}

const measure = async (kind: BenchDatabase['kind'], size: number): Promise<string[]> => {
  await using database = await createDatabase(kind)
  await using server = await startServer(database)
  const account = await newAccount(server)
  const turns = conversations(size, 1)
  await writeTurns(account, turns)
  await using current = await connect(server, account)
  await using older = await connectOlder(server, account)
  const overHttp: Ask = async (query) =>
    (await account.client.call(recall, { body: { query } })).count
  const [http = [], ...mcp] = await askInTurn([overHttp, current.ask, older.ask], turns)
  const p = (ms: number[], share: number) => quantile(ms, share).toFixed(2)
  return [
    kind,
    size.toLocaleString('en'),
    p(http, 0.5),
    p(http, 0.95),
    ...mcp.flatMap((ms) => [p(ms, 0.5), p(ms, 0.95), (median(ms) / median(http)).toFixed(2)]),
  ]
}

const rows: string[][] = []
for (const kind of kindsOf(args.database))
  for (const size of args.sizes) rows.push(await measure(kind, size))
const ways = ['2026-07-28', '2025-11-25']
printTable(
  [
    'database',
    'memories',
    'HTTP p50',
    'p95',
    ...ways.flatMap((revision) => [`MCP ${revision} p50`, 'p95', '/ HTTP']),
  ],
  rows,
)
