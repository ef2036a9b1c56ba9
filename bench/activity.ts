import { listActivity } from '../shared/contract/activity.ts'
import { asStream } from '../shared/contract/endpoint.ts'
import { recall, remember } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { createDatabase } from './lib/database.ts'
import { residentMib } from './lib/resident.ts'
import { type Account, accountOn, newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'

const COST_TARGET = 1.03
const LATENCY_TARGET_MS = 300
/** Uncounted recalls that open connections and plan statements. */
const WARM_UP = 40

const { values: args } = readArgs(
  'bench/activity.ts: recall with and without a record of the activity; then the time from a write to its event in many streams',
  {
    memories: count('memories of the owner', 1_000),
    recalls: count('recalls of each server', 400),
    streams: count('streams that are open at the same time', 200),
    events: count('events that are written while they are open', 100),
    every: count('milliseconds between two events', 100),
    streamsOf: oneOf('whose streams', ['one owner', 'each another'], 'one owner'),
  },
)

/** Alternates recalls between a server that records and one that does not. */
const measureCost = async (recording: Account, silent: Account, questions: string[]) => {
  const times: Record<'recording' | 'silent', number[]> = { recording: [], silent: [] }
  for (const [index, query] of questions.entries()) {
    const ask = (account: Account) => timed(() => account.client.call(recall, { body: { query } }))
    const first = index % 2 ? recording : silent
    const second = index % 2 ? silent : recording
    const [[one], [other]] = [await ask(first), await ask(second)]
    if (index < WARM_UP) continue
    times[index % 2 ? 'recording' : 'silent'].push(one)
    times[index % 2 ? 'silent' : 'recording'].push(other)
  }
  return times
}

/** Follows the activity of an account. @returns the time at which each memory arrived. */
const follow = async ({ client }: Account, signal: AbortSignal) => {
  const arrived = new Map<string, number>()
  const ready = Promise.withResolvers<void>()
  const read = async () => {
    for await (const event of await client.call(asStream(listActivity), { signal })) {
      ready.resolve()
      if (event.event === 'activity')
        for (const { memory_id } of event.data.memories) arrived.set(memory_id, performance.now())
    }
  }
  read().catch(ready.reject)
  await ready.promise
  return arrived
}

const measureLatency = async (accounts: Account[]) => {
  const controller = new AbortController()
  const before = residentMib(recording.pid)
  const streams = await Promise.all(accounts.map((each) => follow(each, controller.signal)))
  const latencies: number[] = []
  const written: { memoryId: string; at: number; streams: Map<string, number>[] }[] = []
  const writers = [...new Set(accounts)]
  for (let index = 0; index < args.events; index++) {
    const writer = writers[index % writers.length] as Account
    const at = performance.now()
    const { memory_id } = await writer.client.call(remember, {
      body: { content: `Event ${index} of the benchmark.` },
    })
    written.push({
      memoryId: memory_id,
      at,
      streams: streams.filter((_, place) => accounts[place] === writer),
    })
    await Bun.sleep(Math.max(0, args.every - (performance.now() - at)))
  }
  await Bun.sleep(2_000)
  const mib = residentMib(recording.pid) - before
  controller.abort()
  let missing = 0
  for (const { memoryId, at, streams } of written)
    for (const stream of streams) {
      const arrived = stream.get(memoryId)
      if (arrived === undefined) missing++
      else latencies.push(arrived - at)
    }
  return { latencies, missing, mib }
}

await using database = await createDatabase('postgres')
await using recording = await startServer(database)
await using silent = await startServer(database, { SVC_ACTIVITY_DAYS: '0' })
const account = await newAccount(recording)
const turns = conversations(args.memories + args.recalls + WARM_UP, 1)
await writeTurns(account, turns.slice(0, args.memories))
const questions = turns.slice(args.memories).map(({ content }) => content.slice(0, 200))
const cost = await measureCost(account, accountOn(silent, account), questions)
const ratio = median(cost.recording) / median(cost.silent)
printTable(
  ['recall', 'p50, ms', 'p95'],
  (['silent', 'recording'] as const).map((name) => [
    name,
    median(cost[name]).toFixed(2),
    quantile(cost[name], 0.95).toFixed(2),
  ]),
)
console.log(`recording / silent ${ratio.toFixed(3)} (target ${COST_TARGET} or less)\n`)

const owners =
  args.streamsOf === 'one owner'
    ? [account]
    : await Promise.all(Array.from({ length: args.streams }, () => newAccount(recording)))
const accounts = Array.from(
  { length: args.streams },
  (_, i) => owners[i % owners.length] as Account,
)
const { latencies, missing, mib } = await measureLatency(accounts)
printTable(
  ['streams', 'events received', 'missing', 'p50, ms', 'p95', 'p99', 'server, MiB more'],
  [
    [
      args.streams,
      latencies.length,
      missing,
      median(latencies).toFixed(1),
      quantile(latencies, 0.95).toFixed(1),
      quantile(latencies, 0.99).toFixed(1),
      mib.toFixed(0),
    ],
  ],
)
console.log(`from the start of the write, in this process (target ${LATENCY_TARGET_MS} ms at p95)`)
