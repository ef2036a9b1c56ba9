import { readFileSync } from 'node:fs'
import { recall, remember } from '../shared/contract/index.ts'
import { count, oneOf, readArgs, text } from './lib/args.ts'
import { createDatabase, type DatabaseKind, kindsOf } from './lib/database.ts'
import { type Account, newAccount, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { memoryOf, writeTurns } from './lib/write.ts'

const { values: args } = readArgs(
  'bench/meaning.ts: recall and remember over HTTP with the built-in encoder and without it, alternating, each on a database of its own; and recall with it while imported memories wait for their vectors (ms, and processor time)',
  {
    requests: count('number of requests of each kind', 200),
    memories: count('memories that each account has', 1000),
    imported: count('memories that are imported, 0 to leave this out', 10_000),
    server: text('svc of a release, instead of this clone', ''),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'postgres'),
  },
)

/** Clock ticks of a process (proc(5): fields 14 and 15 of stat), in user and system mode. */
const ticksOf = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return Number(fields[11]) + Number(fields[12])
}

const serve = async (kind: DatabaseKind, turns: Turn[], env: Record<string, string>) => {
  await using owners = new AsyncDisposableStack()
  const database = owners.use(await createDatabase(kind))
  const server = owners.use(
    await startServer(database, { SVC_PROCESSES: '1', ...env }, undefined, args.server),
  )
  const account = await newAccount(server)
  await writeTurns(account, turns)
  const moved = owners.move()
  return { server, account, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}
type Side = Awaited<ReturnType<typeof serve>>

type Ask = (account: Account, turn: Turn) => Promise<unknown>

const askAbout: Ask = ({ client }, turn) =>
  client.call(recall, { body: { query: questionAbout(turn, random(turn.content.length)) } })
const askAgain: Ask = ({ client }) =>
  client.call(recall, { body: { query: 'Where did we put the key of the summer house?' } })
const write: Ask = ({ client }, turn) => client.call(remember, { body: memoryOf(turn) })

const KINDS: Record<string, Ask> = {
  'recall, a new question': askAbout,
  'recall, the same question': askAgain,
  remember: write,
}

const run = async (side: Side, ask: Ask, turn: Turn) => {
  const before = ticksOf(side.server.pid)
  const [ms] = await timed(() => ask(side.account, turn))
  return { ms, ticks: ticksOf(side.server.pid) - before }
}

const compare = async (kind: DatabaseKind): Promise<void> => {
  const turns = conversations(args.memories + args.requests, 1)
  const kept = turns.slice(0, args.memories)
  await using without = await serve(kind, kept, { SVC_EMBEDDING: 'off' })
  await using with_ = await serve(kind, kept, {})
  const sides = { without, with: with_ }
  await untilEncoded(with_)
  const rows: string[][] = []
  for (const [name, ask] of Object.entries(KINDS)) {
    const samples: Record<keyof typeof sides, Awaited<ReturnType<typeof run>>[]> = {
      without: [],
      with: [],
    }
    for (const turn of turns.slice(args.memories))
      for (const each of ['without', 'with'] as const)
        samples[each].push(await run(sides[each], ask, turn))
    const ms = (each: keyof typeof sides) => samples[each].map((sample) => sample.ms)
    const ticks = (each: keyof typeof sides) =>
      samples[each].reduce((sum, sample) => sum + sample.ticks, 0)
    rows.push([
      name,
      ...[0.25, 0.5, 0.95].flatMap((q) => [
        quantile(ms('without'), q).toFixed(2),
        quantile(ms('with'), q).toFixed(2),
      ]),
      (median(ms('with')) / median(ms('without'))).toFixed(2),
      (ticks('with') / ticks('without')).toFixed(2),
    ])
  }
  const q = ['q1', 'p50', 'p95'].flatMap((each) => [`${each} without`, `${each} with`])
  printTable([kind, ...q, 'ratio of p50', 'ratio of processor time of the server'], rows)
  if (args.imported) await compareImport(with_, without, turns)
}

/** The questions alternate between both servers, of which one encodes what the account has imported. */
const compareImport = async (with_: Side, without: Side, turns: Turn[]): Promise<void> => {
  const rows: string[][] = []
  const measure = async (name: string) => {
    const ms: Record<'with' | 'without', number[]> = { with: [], without: [] }
    for (const turn of turns.slice(args.memories)) {
      ms.without.push((await run(without, askAbout, turn)).ms)
      ms.with.push((await run(with_, askAbout, turn)).ms)
    }
    rows.push([
      name,
      ...[0.5, 0.95].flatMap((q) => [
        quantile(ms.without, q).toFixed(2),
        quantile(ms.with, q).toFixed(2),
      ]),
    ])
  }
  const imported = conversations(args.imported, 2)
  const other = { with: await newAccount(with_.server), without: await newAccount(without.server) }
  await measure('before')
  await Promise.all([writeTurns(other.with, imported), writeTurns(other.without, imported)])
  const waiting = await waitingOf(with_)
  await measure(`while up to ${waiting} memories wait`)
  console.log(`${await waitingOf(with_)} still wait`)
  printTable(['recall', 'p50 without', 'p50 with', 'p95 without', 'p95 with'], rows)
}

const waitingOf = async ({ server }: Side): Promise<number> => {
  const response = await fetch(new URL('/api/health/detail', server.url))
  const { parts } = (await response.json()) as { parts: { embedding: { note: string } } }
  return Number(/(\d+) memories wait/.exec(parts.embedding.note)?.[1] ?? 0)
}

const POLL_MS = 500

const untilEncoded = async (side: Side): Promise<void> => {
  while ((await waitingOf(side)) > 0) await Bun.sleep(POLL_MS)
}

for (const kind of kindsOf(args.database)) await compare(kind)
