import type { Database } from '../server/platform/db/database.ts'
import { RELEVANCE_CUT, type RelevanceCut } from '../server/prompt/context/selection.ts'
import { context, recall } from '../shared/contract/index.ts'
import { measureHook, measureProxy } from './context/programs.ts'
import { type AskedPrompt, askAll, qualityOf } from './context/quality.ts'
import { count, counts, oneOf, readArgs } from './lib/args.ts'
import { createDatabase, openBeside } from './lib/database.ts'
import { untilNoTasks } from './lib/pending.ts'
import { newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'
import { type Conversation, readConversations } from './quality/data.ts'

const BUDGETS = [600, 1_000, 2_000]
const WARM_UP = 20

const { values: args, positionals } = readArgs(
  'bench/context.ts [PATH…]: what prompts are given from data files of LoCoMo and BEAM, and the time of /api/context, svc hook and the model endpoint',
  {
    sizes: counts('numbers of memories for the time of /api/context; 0: none', [1_000, 100_000]),
    questions: count('number of questions for it', 200),
    runs: count('number of runs of svc hook and of streams; 0: none', 40),
    sweep: oneOf('whether to print the tables for other cuts, too', ['yes', 'no'], 'no'),
    half: oneOf(
      'the conversations: those to choose the cut on, or those to report',
      ['choose', 'report', 'all'],
      'all',
    ),
    facts: oneOf(
      'whether to wait until the engines have read the memories, such as for facts',
      ['yes', 'no'],
      'yes',
    ),
    database: oneOf('where to run', ['embedded', 'postgres'], 'embedded'),
  },
)

/** Every second conversation is to choose the cut on. */
const isInHalf = (_: unknown, index: number): boolean =>
  args.half === 'all' || (index % 2 === 0) === (args.half === 'choose')

/** Without facts, the links and duplicates are not searched for either: they take hours for 100,000 memories. */
const untilEnginesRead = async (database: Database): Promise<void> => {
  if (args.facts === 'no') await database.query('delete from memory_tasks', [])
  await untilNoTasks(database)
}

const askConversations = async (selected: Conversation[]): Promise<AskedPrompt[]> => {
  await using database = await createDatabase(args.database)
  await using server = await startServer(database)
  await using beside = await openBeside(database)
  const untilRead = () => untilEnginesRead(beside.database)
  const asked: AskedPrompt[] = []
  for (const conversation of selected)
    asked.push(
      ...(await askAll(await newAccount(server), beside.database, conversation, untilRead)),
    )
  return asked
}

const printQuality = (name: string, asked: AskedPrompt[], cut: RelevanceCut) => {
  console.log(`${name}, relevance ${cut.minRelevance}, score ${cut.minScoreShare}`)
  const rows = [...Map.groupBy(asked, ({ kind }) => kind)].flatMap(([kind, prompts]) =>
    BUDGETS.map((budget) => {
      const { given, evidence, kept, tokens } = qualityOf(prompts, cut, budget)
      const found = kind === 'no need' ? ['', ''] : [evidence.toFixed(1), kept.toFixed(1)]
      return [kind, prompts.length, budget, given.toFixed(1), ...found, tokens.toFixed(0)]
    }),
  )
  printTable(
    ['prompts', 'number', 'budget', 'given %', 'evidence %', 'words kept %', 'mean tokens'],
    rows,
  )
}

const cuts: RelevanceCut[] =
  args.sweep === 'no'
    ? [RELEVANCE_CUT]
    : [0, 0.6, 0.65, 0.7, 0.75, 0.8, 0.9].flatMap((minRelevance) =>
        [0.2, 0.3, 0.4].map((minScoreShare) => ({ minRelevance, minScoreShare })),
      )

for (const path of positionals) {
  const asked = await askConversations(readConversations(path).filter(isInHalf))
  for (const cut of cuts) printQuality(path, asked, cut)
}

/** The time of the two endpoints for the same questions, in turns. */
const measureEndpoints = async (size: number) => {
  await using database = await createDatabase(args.database)
  await using server = await startServer(database)
  await using beside = await openBeside(database)
  const account = await newAccount(server)
  const turns = conversations(size, 1)
  await writeTurns(account, turns)
  await untilEnginesRead(beside.database)
  const next = random(0)
  const times = { recall: [] as number[], context: [] as number[] }
  for (let i = -WARM_UP; i < args.questions; i++) {
    const query = questionAbout(turns[Math.floor(next() * turns.length)] as Turn, next)
    const [recallMs] = await timed(() => account.client.call(recall, { body: { query } }))
    const [contextMs] = await timed(() => account.client.call(context, { body: { query } }))
    if (i < 0) continue
    times.recall.push(recallMs)
    times.context.push(contextMs)
  }
  const cells = [times.recall, times.context].flatMap((ms) => [
    median(ms).toFixed(1),
    quantile(ms, 0.95).toFixed(1),
  ])
  const ratio = (median(times.context) / median(times.recall)).toFixed(2)
  return [size.toLocaleString('en'), ...cells, `${ratio}x`]
}

const sizes = args.sizes.filter((size) => size > 0)
if (sizes.length) {
  const rows: string[][] = []
  for (const size of sizes) rows.push(await measureEndpoints(size))
  printTable(
    ['memories', '/api/recall p50 ms', 'p95', '/api/context p50 ms', 'p95', '/ recall'],
    rows,
  )
}
if (args.runs > 0) {
  await measureHook(args.database, args.runs)
  await measureProxy(args.database, args.runs)
}
