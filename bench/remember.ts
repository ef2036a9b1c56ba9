import { createRedaction } from '../server/memory/memories/redaction.ts'
import { createMemoryService, type MemoryService } from '../server/memory/memories/service.ts'
import type { EngineQueue } from '../server/memory/memories/storing.ts'
import type { Database } from '../server/platform/db/database.ts'
import { remember } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { createDatabase, type DatabaseKind, kindsOf, openBeside } from './lib/database.ts'
import { untilNoTasks } from './lib/pending.ts'
import { type Account, newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, type Turn } from './lib/text.ts'
import { memoryOf, writeTurns } from './lib/write.ts'

const BATCH = 1000
/** Uncounted requests that open connections and plan statements. */
const WARM_UP = 20

const { values: args } = readArgs(
  'bench/remember.ts: one memory by the service and over HTTP, compared with a bare committed insert (ms); then batches of 1,000 by one and by several senders',
  {
    writes: count('number of single writes', 500),
    batches: count('number of batches, for each number of senders', 20),
    senders: count('number of senders of batches at the same time', 2),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)

/** Creates a table for the bare inserts and a user for the service. */
const prepare = async (database: Database): Promise<string> => {
  const userId = Bun.randomUUIDv7()
  await database.query('create table bench_rows (id uuid primary key, content text not null)', [])
  await database.query(
    `insert into users (id, email, username, display_name, tier)
    values ($1, 'bench@example.com', 'bench', 'bench', 'amnesiac')`,
    [userId],
  )
  return userId
}

const insertBare = (database: Database, { content }: Turn) =>
  timed(() =>
    database.query('insert into bench_rows (id, content) values ($1, $2)', [
      Bun.randomUUIDv7(),
      content,
    ]),
  )

/** The engines of a server. Their work is queued with the memory and runs later. */
const engines: EngineQueue = {
  names: ['extraction', 'consolidation', 'graph'],
  importNames: [],
  schedule: () => {},
}

const rememberOne = (service: MemoryService, userId: string, turn: Turn) =>
  timed(() =>
    service.remember({ userId, ownerId: userId, keyId: null, sessionId: null }, memoryOf(turn)),
  )

const rememberOverHttp = ({ client }: Account, turn: Turn) =>
  timed(() => client.call(remember, { body: memoryOf(turn) }))

type Way = 'bare' | 'service' | 'http'

/** Measures the ways interleaved, so that other load on the machine affects all equally. */
const singles = async (database: Database, account: Account, turns: Turn[]) => {
  const userId = await prepare(database)
  const service = createMemoryService(database, {
    engines,
    redaction: createRedaction(() => 'off'),
    record: () => {},
  })
  const times: Record<Way, number[]> = { bare: [], service: [], http: [] }
  for (let i = 0; i + 1 < turns.length; i += 2) {
    const [one, other] = turns.slice(i, i + 2) as [Turn, Turn]
    const [bareMs] = await insertBare(database, one)
    const [serviceMs] = await rememberOne(service, userId, one)
    const [httpMs] = await rememberOverHttp(account, other)
    if (i < 2 * WARM_UP) continue
    times.bare.push(bareMs)
    times.service.push(serviceMs)
    times.http.push(httpMs)
  }
  return times
}

/** Sends batches after the engines have processed what was stored before. @returns memories per second. */
const batches = async (account: Account, opened: Database, senders: number): Promise<string> => {
  await untilNoTasks(opened)
  const turns = conversations(args.batches * BATCH, 1 + senders)
  const share = BATCH * Math.ceil(args.batches / senders)
  const parts = Array.from({ length: senders }, (_, i) => turns.slice(i * share, (i + 1) * share))
  const [ms] = await timed(() => Promise.all(parts.map((part) => writeTurns(account, part))))
  return Math.round((turns.length / ms) * 1000).toLocaleString('en')
}

/** The bare insert and the service use a second database, over one connection. */
const measure = async (kind: DatabaseKind) => {
  await using served = await createDatabase(kind)
  await using beside = await createDatabase(kind)
  await using server = await startServer(served)
  await using opened = await openBeside(served)
  const database = await beside.open()
  try {
    const account = await newAccount(server)
    const turns = conversations(2 * (args.writes + WARM_UP), 1)
    const { bare, service, http } = await singles(database, account, turns)
    const ratio = (ms: number[]) => (median(ms) / median(bare)).toFixed(2)
    return [
      kind,
      median(bare).toFixed(2),
      ...[service, http].flatMap((ms) => [
        median(ms).toFixed(2),
        quantile(ms, 0.95).toFixed(2),
        ratio(ms),
      ]),
      await batches(account, opened.database, 1),
      await batches(account, opened.database, args.senders),
    ]
  } finally {
    await database.close()
  }
}

const rows: string[][] = []
for (const kind of kindsOf(args.database)) rows.push(await measure(kind))
printTable(
  [
    'database',
    'bare p50',
    ...['service', 'HTTP'].flatMap((way) => [`${way} p50`, 'p95', '/ bare']),
    'batch rows/s',
    `by ${args.senders} senders`,
  ],
  rows,
)
