import { BUILT_IN_MODEL } from '../server/memory/memories/vector-model.ts'
import type { Database } from '../server/platform/db/database.ts'
import { startEmbeddingServer } from '../tests/harness/embedding-server.ts'
import { count, oneOf, readArgs, text } from './lib/args.ts'
import { createDatabase, openBeside } from './lib/database.ts'
import { newAccount, startServer } from './lib/server.ts'
import { quantile } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { type Answer, ask, recallAt, write } from './quality/ask.ts'
import { readConversations } from './quality/data.ts'

const CUTOFFS = [5, 10, 25, 50]

const { values: args, positionals } = readArgs(
  `bench/quality.ts PATH…: the share of the evidence in data files of LoCoMo and BEAM that recall and plain BM25 find`,
  {
    database: oneOf('where to run', ['embedded', 'postgres'], 'embedded'),
    limit: count('the most conversations of each file', 100),
    embedding: text(
      'the embedding endpoint for recall: none, suite (that of the tests) or a URL',
      'none',
    ),
    model: text('the embedding model', 'suite'),
    misses: count('number of the worst questions to print', 0),
  },
)

/** Waits until every memory has a vector of the embedding endpoint. */
const untilEmbedded = async ({ query }: Database): Promise<void> => {
  for (;;) {
    const [row] = await query<{ missing: number }>(
      `select count(*)::int as missing from memories m where deleted_at is null and not exists (
        select from memory_vectors v where v.owner_id = m.owner_id and v.seq = m.seq and v.model <> $1)`,
      [BUILT_IN_MODEL.id],
    )
    if (row?.missing === 0) return
    await Bun.sleep(100)
  }
}

const row = (name: string, answers: Answer[]) => [
  name,
  answers.length,
  ...(['recall', 'plain'] as const).flatMap((method) =>
    CUTOFFS.map((k) => recallAt(k, answers, method).toFixed(1)),
  ),
]

const rowsBy = (answers: Answer[], keyOf: (answer: Answer) => string) =>
  [...Map.groupBy(answers, keyOf)].map(([key, group]) => row(key, group))

const printMisses = (answers: Answer[]) => {
  const found = (answer: Answer) =>
    CUTOFFS.reduce((sum, k) => sum + recallAt(k, [answer], 'recall'), 0)
  for (const answer of answers.toSorted((a, b) => found(a) - found(b)).slice(0, args.misses)) {
    const { question, ranks, conversation } = answer
    console.log(`${conversation}, ${question.category}: ${question.question}`)
    for (const [index, id] of question.evidence.entries())
      console.log(`  ${id}: rank ${ranks.recall[index]}, plain BM25 ${ranks.plain[index]}`)
  }
}

if (positionals.length === 0) {
  console.error('Usage: bench/quality.ts PATH…; see --help.')
  process.exit(2)
}

await using suite =
  args.embedding === 'suite' ? await startEmbeddingServer({ dimensions: 1536 }) : undefined
const isEmbedding = args.embedding !== 'none'
const settings = {
  SVC_EMBEDDING_URL: suite?.url ?? args.embedding,
  SVC_EMBEDDING_MODEL: args.model,
}

const measure = async (path: string): Promise<Answer[]> => {
  await using database = await createDatabase(args.database)
  const conversations = readConversations(path).slice(0, args.limit)
  await using server = await startServer(database, isEmbedding ? settings : {})
  const written = []
  for (const conversation of conversations) {
    const account = await newAccount(server)
    const ids = await write(account, conversation)
    written.push({ account, conversation, ids })
  }
  await using beside = await openBeside(database)
  if (isEmbedding) await untilEmbedded(beside.database)
  const answers: Answer[] = []
  for (const { account, conversation, ids } of written)
    answers.push(...(await ask(account, beside.database, conversation, ids)))
  return answers
}

for (const path of positionals) {
  const answers = await measure(path)
  printMisses(answers)
  console.log(path)
  printTable(
    ['', 'questions', ...CUTOFFS.map((k) => `R@${k}`), ...CUTOFFS.map((k) => `plain R@${k}`)],
    [
      row('all', answers),
      ...rowsBy(answers, ({ question }) => question.category).sort(),
      ...rowsBy(answers, ({ conversation }) => conversation),
    ],
  )
  const times = answers.map(({ ms }) => ms)
  console.log(
    `recall over HTTP, ${args.database}: p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms\n`,
  )
}
