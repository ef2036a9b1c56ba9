import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as OlderMcpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { recall } from '../shared/contract/index.ts'
import { count, counts, oneOf, readArgs } from './lib/args.ts'
import { type BenchDatabase, createDatabase, kindsOf } from './lib/database.ts'
import { measureStarts } from './lib/mcp-start.ts'
import { type Account, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { textTokens, toolTokens, writeLongMemories } from './lib/tool-tokens.ts'
import { writeTurns } from './lib/write.ts'

/** Uncounted requests that open connections and plan statements. */
const WARM_UP = 50

const { values: args } = readArgs(
  'bench/mcp.ts: recall over HTTP and as an MCP tool with a current and an older client, interleaved (ms), the tokens of what a model sees, and the time to initialize over stdio',
  {
    sizes: counts('numbers of memories', [1_000, 10_000]),
    questions: count('number of questions', 300),
    starts: count('number of starts of each stdio server', 20),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)

type Ask = (question: string) => Promise<number>

const transportSettings = ({ key }: Account) => ({
  requestInit: { headers: { authorization: `Bearer ${key}` } },
})

const countOf = (result: object): number =>
  (result as { structuredContent: { count: number } }).structuredContent.count

/** Connects a client of MCP revision 2026-07-28. */
const connect = async ({ url }: BenchServer, account: Account) => {
  const client = new McpClient({ name: 'bench', version: '1' })
  const at = new URL('/api/mcp', url)
  await client.connect(new StreamableHTTPClientTransport(at, transportSettings(account)))
  const ask: Ask = async (query) =>
    countOf(await client.callTool({ name: 'recall', arguments: { query } }))
  return {
    ask,
    client,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** Connects a client of earlier revisions. */
const connectOlder = async ({ url }: BenchServer, account: Account) => {
  const client = new OlderMcpClient({ name: 'bench', version: '1' })
  const transport = new OlderTransport(new URL('/api/mcp', url), transportSettings(account))
  await client.connect(transport as Parameters<OlderMcpClient['connect']>[0])
  const ask: Ask = async (query) =>
    countOf(await client.callTool({ name: 'recall', arguments: { query } }))
  return { ask, [Symbol.asyncDispose]: () => client.close() }
}

/** Measures the ways interleaved in a rotating order, because the first reads cold pages. */
const measureInterleaved = async (ways: Ask[], turns: Turn[]): Promise<number[][]> => {
  const next = random(0)
  const times = ways.map((): number[] => [])
  for (let i = -WARM_UP; i < args.questions; i++) {
    const question = questionAbout(turns[Math.floor(next() * turns.length)] as Turn, next)
    for (const offset of ways.keys()) {
      const way = (i + WARM_UP + offset) % ways.length
      const [ms, found] = await timed(() => (ways[way] as Ask)(question))
      if (found === 0) throw new Error(`recall found no memory for: ${question}`)
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
  tokens ??= await measureTokens(server, await newAccount(server))
  const overHttp: Ask = async (query) =>
    (await account.client.call(recall, { body: { query } })).count
  const [http = [], ...mcp] = await measureInterleaved([overHttp, current.ask, older.ask], turns)
  const p = (ms: number[], share: number) => quantile(ms, share).toFixed(2)
  return [
    kind,
    size.toLocaleString('en'),
    p(http, 0.5),
    p(http, 0.95),
    ...mcp.flatMap((ms) => [p(ms, 0.5), p(ms, 0.95), (median(ms) / median(http)).toFixed(2)]),
  ]
}

/** The tokens that a model sees are the same for every database and size. */
const measureTokens = async (server: BenchServer, account: Account) => {
  const query = await writeLongMemories(account)
  await using connection = await connect(server, account)
  const { client } = connection
  const { tools } = await client.listTools()
  const { content } = await client.callTool({ name: 'recall', arguments: { query } })
  const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('\n')
  return { tools: toolTokens(tools), texts: textTokens(client.getInstructions() ?? '', text) }
}
let tokens: Awaited<ReturnType<typeof measureTokens>> | undefined

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
printTable(['o200k tokens', 'seen by a model', 'tools/list'], tokens?.tools ?? [])
printTable(['o200k tokens', 'text'], tokens?.texts ?? [])
printTable(
  ['initialize over stdio, ms', 'median', 'p95', '/ bun -e 0', 'target'],
  await measureStarts(args.starts),
)
