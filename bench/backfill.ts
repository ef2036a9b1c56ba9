import type { Database } from '../server/platform/db/database.ts'
import { createClient } from '../shared/client.ts'
import { recall } from '../shared/contract/index.ts'
import { count, readArgs } from './lib/args.ts'
import { createDatabase } from './lib/database.ts'
import { newAccount, startServer } from './lib/server.ts'
import { quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'

const POLL_MS = 20

const { values: args } = readArgs(
  `bench/backfill.ts: upgrades a database whose memories have no vectors and no terms.
Starts the server, kills it halfway and restarts it; measures recall over HTTP during and after the backfill (ms)`,
  {
    size: count('number of memories of one owner', 100_000),
    questions: count('number of questions after the backfill', 200),
  },
)

/** How many memories have a vector, and terms. */
interface Progress {
  vectors: number
  analyzed: number
  done: boolean
}

const progressOf = async (observer: Database) => {
  const [row] = await observer.query<Progress>(
    `select (select count(*)::int from memory_vectors) as vectors,
      (select count(terms)::int from memories) as analyzed,
      (select count(*) = 2 from backfills where done_at is not null) as done`,
    [],
  )
  return row ?? { vectors: 0, analyzed: 0, done: false }
}

await using database = await createDatabase('postgres')
const turns = conversations(args.size, 1)
let key = ''
{
  await using server = await startServer(database)
  const account = await newAccount(server)
  key = account.key
  await writeTurns(account, turns)
}
const observer = await database.open()
await observer.query('delete from memory_tasks', [])
// The state of an earlier version.
await observer.query('truncate memory_vectors, backfills', [])
await observer.query(
  'update memories set follows_question = null, terms = null, terms_version = 0',
  [],
)
await observer.script('vacuum (analyze)')

const next = random(0)
const ask = async (url: string): Promise<number> => {
  const client = createClient({ baseUrl: url, credential: key })
  const turn = turns[Math.floor(next() * turns.length)] as Turn
  const [ms, { count: found }] = await timed(() =>
    client.call(recall, { body: { query: questionAbout(turn, next) } }),
  )
  if (found === 0) throw new Error('recall found no memory')
  return ms
}

/** Repeats questions until `isOver` returns true. */
const askUntil = async (url: string, isOver: (vectors: number, done: boolean) => boolean) => {
  const times: number[] = []
  for (;;) {
    const { vectors, done } = await progressOf(observer)
    if (isOver(vectors, done)) return { times, vectors }
    times.push(await ask(url))
    await Bun.sleep(POLL_MS)
  }
}

/** Ends by a kill -9 halfway. */
const measureFirst = async () => {
  await using server = await startServer(database)
  const measured = await timed(() => askUntil(server.url, (vectors) => vectors >= args.size / 2))
  process.kill(server.pid, 'SIGKILL')
  return measured
}

const [firstMs, before] = await measureFirst()
const afterKill = await progressOf(observer)

await using server = await startServer(database)
const [secondMs, rest] = await timed(() => askUntil(server.url, (_, done) => done))
const after: number[] = []
for (let i = 0; i < args.questions; i++) after.push(await ask(server.url))
const finished = await progressOf(observer)
await observer.close()

const row = (name: string, ms: number | undefined, reached: Progress, times: number[]) => [
  name,
  ms === undefined ? '' : (ms / 1000).toFixed(1),
  reached.vectors.toLocaleString('en'),
  reached.analyzed.toLocaleString('en'),
  times.length,
  quantile(times, 0.5).toFixed(1),
  quantile(times, 0.95).toFixed(1),
]
printTable(
  ['', 'seconds', 'vectors', 'analyzed', 'recalls', 'p50', 'p95'],
  [
    row('until kill -9', firstMs, afterKill, before.times),
    row('after the restart', secondMs, finished, rest.times),
    row('when done', undefined, finished, after),
  ],
)
