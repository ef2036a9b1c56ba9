import { rmSync } from 'node:fs'
import { distributeDatabase } from '../server/operations.ts'
import { openPostgres } from '../server/platform/db/postgres.ts'
import { recall, remember } from '../shared/contract/index.ts'
import { connectNodes, nodesOf, runOn, urlOf } from '../tests/harness/cluster.ts'
import { count, readArgs, text } from './lib/args.ts'
import { temporaryDirectory } from './lib/database.ts'
import { untilNoTasks } from './lib/pending.ts'
import { type Account, newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random } from './lib/text.ts'
import { memoryOf, writeTurns } from './lib/write.ts'

/** Uncounted requests that open connections to the nodes. */
const WARM_UP = 10

const { values: args } = readArgs(
  'bench/cluster.ts: remember and recall over HTTP, on the coordinator of a Citus cluster alone and distributed over its nodes (ms). With all nodes on one machine it shows correctness and overhead, not speed',
  {
    url: text('a database of the coordinator', 'postgres://postgres@127.0.0.1:25432/svc'),
    owners: count('number of users', 4),
    memories: count('number of memories of each', 1_000),
    requests: count('number of measured requests of each kind', 200),
    shards: count('number of shards', 32),
  },
)

const nodes = await nodesOf(args.url)
const name = `svc_bench_${crypto.randomUUID().replaceAll('-', '')}`

interface Served {
  dataDir: string
  url: string
}

/** One PostgreSQL: the coordinator, with local tables. */
const single: Served = { dataDir: temporaryDirectory(), url: urlOf(args.url, name) }
const cluster: Served = { dataDir: temporaryDirectory(), url: urlOf(args.url, `${name}_nodes`) }

const prepare = async (): Promise<void> => {
  await runOn(args.url, `create database ${name}`)
  await Promise.all(nodes.map((node) => runOn(node, `create database ${name}_nodes`)))
  await connectNodes(nodes, `${name}_nodes`, args.shards)
  // The tables must exist before they are distributed.
  await using _ = await startServer(cluster)
}

const drop = async (): Promise<void> => {
  for (const database of [name, `${name}_nodes`])
    await Promise.all(
      nodes.map((node) => runOn(node, `drop database if exists ${database} with (force)`)),
    )
  for (const { dataDir } of [single, cluster]) rmSync(dataDir, { recursive: true, force: true })
}

const untilProcessed = async ({ url }: Served): Promise<void> => {
  const database = await openPostgres(url)
  await untilNoTasks(database).finally(database.close)
}

const turnsOf = (owner: number) => conversations(args.memories + args.requests + WARM_UP, owner)

/** The memories that each question finds must be the same in both databases. */
const answers = new Map<string, string>()

const ask = async ({ client }: Account, owner: number, query: string): Promise<number> => {
  const [ms, { memories }] = await timed(() => client.call(recall, { body: { query } }))
  const found = JSON.stringify(memories.map(({ content_text, score }) => [content_text, score]))
  const key = `${owner} ${query}`
  if ((answers.get(key) ?? found) !== found) throw new Error(`other memories for: ${query}`)
  answers.set(key, found)
  return ms
}

const measure = async (served: Served) => {
  await using server = await startServer(served)
  const owners = await Promise.all(
    Array.from({ length: args.owners }, async (_, i) => ({
      account: await newAccount(server),
      turns: turnsOf(i),
      next: random(i),
    })),
  )
  const [batchMs] = await timed(() =>
    Promise.all(
      owners.map(({ account, turns }) => writeTurns(account, turns.slice(0, args.memories))),
    ),
  )
  await untilProcessed(served)
  const times = { remember: [] as number[], recall: [] as number[] }
  // Recall first: facts of later memories change the answers.
  for (let i = 0; i < args.requests + WARM_UP; i++) {
    const { account, turns, next } = owners[i % args.owners] as (typeof owners)[number]
    const question = questionAbout(turns[i % args.memories] as (typeof turns)[number], next)
    const ms = await ask(account, i % args.owners, question)
    if (i >= WARM_UP) times.recall.push(ms)
  }
  for (let i = 0; i < args.requests + WARM_UP; i++) {
    const { account, turns } = owners[i % args.owners] as (typeof owners)[number]
    const turn = turns[args.memories + i] as (typeof turns)[number]
    const [ms] = await timed(() => account.client.call(remember, { body: memoryOf(turn) }))
    if (i >= WARM_UP) times.remember.push(ms)
  }
  return { ...times, batch: ((args.owners * args.memories) / batchMs) * 1000 }
}

try {
  await prepare()
  const one = await measure(single)
  await distributeDatabase(
    { SVC_DATA_DIR: cluster.dataDir, SVC_DATABASE_URL: cluster.url },
    () => {},
  )
  const all = await measure(cluster)
  printTable(
    ['', 'remember p50', 'p95', 'recall p50', 'p95', 'batch memories/s'],
    [
      ...Object.entries({ 'one PostgreSQL': one, [`${nodes.length} nodes`]: all }).map(
        ([label, { remember, recall, batch }]) => [
          label,
          ...[remember, recall].flatMap((ms) => [
            median(ms).toFixed(1),
            quantile(ms, 0.95).toFixed(1),
          ]),
          Math.round(batch).toLocaleString('en'),
        ],
      ),
      [
        'ratio',
        ...(['remember', 'recall'] as const).flatMap((kind) => [
          (median(all[kind]) / median(one[kind])).toFixed(1),
          (quantile(all[kind], 0.95) / quantile(one[kind], 0.95)).toFixed(1),
        ]),
        (all.batch / one.batch).toFixed(2),
      ],
    ],
  )
  console.log('Both databases gave the same answers to all questions.')
} finally {
  await drop()
}
