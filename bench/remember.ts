import type { Database } from '../server/platform/db/database.ts'
import { remember } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { createDatabase, type DatabaseKind, kindsOf } from './lib/database.ts'
import { type Account, newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, type Turn } from './lib/text.ts'
import { memoryOf, writeTurns } from './lib/write.ts'

const BATCH = 1000
/** Not counted: connections are opened and statements planned. */
const WARM_UP = 20

const { values: args } = readArgs(
  'bench/remember.ts: one memory beside a bare insert with its commit, then batches of 1,000',
  {
    writes: count('how many single writes', 500),
    batches: count('how many batches', 20),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)

const createScratch = (database: Database) =>
  database.query('create table bench_rows (id uuid primary key, content text not null)', [])

const insertBare = (database: Database, { content }: Turn) =>
  timed(() =>
    database.query('insert into bench_rows (id, content) values ($1, $2)', [
      Bun.randomUUIDv7(),
      content,
    ]),
  )

const rememberOne = ({ client }: Account, turn: Turn) =>
  timed(() => client.call(remember, { body: memoryOf(turn) }))

const singles = async (bare: Database, account: Account, turns: Turn[]) => {
  const bareMs: number[] = []
  const serverMs: number[] = []
  for (const [i, turn] of turns.entries()) {
    const [alone] = await insertBare(bare, turn)
    const [ms] = await rememberOne(account, turn)
    if (i < WARM_UP) continue
    bareMs.push(alone)
    serverMs.push(ms)
  }
  return { bareMs, serverMs }
}

/** @returns memories a second. */
const batches = async (account: Account): Promise<number> => {
  const turns = conversations(args.batches * BATCH, 2)
  const [ms] = await timed(() => writeTurns(account, turns))
  return (turns.length / ms) * 1000
}

/** The bare insert goes to the same PostgreSQL, or to a second embedded database. */
const measure = async (kind: DatabaseKind) => {
  await using database = await createDatabase(kind)
  await using aside = await createDatabase(kind)
  await using server = await startServer(database)
  const bare = await aside.open()
  try {
    await createScratch(bare)
    const account = await newAccount(server)
    const turns = conversations(args.writes + WARM_UP, 1)
    const { bareMs, serverMs } = await singles(bare, account, turns)
    return [
      kind,
      ...[bareMs, serverMs].flatMap((ms) => [
        quantile(ms, 0.5).toFixed(2),
        quantile(ms, 0.95).toFixed(2),
      ]),
      (median(serverMs) / median(bareMs)).toFixed(2),
      Math.round(await batches(account)).toLocaleString('en'),
    ]
  } finally {
    await bare.close()
  }
}

const rows: string[][] = []
for (const kind of kindsOf(args.database)) rows.push(await measure(kind))
printTable(
  ['database', 'bare p50', 'p95 ms', 'remember p50', 'p95 ms', 'ratio of p50', 'batch rows/s'],
  rows,
)
