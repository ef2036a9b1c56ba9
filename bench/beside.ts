import { join, resolve } from 'node:path'
import { me, recall, remember, signIn } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { createDatabase, type DatabaseKind, kindsOf } from './lib/database.ts'
import { type Account, newAccount, nextAddress, PASSWORD, startServer } from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { memoryOf, writeTurns } from './lib/write.ts'

const { values: args, positionals } = readArgs(
  'bench/beside.ts CLONE: requests to this clone and to another one with its packages, alternating, each in sequence and on a database of its own (ms, and processor time of the server)',
  {
    rounds: count('number of rounds', 30),
    requests: count('requests of each kind in a round', 40),
    signins: count('sign-ins in a round, which take longer', 4),
    memories: count('memories that each account has', 1000),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)
const other = positionals[0]
if (!other) throw new Error('bench/beside.ts needs the folder of another clone: see --help')

const KINDS = ['GET /api/me', 'sign-in', 'remember', 'recall'] as const
type Kind = (typeof KINDS)[number]

/** Clock ticks of a process (proc(5): fields 14 and 15 of stat), in user and system mode. */
const ticksOf = async (pid: number): Promise<number> => {
  const stat = await Bun.file(`/proc/${pid}/stat`).text()
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

const serve = async (kind: DatabaseKind, executable: string, turns: Turn[]) => {
  await using owners = new AsyncDisposableStack()
  const database = owners.use(await createDatabase(kind))
  const server = owners.use(await startServer(database, {}, undefined, executable))
  const account = await newAccount(server)
  await writeTurns(account, turns)
  const moved = owners.move()
  return { server, account, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}
type Side = Awaited<ReturnType<typeof serve>>

const requestOf = (
  kind: Kind,
  { server, account }: { server: Side['server']; account: Account },
  turn: Turn,
): Promise<unknown> => {
  if (kind === 'GET /api/me') return account.client.call(me)
  if (kind === 'remember') return account.client.call(remember, { body: memoryOf(turn) })
  if (kind === 'recall')
    return account.client.call(recall, { body: { query: questionAbout(turn, random(1)) } })
  return fetch(new URL(signIn.path, server.url), {
    method: signIn.method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
    body: JSON.stringify({ email: account.email, password: PASSWORD }),
  }).then((response) => {
    if (!response.ok) throw new Error(`sign-in: status ${response.status}`)
    return response.arrayBuffer()
  })
}

interface Sample {
  ms: number[]
  ticks: number
}

const measure = async (kind: Kind, side: Side, turns: Turn[]): Promise<Sample> => {
  const before = await ticksOf(side.server.pid)
  const ms: number[] = []
  for (const turn of turns) ms.push((await timed(() => requestOf(kind, side, turn)))[0])
  return { ms, ticks: (await ticksOf(side.server.pid)) - before }
}

const compare = async (kind: DatabaseKind): Promise<void> => {
  const perRound = args.requests
  const turns = conversations(args.memories + (args.rounds + 1) * perRound, 1)
  const kept = turns.slice(0, args.memories)
  await using ours = await serve(kind, '', kept)
  await using theirs = await serve(kind, join(resolve(other), 'cli/main.ts'), kept)
  const rows = []
  for (const request of KINDS) {
    const pairs: { ours: Sample; theirs: Sample }[] = []
    // The first round warms both and is not counted.
    for (let round = 0; round <= args.rounds; round++) {
      const start = args.memories + round * perRound
      const size = request === 'sign-in' ? args.signins : perRound
      const asked = turns.slice(start, start + size)
      const first = round % 2 ? ours : theirs
      const a = await measure(request, first, asked)
      const b = await measure(request, first === ours ? theirs : ours, asked)
      if (round) pairs.push(first === ours ? { ours: a, theirs: b } : { ours: b, theirs: a })
    }
    const ratios = pairs.map((pair) => median(pair.ours.ms) / median(pair.theirs.ms))
    const p = (side: 'ours' | 'theirs', q: number) =>
      quantile(
        pairs.flatMap((pair) => pair[side].ms),
        q,
      )
    const ticks = (side: 'ours' | 'theirs') =>
      pairs.reduce((sum, pair) => sum + pair[side].ticks, 0)
    rows.push([
      request,
      ...[p('ours', 0.5), p('theirs', 0.5), p('ours', 0.95), p('theirs', 0.95)].map((ms) =>
        ms.toFixed(2),
      ),
      ...[0.25, 0.5, 0.75].map((q) => quantile(ratios, q).toFixed(3)),
      (ticks('ours') / ticks('theirs')).toFixed(2),
    ])
  }
  printTable(
    [
      kind,
      ...['p50', 'p50 of the other', 'p95', 'p95 of the other'],
      ...['ratio of a round: q1', 'median', 'q3', 'ratio of processor time'],
    ],
    rows,
  )
}

for (const kind of kindsOf(args.database)) await compare(kind)
