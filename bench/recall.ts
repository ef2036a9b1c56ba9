import { parseDateMentions } from '../server/memory/recall/dates.ts'
import { createIndexSearch, type SearchIndex } from '../server/memory/recall/index-search.ts'
import { createOwnerIndexes } from '../server/memory/recall/owner-indexes.ts'
import type { RecallQuestion } from '../server/memory/recall/question.ts'
import { rankFound } from '../server/memory/recall/recall.ts'
import { extractExactForms } from '../server/memory/text/exact-forms.ts'
import type { Database } from '../server/platform/db/database.ts'
import { NIL_UUID } from '../shared/contract/common.ts'
import { recall } from '../shared/contract/index.ts'
import { count, counts, oneOf, readArgs } from './lib/args.ts'
import { type BenchDatabase, createDatabase, kindsOf, openBeside } from './lib/database.ts'
import { untilNoTasks } from './lib/pending.ts'
import { findPlain, indexPlain } from './lib/plain-bm25.ts'
import { type Account, accountOn, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'

/** Uncounted requests that open connections and plan statements. */
const WARM_UP = 20

const { values: args } = readArgs(
  'bench/recall.ts: plain BM25 in PostgreSQL, recall of a cold owner, from the index and over HTTP, interleaved (ms)',
  {
    sizes: counts('numbers of memories of each owner', [1_000, 10_000, 100_000]),
    owners: count('number of owners', 5),
    questions: count('number of questions', 200),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
    colds: count('how often an index is loaded', 5),
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
    await indexPlain(beside.database)
  }
  await within(database, async (opened) => {
    await opened.script('vacuum (analyze)')
  })
  return owners
}

const askBare = (bare: Database, { userId }: Account, question: string) =>
  timed(() => findPlain(bare, userId, question, 10))

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
  isExact: false,
  wordCount: 10,
  facts: { subjects: [], keys: [] },
  limit: 10,
})

const MAX_INDEX_BYTES = 1024 ** 3

const searchOf = (database: Database): SearchIndex =>
  createIndexSearch(
    database.query,
    createOwnerIndexes(database, () => undefined, { maxBytes: MAX_INDEX_BYTES }),
  )

/** A question without the time that its vector takes. */
const recallWith = async (
  database: Database,
  search: SearchIndex,
  ownerId: string,
  text: string,
) => {
  const vector = Promise.resolve(undefined)
  const request = { ownerId, question: questionOf(text), filter: {}, vector }
  return rankFound(database, request, await search(request))
}

type Way = 'bare' | 'cold' | 'index' | 'http'

/** Measures each question in all ways, in a rotating order, because the first reads cold pages. */
const ask = async (bare: Database, server: BenchServer, owners: Owner[]) => {
  const next = random(0)
  const times: Record<Way, number[]> = { bare: [], cold: [], index: [], http: [] }
  const search = searchOf(bare)
  for (let i = -WARM_UP; i < args.questions; i++) {
    const owner = owners[Math.floor(next() * owners.length)] as Owner
    const turn = owner.turns[Math.floor(next() * owner.turns.length)] as Turn
    const question = questionAbout(turn, next)
    const account = accountOn(server, owner.account)
    const ways: (() => Promise<[Way, number]>)[] = [
      async () => ['bare', (await askBare(bare, account, question))[0]],
      async () => [
        'index',
        (await timed(() => recallWith(bare, search, account.userId, question)))[0],
      ],
      async () => {
        const [ms, { count: found }] = await askServer(account, question)
        if (found === 0) throw new Error(`recall found no memory for: ${question}`)
        return ['http', ms]
      },
    ]
    if (i >= 0 && i < args.colds)
      ways.push(async () => [
        'cold',
        (await timed(() => recallWith(bare, searchOf(bare), account.userId, question)))[0],
      ])
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
  console.error(`${kind}, ${size}: written in ${(writeMs / 1000).toFixed(0)} s`)
  const bare = median(times.bare)
  const p = (ms: number[], share: number) => quantile(ms, share).toFixed(2)
  return [
    kind,
    size.toLocaleString('en'),
    p(times.bare, 0.5),
    ...[times.cold, times.index, times.http].flatMap((ms) => [
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
    'cold p50',
    'p95',
    '/ bare',
    'index p50',
    'p95',
    '/ bare',
    'HTTP p50',
    'p95',
    '/ bare',
  ],
  rows,
)
