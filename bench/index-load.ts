import { fileURLToPath } from 'node:url'
import { recall } from '../shared/contract/index.ts'
import { count, counts, oneOf, readArgs } from './lib/args.ts'
import { createDatabase, openBeside } from './lib/database.ts'
import { untilNoTasks } from './lib/pending.ts'
import { residentMib } from './lib/resident.ts'
import { type BenchServer, newAccount, startServer } from './lib/server.ts'
import { quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'

const { values: args } = readArgs(
  `bench/index-load.ts: the first recall of an owner over HTTP, which loads the index, the longest time that this blocks the
event loop (ms of CPU time), the recalls after it, and recalls of a server with no room for the index (ms)`,
  {
    sizes: counts('numbers of memories', [1_000, 10_000, 100_000]),
    questions: count('number of questions', 100),
    withoutRoom: count('number of questions without room', 5),
    megabytes: count('SVC_INDEX_MB', 1_024),
    database: oneOf('where to run', ['embedded', 'postgres'], 'postgres'),
  },
)

const probe = fileURLToPath(new URL('lib/loop-probe.ts', import.meta.url))
const TOKEN = crypto.randomUUID()

const scrape = async ({ url }: BenchServer, name: string): Promise<number> => {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const line = (await response.text()).split('\n').find((each) => each.startsWith(`${name} `))
  return Number(line?.split(' ').at(-1) ?? 0)
}

await using database = await createDatabase(args.database)
interface Filled {
  size: number
  key: string
  turns: Turn[]
}

const fill = async (server: BenchServer, size: number): Promise<Filled> => {
  const account = await newAccount(server)
  const turns = conversations(size, size)
  await writeTurns(account, turns)
  return { size, key: account.key, turns: turns.slice(0, 1_000) }
}

const filled: Filled[] = []
let small: Filled
{
  await using server = await startServer(database, { SVC_EMBEDDING: 'off' })
  small = await fill(server, 100)
  for (const size of args.sizes) filled.push(await fill(server, size))
  await using beside = await openBeside(database)
  await untilNoTasks(beside.database)
}

const askAs = async (
  server: BenchServer,
  { key, turns, size }: Filled,
  number: number,
): Promise<number[]> => {
  const next = random(size)
  const times: number[] = []
  for (let i = 0; i < number; i++) {
    const query = questionAbout(turns[Math.floor(next() * turns.length)] as Turn, next)
    const [ms] = await timed(async () => {
      const response = await fetch(`${server.url}${recall.path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      })
      if (!response.ok) throw new Error(await response.text())
      return response.json()
    })
    times.push(ms)
  }
  return times
}

const measure = async (owner: Filled) => {
  const waiting: ((longest: number) => void)[] = []
  const start = (megabytes: number) =>
    startServer(
      database,
      {
        SVC_METRICS_TOKEN: TOKEN,
        SVC_INDEX_MB: String(megabytes),
        SVC_PROCESSES: '1',
        SVC_EMBEDDING: 'off',
      },
      {
        preload: probe,
        onMessage: ({ longest }: { longest: number }) => waiting.shift()?.(longest),
      },
    )
  const readLongestMs = (server: BenchServer): Promise<number> => {
    const { promise, resolve } = Promise.withResolvers<number>()
    waiting.push(resolve)
    server.send('read')
    return promise
  }
  let withoutRoom: number[]
  {
    await using server = await start(0)
    withoutRoom = await askAs(server, owner, args.withoutRoom)
  }

  await using server = await start(args.megabytes)
  // Connections are open, and code is compiled.
  await askAs(server, small, 20)
  const before = residentMib(server.pid)
  await readLongestMs(server)
  const [first = 0] = await askAs(server, owner, 1)
  const longest = await readLongestMs(server)
  const after = residentMib(server.pid)
  const times = await askAs(server, owner, args.questions)
  return [
    owner.size.toLocaleString('en-US'),
    first.toFixed(0),
    longest.toFixed(1),
    ((await scrape(server, 'svc_recall_index_bytes')) / 1024 ** 2).toFixed(0),
    (after - before).toFixed(0),
    quantile(times, 0.5).toFixed(1),
    quantile(times, 0.95).toFixed(1),
    quantile(withoutRoom, 0.5).toFixed(1),
  ]
}

const rows: (string | number)[][] = []
for (const each of filled) rows.push(await measure(each))
printTable(
  [
    'memories',
    'first recall ms',
    'longest block ms',
    'index MiB',
    'growth MiB',
    'recall p50',
    'p95',
    'without room p50',
  ],
  rows,
)
