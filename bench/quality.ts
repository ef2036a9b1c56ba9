import { basename } from 'node:path'
import { startEmbeddingServer } from '../tests/harness/embedding-server.ts'
import { count, oneOf, readArgs, text } from './lib/args.ts'
import { createDatabase, openBeside } from './lib/database.ts'
import { untilNoTasks } from './lib/pending.ts'
import { indexPlain } from './lib/plain-bm25.ts'
import { newAccount, startServer } from './lib/server.ts'
import { quantile } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { type Answer, answerTimes, ask, METHODS, recallAt, write } from './quality/ask.ts'
import { hashOf, OWN_SETS, readConversations } from './quality/data.ts'
import {
  CUTOFFS,
  cellsOf,
  firstResultsOf,
  givenOf,
  HEADINGS,
  type Scores,
  scoresOf,
} from './quality/scores.ts'

const { values: args, positionals } = readArgs(
  `bench/quality.ts [PATH…]: the share of the evidence in data files of LoCoMo, BEAM, LongMemEval, notes and code that recall and plain BM25 find; without a path, in the sets of this repository`,
  {
    database: oneOf('where to run', ['embedded', 'postgres'], 'embedded'),
    limit: count('the most conversations of each file', 100),
    embedding: text(
      'the embedding endpoint for recall instead of the built-in encoder: none, suite (that of the tests) or a URL',
      'none',
    ),
    model: text('the embedding model', 'suite'),
    json: text('a file for all figures', ''),
    answers: oneOf('whether to ask the questions for a time without a model', ['yes', 'no'], 'no'),
    misses: count('number of the worst questions to print', 0),
  },
)

const printMisses = (answers: Answer[]) => {
  const found = (answer: Answer) =>
    CUTOFFS.reduce((sum, k) => sum + recallAt(k, [answer], 'recall'), 0)
  for (const answer of answers.toSorted((a, b) => found(a) - found(b)).slice(0, args.misses)) {
    const { question, ranks, conversation } = answer
    console.log(`${conversation}, ${question.category}: ${question.question}`)
    for (const [index, id] of question.evidence.entries())
      console.log(
        `  ${id}: rank ${ranks.recall.turns[index]}, plain BM25 ${ranks.plain.turns[index]}`,
      )
  }
}

await using suite =
  args.embedding === 'suite' ? await startEmbeddingServer({ dimensions: 1536 }) : undefined
const isEmbedding = args.embedding !== 'none'
const settings = {
  SVC_EMBEDDING_URL: suite?.url ?? args.embedding,
  SVC_EMBEDDING_MODEL: args.model,
}

interface Measured {
  answers: Answer[]
  memories: number
  /** Of each question for a time, whether the answer without a model holds the true one. */
  times: boolean[]
}

const measure = async (path: string): Promise<Measured> => {
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
  // The vectors are there.
  await untilNoTasks(beside.database)
  await indexPlain(beside.database)
  const answers: Answer[] = []
  for (const { account, conversation, ids } of written)
    answers.push(...(await ask(account, beside.database, conversation, ids)))
  const times: boolean[] = []
  if (args.answers === 'yes')
    for (const { account, conversation } of written)
      times.push(...(await answerTimes(account, conversation)))
  const memories = conversations.reduce(
    (sum, conversation) => sum + conversation.memories.length,
    0,
  )
  return { answers, memories, times }
}

/** The scores of all questions by method, then those of each category and conversation. */
const scoreGroups = (name: string, answers: Answer[]): Scores[] => {
  const groups = [
    ...[...Map.groupBy(answers, ({ question }) => question.category)].sort(([a], [b]) =>
      a < b ? -1 : 1,
    ),
    ...Map.groupBy(answers, ({ conversation }) => conversation),
  ]
  const shown = groups.length > MAX_GROUPS ? [] : groups
  return [
    ...METHODS.map((method) => scoresOf(name, answers, method)),
    ...shown.flatMap(([key, group]) =>
      (['recall', 'plain'] as const).map((method) => scoresOf(`  ${key}`, group, method)),
    ),
  ]
}
/** Each question of LongMemEval is a conversation of its own. */
const MAX_GROUPS = 60

const scores: Scores[] = []
const files = []
for (const path of positionals.length ? positionals : OWN_SETS) {
  const { answers: asked, memories, times } = await measure(path)
  const firstResults = firstResultsOf(asked)
  const given = givenOf(asked)
  const answers = asked.filter(({ question }) => question.evidence.length > 0)
  printMisses(answers)
  const name = basename(path, '.json')
  const groups = scoreGroups(name, answers)
  scores.push(...groups)
  const ms = answers.map((answer) => answer.ms)
  const sha256 = hashOf(path)
  const [p50, p95] = [quantile(ms, 0.5), quantile(ms, 0.95)]
  const timesHeld = times.filter(Boolean).length
  files.push({
    name,
    sha256,
    memories,
    p50,
    p95,
    times: times.length,
    timesHeld,
    firstResults,
    given,
    scores: groups,
  })
  console.log(
    `${name}: ${memories} memories, sha256 ${sha256}, recall p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`,
  )
  const percent = (share: number | undefined): string =>
    share === undefined ? '-' : `${(100 * share).toFixed(1)} %`
  console.log(
    `${name}: the later of two statements stands first for ${percent(firstResults.newest)}; one memory stands first without answering for at most ${percent(firstResults.wrong)} of the questions of a store`,
  )
  for (const { name: store, answered, unanswered } of given)
    console.log(
      `${store}: memories are given to ${answered.toFixed(1)} % of the questions with an answer, and to ${unanswered.toFixed(1)} % of those without`,
    )
  if (times.length)
    console.log(
      `${name}: ${timesHeld} of ${times.length} answers to questions for a time hold the true one`,
    )
}
printTable(HEADINGS, scores.map(cellsOf))
if (args.json) await Bun.write(args.json, `${JSON.stringify({ options: args, files }, null, 2)}\n`)
