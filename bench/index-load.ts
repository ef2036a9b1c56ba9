import { fileURLToPath } from 'node:url'
import { recall } from '../shared/contract/index.ts'
import { count, counts, oneOf, readArgs } from './lib/args.ts'
import { createDatabase } from './lib/database.ts'
import { residentMib } from './lib/resident.ts'
import { type Account, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'

const { values: args } = readArgs(
  `bench/index-load.ts: the index in memory of one owner: its time to load, the longest time that this blocks the
event loop (ms of CPU time), and recalls over HTTP before and after (ms)`,
  {
    sizes: counts('numbers of memories', [1_000, 10_000, 100_000]),
    questions: count('number of questions', 100),
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
const filled: { size: number; key: string; turns: Turn[] }[] = []
{
  await using server = await startServer(database)
  for (const size of args.sizes) {
    const account: Account = await newAccount(server)
    const turns = conversations(size, size)
    await writeTurns(account, turns)
    filled.push({ size, key: account.key, turns: turns.slice(0, 1_000) })
  }
}

const measure = async ({ size, key, turns }: (typeof filled)[number]) => {
  const waiting: ((longest: number) => void)[] = []
  const start = (megabytes: number) =>
    startServer(
      database,
      { SVC_METRICS_TOKEN: TOKEN, SVC_INDEX_MB: String(megabytes), SVC_PROCESSES: '1' },
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
  const ask = async (server: BenchServer, number: number) => {
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

  let fromDatabase: number[]
  {
    await using server = await start(0)
    await ask(server, 20)
    fromDatabase = await ask(server, args.questions)
  }

  await using server = await start(args.megabytes)
  await ask(server, 2)
  const before = residentMib(server.pid)
  await readLongestMs(server)
  let longest = 0
  const [loadMs] = await timed(async () => {
    await ask(server, 1)
    while ((await scrape(server, 'svc_recall_index_owners')) === 0) {
      longest = Math.max(longest, await readLongestMs(server))
      await Bun.sleep(5)
    }
  })
  longest = Math.max(longest, await readLongestMs(server))
  const after = residentMib(server.pid)
  await ask(server, 20)
  const fromMemory = await ask(server, args.questions)
  return [
    size.toLocaleString('en-US'),
    loadMs.toFixed(0),
    longest.toFixed(1),
    ((await scrape(server, 'svc_recall_index_bytes')) / 1024 ** 2).toFixed(0),
    (after - before).toFixed(0),
    quantile(fromDatabase, 0.5).toFixed(1),
    quantile(fromMemory, 0.5).toFixed(1),
    quantile(fromMemory, 0.95).toFixed(1),
    (quantile(fromMemory, 0.5) / quantile(fromDatabase, 0.5)).toFixed(2),
  ]
}

const rows: (string | number)[][] = []
for (const each of filled) rows.push(await measure(each))
printTable(
  [
    'memories',
    'load ms',
    'longest block ms',
    'index MiB',
    'growth MiB',
    'PostgreSQL p50',
    'memory p50',
    'p95',
    '/ PostgreSQL',
  ],
  rows,
)
