import { NO_MATCHES } from '../server/memory/recall/candidate-set.ts'
import { parseDateMentions } from '../server/memory/recall/dates.ts'
import { createIndexSearch, type SearchIndex } from '../server/memory/recall/index-search.ts'
import { createOwnerIndexes } from '../server/memory/recall/owner-indexes.ts'
import type { RecallQuestion } from '../server/memory/recall/question.ts'
import { rankFound } from '../server/memory/recall/recall.ts'
import { findCandidates } from '../server/memory/recall/store.ts'
import { extractExactForms } from '../server/memory/text/exact-forms.ts'
import type { Database } from '../server/platform/db/database.ts'
import { NIL_UUID } from '../shared/contract/common.ts'
import { recall } from '../shared/contract/index.ts'
import { count, counts, oneOf, readArgs } from './lib/args.ts'
import { type BenchDatabase, createDatabase, kindsOf, openBeside } from './lib/database.ts'
import { untilNoTasks } from './lib/pending.ts'
import { type Account, accountOn, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'

/** Uncounted requests that open connections and plan statements. */
const WARM_UP = 20

/** Plain BM25 over the same postings with the same constants. */
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
  'bench/recall.ts: the bare posting query, recall from PostgreSQL, from memory and over HTTP, interleaved (ms)',
  {
    sizes: counts('numbers of memories of each owner', [1_000, 10_000, 100_000]),
    owners: count('number of owners', 5),
    questions: count('number of questions', 200),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
    explain: oneOf('whether to print the plan of the statement', ['yes', 'no'], 'no'),
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

/** Writes the memories of all owners, waits until the engines have processed them, and vacuums. */
const populate = async (database: BenchDatabase, size: number): Promise<Owner[]> => {
  const owners: Owner[] = []
  {
    await using server = await startServer(database)
    for (let seed = 1; seed <= args.owners; seed++)
      owners.push({ account: await newAccount(server), turns: conversations(size, seed) })
    await Promise.all(owners.map(({ account, turns }) => writeTurns(account, turns)))
    await using beside = await openBeside(database)
    await untilNoTasks(beside.database)
  }
  await within(database, async (opened) => {
    await opened.script('vacuum (analyze)')
  })
  return owners
}

const askBare = (bare: Database, { userId }: Account, question: string) =>
  timed(() => bare.query(BARE, [userId, question]))

const askServer = ({ client }: Account, question: string) =>
  timed(() => client.call(recall, { body: { query: question } }))

const questionOf = (text: string): RecallQuestion => ({
  userId: NIL_UUID,
  text,
  exactForms: extractExactForms(text),
  languages: [],
  dates: parseDateMentions(text, new Date()),
  timezone: 'UTC',
  askedAuthors: [],
  asksForSummary: false,
  isExact: false,
  wordCount: 10,
  facts: { subjects: [], keys: [] },
  limit: 10,
})

type RecallWithoutServer = (
  database: Database,
  ownerId: string,
  question: RecallQuestion,
) => Promise<unknown>

/** A question in PostgreSQL or in memory alone is asked without the time that its vector takes. */
const requestOf = (ownerId: string, question: RecallQuestion) => ({
  ownerId,
  question,
  filter: {},
  vector: Promise.resolve(undefined),
})

/** The statement and the ranking. */
const recallFromDatabase: RecallWithoutServer = async (database, ownerId, question) => {
  const request = requestOf(ownerId, question)
  const set = await findCandidates(database, request, [])
  return rankFound(database, request, { set, vectors: NO_MATCHES })
}

const MAX_INDEX_BYTES = 1024 ** 3
const searches = new WeakMap<Database, SearchIndex>()

/** The index in memory, and the ranking. */
const recallFromMemory: RecallWithoutServer = async (database, ownerId, question) => {
  const search =
    searches.get(database) ??
    createIndexSearch(
      database.query,
      createOwnerIndexes(database.query, () => undefined, { maxBytes: MAX_INDEX_BYTES }),
    )
  searches.set(database, search)
  const request = requestOf(ownerId, question)
  const found = await search(request)
  return found
    ? rankFound(database, request, found)
    : recallFromDatabase(database, ownerId, question)
}

const askWithoutServer = (
  implementation: RecallWithoutServer,
  bare: Database,
  { userId }: Account,
  text: string,
) => timed(() => implementation(bare, userId, questionOf(text)))

/** The query plan of the recall statement. */
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
  const request = { ownerId: userId, question: questionOf(text), filter: {} }
  await findCandidates(explaining, request, [])
  return lines.join('\n')
}

/** Measures each question in all ways, in a rotating order, because the first reads cold pages. */
const ask = async (bare: Database, server: BenchServer, owners: Owner[]) => {
  const next = random(0)
  const times: Record<'bare' | 'database' | 'memory' | 'http', number[]> = {
    bare: [],
    database: [],
    memory: [],
    http: [],
  }
  for (let i = -WARM_UP; i < args.questions; i++) {
    const owner = owners[Math.floor(next() * owners.length)] as Owner
    const turn = owner.turns[Math.floor(next() * owner.turns.length)] as Turn
    const question = questionAbout(turn, next)
    const account = accountOn(server, owner.account)
    const ways = [
      async () => ['bare', (await askBare(bare, account, question))[0]] as const,
      async () =>
        [
          'database',
          (await askWithoutServer(recallFromDatabase, bare, account, question))[0],
        ] as const,
      async () =>
        ['memory', (await askWithoutServer(recallFromMemory, bare, account, question))[0]] as const,
      async () => {
        const [ms, { count: found }] = await askServer(account, question)
        if (found === 0) throw new Error(`recall found no memory for: ${question}`)
        return ['http', ms] as const
      },
    ]
    for (const offset of ways.keys()) {
      const [way, ms] = await (
        ways[(i + WARM_UP + offset) % ways.length] as (typeof ways)[number]
      )()
      if (i >= 0) times[way].push(ms)
    }
  }
  return times
}

const measure = async (kind: BenchDatabase['kind'], size: number) => {
  await using database = await createDatabase(kind)
  const [writeMs, owners] = await timed(() => populate(database, size))
  await using server = await startServer(database)
  await using beside = await openBeside(database)
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
    ...[times.database, times.memory, times.http].flatMap((ms) => [
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
    'database p50',
    'p95',
    '/ bare',
    'memory p50',
    'p95',
    '/ bare',
    'HTTP p50',
    'p95',
    '/ bare',
  ],
  rows,
)
