import { datesIn } from '../server/memory/recall/dates.ts'
import { type Question, recallMemories } from '../server/memory/recall/store.ts'
import type { Database } from '../server/platform/db/database.ts'
import { recall } from '../shared/contract/index.ts'
import { count, counts, oneOf, readArgs } from './lib/args.ts'
import { type BenchDatabase, createDatabase, kindsOf, openBeside } from './lib/database.ts'
import { type Account, accountOn, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'

/** Not counted: connections are opened and statements planned. */
const WARM_UP = 20

/** BM25 and nothing else, over the same postings and with the same constants. */
const BARE = `
with terms as materialized (
  select q.lexeme as term, s.word_count::float8 / s.memory_count as mean_length,
    ln(1 + (s.memory_count - d.df + 0.5::float8) / (d.df + 0.5::float8)) as idf
  from memory_stats s, unnest(to_tsvector('english', $2)) q cross join lateral (
    select count(*) as df from memory_postings where owner_id = $1 and term = q.lexeme
  ) d
  where s.owner_id = $1
)
select p.seq, sum(t.idf * p.frequency * 2.2::float8
  / (p.frequency + 1.2::float8 * (0.25::float8 + 0.75::float8 * p.length / t.mean_length))) as score
from terms t join memory_postings p on p.owner_id = $1 and p.term = t.term
group by p.seq order by score desc limit 10`

const { values: args } = readArgs(
  'bench/recall.ts: the bare posting query, recall’s statement and recall over HTTP, in turn (ms)',
  {
    sizes: counts('memories of each owner', [1_000, 10_000, 100_000]),
    owners: count('how many owners', 5),
    questions: count('how many questions', 200),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
    explain: oneOf('print how a question is answered, too', ['yes', 'no'], 'no'),
  },
)

interface Owner {
  account: Account
  turns: Turn[]
}

const within = async (database: BenchDatabase, work: (opened: Database) => Promise<void>) => {
  const opened = await database.open()
  await work(opened).finally(() => opened.close())
}

/**
 * Writes every owner's memories, and lets the database take note of them. What the engines would do
 * with them is left out: it is not to run beside the questions.
 */
const populate = async (database: BenchDatabase, size: number): Promise<Owner[]> => {
  const owners: Owner[] = []
  await within(database, async (opened) => {
    for (const engine of ['extraction', 'consolidation', 'graph'])
      await opened.query(
        `insert into engine_states (engine, is_enabled, reason, changed_by)
        values ($1, false, 'Only recall is measured.', $2)`,
        [engine, Bun.randomUUIDv7()],
      )
  })
  {
    await using server = await startServer(database)
    for (let seed = 1; seed <= args.owners; seed++)
      owners.push({ account: await newAccount(server), turns: conversations(size, seed) })
    await Promise.all(owners.map(({ account, turns }) => writeTurns(account, turns)))
  }
  await within(database, async (opened) => {
    await opened.query('delete from memory_tasks', [])
    await opened.vacuum()
  })
  return owners
}

const askBare = (bare: Database, { userId }: Account, question: string) =>
  timed(() => bare.query(BARE, [userId, question]))

const askServer = ({ client }: Account, question: string) =>
  timed(() => client.call(recall, { body: { query: question } }))

const questionOf = (text: string): Question => ({
  text,
  languages: [],
  dates: datesIn(text, new Date()),
  limit: 10,
})

const askStatement = (bare: Database, { userId }: Account, text: string) =>
  timed(() => recallMemories(bare, userId, questionOf(text), {}))

/** Which indexes and tables recall's statement reads, as PostgreSQL tells it. */
const explain = async (database: Database, { userId }: Account, text: string): Promise<string> => {
  let lines: string[] = []
  const explaining: Database = {
    ...database,
    query: async (statement, params) => {
      const rows = await database.query<{ 'QUERY PLAN': string }>(
        `explain (analyze, costs off, timing off, summary off, buffers off) ${statement}`,
        params,
      )
      lines = rows.map((row) => row['QUERY PLAN'])
      return []
    },
  }
  await recallMemories(explaining, userId, questionOf(text), {})
  return lines.join('\n')
}

/** The bare query, recall's one statement, and recall over HTTP; in an order that turns, because the first finds the pages cold. */
const ask = async (bare: Database, server: BenchServer, owners: Owner[]) => {
  const next = random(0)
  const times: Record<'bare' | 'statement' | 'http', number[]> = {
    bare: [],
    statement: [],
    http: [],
  }
  for (let i = -WARM_UP; i < args.questions; i++) {
    const owner = owners[Math.floor(next() * owners.length)] as Owner
    const turn = owner.turns[Math.floor(next() * owner.turns.length)] as Turn
    const question = questionAbout(turn, next)
    const account = accountOn(server, owner.account)
    const turns = [
      async () => ['bare', (await askBare(bare, account, question))[0]] as const,
      async () => ['statement', (await askStatement(bare, account, question))[0]] as const,
      async () => {
        const [ms, { count: found }] = await askServer(account, question)
        if (found === 0) throw new Error(`nothing was found for: ${question}`)
        return ['http', ms] as const
      },
    ]
    for (const offset of [0, 1, 2]) {
      const [what, ms] = await (turns[(i + WARM_UP + offset) % 3] as (typeof turns)[number])()
      if (i >= 0) times[what].push(ms)
    }
  }
  return times
}

const measure = async (kind: BenchDatabase['kind'], size: number) => {
  await using database = await createDatabase(kind)
  const [writeMs, owners] = await timed(() => populate(database, size))
  await using beside = await openBeside(database)
  await using server = await startServer(database)
  const times = await ask(beside.database, server, owners)
  if (args.explain === 'yes') {
    const [owner] = owners as [Owner]
    const question = questionAbout(owner.turns[size >> 1] as Turn, random(1))
    console.log(`${question}\n\n${await explain(beside.database, owner.account, question)}\n`)
  }
  console.error(`${kind}, ${size}: written in ${(writeMs / 1000).toFixed(0)} s`)
  const bare = median(times.bare)
  const p = (ms: number[], share: number) => quantile(ms, share).toFixed(2)
  return [
    kind,
    size.toLocaleString('en'),
    p(times.bare, 0.5),
    ...[times.statement, times.http].flatMap((ms) => [
      p(ms, 0.5),
      p(ms, 0.95),
      (median(ms) / bare).toFixed(2),
    ]),
  ]
}

const rows: string[][] = []
for (const kind of kindsOf(args.database))
  for (const size of args.sizes) rows.push(await measure(kind, size))
printTable(
  [
    'database',
    'memories',
    'bare p50',
    'statement p50',
    'p95',
    '/ bare',
    'HTTP p50',
    'p95',
    '/ bare',
  ],
  rows,
)
