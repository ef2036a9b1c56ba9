import { fileURLToPath } from 'node:url'
import { me } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { type BenchDatabase, createDatabase, kindsOf } from './lib/database.ts'
import { type Account, type BenchServer, newAccount, startServer } from './lib/server.ts'
import type { SignIns } from './lib/sign-ins.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

const TARGET = 8
/** The time between the start of the sign-ins and of the measurement. */
const LEAD_MS = 500

const { values: args } = readArgs(
  'bench/signin.ts: GET /api/me with a key, idle and during continuous sign-ins (ms)',
  {
    seconds: count('seconds of each measurement', 4),
    signins: count('number of concurrent sign-ins', 20),
    rounds: count('number of rounds', 5),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'postgres'),
  },
)

const script = fileURLToPath(new URL('lib/sign-ins.ts', import.meta.url))

/** Starts sign-ins in a separate process, until the end of the measurement. */
const startSignIns = ({ url }: BenchServer, accounts: Account[]) => {
  const seconds = args.seconds + LEAD_MS / 1000
  const emails = accounts.map(({ email }) => email)
  const child = Bun.spawn([process.execPath, script, url, String(seconds), ...emails], {
    stdout: 'pipe',
  })
  return async (): Promise<SignIns> => JSON.parse(await new Response(child.stdout).text())
}

/** Sends requests in sequence. @returns the duration of each in milliseconds. */
const measure = async ({ url }: BenchServer, { key }: Account): Promise<number[]> => {
  const target = new URL(me.path, url)
  const times: number[] = []
  for (const end = performance.now() + args.seconds * 1000; performance.now() < end; ) {
    const [ms, status] = await timed(async () => {
      const response = await fetch(target, { headers: { authorization: `Bearer ${key}` } })
      await response.arrayBuffer()
      return response.status
    })
    if (status !== 200) throw new Error(`GET ${me.path} returned status ${status}`)
    times.push(ms)
  }
  return times
}

interface Round {
  idle: number[]
  busy: number[]
  signInsPerSecond: number
}

const runRound = async (server: BenchServer, accounts: Account[], caller: Account) => {
  const idle = await measure(server, caller)
  const finished = startSignIns(server, accounts)
  await Bun.sleep(LEAD_MS)
  const busy = await measure(server, caller)
  const { answered } = await finished()
  return { idle, busy, signInsPerSecond: answered / (args.seconds + LEAD_MS / 1000) }
}

const run = async (kind: BenchDatabase['kind']): Promise<void> => {
  await using database = await createDatabase(kind)
  await using server = await startServer(database)
  const caller = await newAccount(server)
  const accounts: Account[] = []
  for (let i = 0; i < args.signins; i++) accounts.push(await newAccount(server))

  const rounds: Round[] = []
  for (let i = 0; i < args.rounds; i++) rounds.push(await runRound(server, accounts, caller))
  report(kind, rounds)
}

const report = (kind: BenchDatabase['kind'], rounds: Round[]): void => {
  const ratioOf = ({ idle, busy }: Round) => quantile(busy, 0.95) / quantile(idle, 0.95)
  const percentiles = (ms: number[]) => [0.5, 0.95].map((q) => quantile(ms, q).toFixed(2))
  printTable(
    [`round, ${kind}`, 'idle p50', 'p95', 'busy p50', 'p95', 'ratio of p95', 'sign-ins/s'],
    rounds.map((round, i) => [
      i + 1,
      ...percentiles(round.idle),
      ...percentiles(round.busy),
      ratioOf(round).toFixed(2),
      round.signInsPerSecond.toFixed(1),
    ]),
  )
  const ratio = median(rounds.map(ratioOf))
  console.log(`median ratio ${ratio.toFixed(2)} (target ${TARGET} or less)`)
}

for (const kind of kindsOf(args.database)) await run(kind)
