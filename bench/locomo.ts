import { readFileSync } from 'node:fs'
import { recall, rememberBatch } from '../shared/contract/index.ts'
import { startEmbeddingServer } from '../tests/harness/embedding-server.ts'
import { count, oneOf, readArgs, text } from './lib/args.ts'
import { createDatabase } from './lib/database.ts'
import { type Account, newAccount, startServer } from './lib/server.ts'
import { mean, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

/** The data file of LoCoMo (Maharana et al., 2024). */
interface Sample {
  sample_id: string
  conversation: Record<string, string | Turn[]>
  qa: { question: string; evidence: string[]; category: number }[]
}

interface Turn {
  speaker: string
  dia_id: string
  text: string
  blip_caption?: string
}

interface Session {
  number: number
  date: string
  turns: Turn[]
}

interface Asked {
  sample: Sample
  question: string
  category: number
  /** For each turn that holds the answer, its place among the recalled from 1, or infinity. */
  ranks: Map<string, number>
  recalled: string[]
  ms: number
}

const CATEGORIES = new Map([
  [1, 'multi-hop'],
  [2, 'temporal'],
  [3, 'open-domain'],
  [4, 'single-hop'],
  [5, 'adversarial'],
])
const CUTOFFS = [5, 10, 25, 50]

const { values: args, positionals } = readArgs(
  `bench/locomo.ts PATH: the share of evidence turns that recall finds, on a LoCoMo data file`,
  {
    database: oneOf('where to run', ['embedded', 'postgres'], 'embedded'),
    limit: count('how many conversations at most', 100),
    embedding: text(
      'recall by an embedding model too: none, suite, or the URL of an endpoint',
      'none',
    ),
    model: text('the model there', 'suite'),
    misses: count('how many of the worst questions to print; none if left out', 0),
  },
)

const sessionsOf = ({ conversation }: Sample): Session[] =>
  Object.entries(conversation)
    .flatMap(([key, turns]) => {
      const number = /^session_(\d+)$/.exec(key)?.[1]
      return number && Array.isArray(turns)
        ? [{ number: Number(number), date: String(conversation[`${key}_date_time`]), turns }]
        : []
    })
    .sort((a, b) => a.number - b.number)

/** Reads "1:56 pm on 8 May, 2023" as UTC. */
const instantOf = (text: string): string => {
  const [time, day] = text.split(' on ')
  return new Date(`${day} ${time} UTC`).toISOString()
}

const contentOf = ({ text, blip_caption }: Turn) =>
  blip_caption ? `${text} [shares a photo: ${blip_caption}]` : text

/** @returns the memory of each turn, by the turn's id. Equal turns of a session are one memory. */
const write = async ({ client }: Account, sample: Sample): Promise<Map<string, string>> => {
  const memoryIds = new Map<string, string>()
  for (const { number, date, turns } of sessionsOf(sample)) {
    const { memories } = await client.call(rememberBatch, {
      body: {
        memories: turns.map((turn) => ({
          content: contentOf(turn),
          thread: `${sample.sample_id} session ${number}`,
          author: turn.speaker,
          occurred_at: instantOf(date),
          memory_type: 'episodic' as const,
          importance: 0.5,
          tags: [],
          metadata: { dia_id: turn.dia_id },
        })),
      },
    })
    for (const [i, turn] of turns.entries())
      memoryIds.set(turn.dia_id, memories[i]?.memory_id ?? '')
  }
  return memoryIds
}

/** Waits until the last turn, and so all before it, is found by its vector. */
const untilEmbedded = async ({ client }: Account, sample: Sample): Promise<void> => {
  const last = sessionsOf(sample).at(-1)?.turns.at(-1)
  if (!last) return
  const content = contentOf(last)
  for (;;) {
    const { memories } = await client.call(recall, { body: { query: content, explain: true } })
    const found = memories.find(({ content_text }) => content_text === content)
    if (found?.explanation?.semantic) return
    await Bun.sleep(100)
  }
}

const ask = async (
  { client }: Account,
  sample: Sample,
  memoryIds: Map<string, string>,
): Promise<Asked[]> => {
  const asked: Asked[] = []
  for (const { question, evidence, category } of sample.qa) {
    const named = evidence.flatMap((text) => text.match(/D\d+:\d+/g) ?? [])
    const known = new Set(named.filter((id) => memoryIds.has(id)))
    if (known.size === 0) continue
    const [ms, { memories }] = await timed(() =>
      client.call(recall, { body: { query: question, limit: 50 } }),
    )
    const places = new Map(memories.map(({ memory_id }, i) => [memory_id, i + 1]))
    const rankOf = (id: string) => places.get(memoryIds.get(id) ?? '') ?? Number.POSITIVE_INFINITY
    const ranks = new Map([...known].map((id) => [id, rankOf(id)]))
    const recalled = memories.map((memory) => `${memory.author}: ${memory.content_text}`)
    asked.push({ sample, question, category, ranks, recalled, ms })
  }
  return asked
}

const recallAt = (k: number, { ranks }: Asked): number =>
  [...ranks.values()].filter((rank) => rank <= k).length / ranks.size

const row = (name: string, asked: Asked[]) => [
  name,
  asked.length,
  ...CUTOFFS.map((k) => (100 * mean(asked.map((one) => recallAt(k, one)))).toFixed(1)),
]

const printMisses = (asked: Asked[]) => {
  const found = (one: Asked) => mean(CUTOFFS.map((k) => recallAt(k, one)))
  for (const one of asked.toSorted((a, b) => found(a) - found(b)).slice(0, args.misses)) {
    const turns = new Map(
      sessionsOf(one.sample).flatMap(({ turns }) => turns.map((turn) => [turn.dia_id, turn])),
    )
    console.log(`${CATEGORIES.get(one.category)}: ${one.question}`)
    for (const [id, rank] of one.ranks) {
      const turn = turns.get(id)
      if (turn) console.log(`  wanted ${id}, place ${rank}: ${turn.speaker}: ${contentOf(turn)}`)
    }
    for (const text of one.recalled.slice(0, 3)) console.log(`  found ${text}`)
    console.log()
  }
}

const [path] = positionals
if (!path) {
  console.error('Name the data file; see --help.')
  process.exit(2)
}
const samples: Sample[] = JSON.parse(readFileSync(path, 'utf8')).slice(0, args.limit)

await using database = await createDatabase(args.database)
await using suite =
  args.embedding === 'suite' ? await startEmbeddingServer({ dimensions: 1536 }) : undefined
const isEmbedding = args.embedding !== 'none'
const embedding = {
  SVC_EMBEDDING_URL: suite?.url ?? args.embedding,
  SVC_EMBEDDING_MODEL: args.model,
}
await using server = await startServer(database, isEmbedding ? embedding : {})
const asked: Asked[] = []
for (const sample of samples) {
  const account = await newAccount(server)
  const memoryIds = await write(account, sample)
  if (isEmbedding) await untilEmbedded(account, sample)
  asked.push(...(await ask(account, sample, memoryIds)))
}

printMisses(asked)
printTable(
  ['category', 'questions', ...CUTOFFS.map((k) => `R@${k}`)],
  [
    row('all', asked),
    ...[...CATEGORIES].map(([number, name]) =>
      row(
        name,
        asked.filter(({ category }) => category === number),
      ),
    ),
  ],
)
const latencies = asked.map(({ ms }) => ms)
console.log(
  `recall on ${database.kind}: p50 ${quantile(latencies, 0.5).toFixed(1)} ms, p95 ${quantile(latencies, 0.95).toFixed(1)} ms`,
)
