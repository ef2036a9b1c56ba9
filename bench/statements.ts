import { fileURLToPath } from 'node:url'
import { me, recall, remember } from '../shared/contract/index.ts'
import { count, oneOf, readArgs, text } from './lib/args.ts'
import { cpuSeconds, ownCpuSeconds } from './lib/cpu.ts'
import { createDatabase } from './lib/database.ts'
import { type Account, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { median } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { memoryOf, writeTurns } from './lib/write.ts'

const { values: args } = readArgs(
  `bench/statements.ts: the statements and the CPU time of a remember, a warm recall and GET /api/me, each sent by several
people at the same time; with --other, alternating with another clone`,
  {
    requests: count('number of requests of each kind, per round', 600),
    people: count('number of accounts that send at the same time', 16),
    memories: count('number of initial memories of each account', 300),
    rounds: count('number of rounds', 3),
    other: text('cli/main.ts of another clone; empty for this clone alone', ''),
    database: oneOf('where to run', ['embedded', 'postgres'], 'embedded'),
    list: oneOf('lists the statements', ['no', 'yes'], 'no'),
  },
)

const KINDS = ['remember', 'recall', 'me'] as const
type Kind = (typeof KINDS)[number]

interface Person extends Account {
  turns: Turn[]
}

interface Figures {
  statements: number
  /** CPU time of the server's process, and of its embedded database, in milliseconds. */
  serverMs: number
  databaseMs: number
  ms: number
}

/** Starts a server with accounts on a database of its own. */
const serve = async (executable: string) => {
  const database = await createDatabase(args.database)
  const waiting: ((counts: Record<string, number>) => void)[] = []
  const server = await startServer(
    database,
    { SVC_EMBEDDING: 'off', SVC_PROCESSES: '1' },
    {
      preload: fileURLToPath(new URL('lib/statement-probe.ts', import.meta.url)),
      onMessage: (counts: Record<string, number>) => waiting.shift()?.(counts),
    },
    executable,
  )
  const people: Person[] = []
  for (let seed = 1; seed <= args.people; seed++) {
    const account = await newAccount(server)
    const turns = conversations(args.memories, seed)
    await writeTurns(account, turns)
    people.push({ ...account, turns })
  }
  const readCounts = (): Promise<Record<string, number>> => {
    const { promise, resolve } = Promise.withResolvers<Record<string, number>>()
    waiting.push(resolve)
    server.send('read')
    return promise
  }
  return { database, server, people, readCounts }
}
type Served = Awaited<ReturnType<typeof serve>>

const callOf = (kind: Kind, { client, turns }: Person, fresh: Turn, next: () => number) => {
  if (kind === 'me') return client.call(me)
  if (kind === 'remember') return client.call(remember, { body: memoryOf(fresh) })
  const turn = turns[Math.floor(next() * turns.length)] as Turn
  return client.call(recall, { body: { query: questionAbout(turn, next) } })
}

const cpuMs = ({ pid }: BenchServer) => [1_000 * ownCpuSeconds(pid), 1_000 * cpuSeconds(pid)]

/** Each person sends one request after the other. */
const measure = async (served: Served, kind: Kind, seed: number): Promise<Figures> => {
  const { server, people, readCounts } = served
  const fresh = conversations(args.requests + people.length, seed)
  const next = random(seed)
  await readCounts()
  const [own = 0, all = 0] = cpuMs(server)
  const start = performance.now()
  let sent = 0
  await Promise.all(
    people.map(async (person) => {
      while (sent < args.requests) await callOf(kind, person, fresh[sent++] as Turn, next)
    }),
  )
  const ms = performance.now() - start
  const [ownAfter = 0, allAfter = 0] = cpuMs(server)
  const counts = await readCounts()
  if (args.list === 'yes')
    for (const [statement, times] of Object.entries(counts).toSorted(([, a], [, b]) => b - a))
      console.log(`${kind} ${(times / args.requests).toFixed(2)} ${statement}`)
  const ofRequest = (sum: number) => sum / args.requests
  const serverMs = ownAfter - own
  return {
    statements: ofRequest(Object.values(counts).reduce((sum, times) => sum + times, 0)),
    serverMs: ofRequest(serverMs),
    databaseMs: ofRequest(allAfter - all - serverMs),
    ms: ofRequest(ms),
  }
}

const clones = args.other ? { this: '', other: args.other } : { this: '' }
const servers = new Map<string, Served>()
for (const [name, executable] of Object.entries(clones)) servers.set(name, await serve(executable))
const figures = new Map<string, Figures[]>()
try {
  // The first round warms up.
  for (let round = 0; round <= args.rounds; round++)
    for (const kind of KINDS)
      for (const [name, served] of round % 2 ? [...servers] : [...servers].toReversed()) {
        const found = await measure(served, kind, 1_000 * (round + 1))
        const key = `${kind} ${name}`
        if (round > 0) figures.set(key, [...(figures.get(key) ?? []), found])
      }
} finally {
  for (const { server, database } of servers.values()) {
    await server[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  }
}

printTable(
  ['', 'statements', 'server CPU ms', 'database CPU ms', 'ms'],
  [...figures]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, of]) => [
      key,
      ...(['statements', 'serverMs', 'databaseMs', 'ms'] as const).map((name) =>
        median(of.map((each) => each[name])).toFixed(2),
      ),
    ]),
)
