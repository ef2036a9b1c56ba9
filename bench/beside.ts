import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Endpoint } from '../shared/contract/endpoint.ts'
import { me, recall, refresh, remember, signIn } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { createDatabase, type DatabaseKind, kindsOf } from './lib/database.ts'
import {
  type Account,
  type BenchServer,
  newAccount,
  nextAddress,
  PASSWORD,
  startServer,
} from './lib/server.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { memoryOf, writeTurns } from './lib/write.ts'

const { values: args, positionals } = readArgs(
  'bench/beside.ts PATH: requests to this clone and to another clone with its packages, or to svc of a release, alternating, each in sequence and on a database of its own (ms, and processor time of the server)',
  {
    rounds: count('number of rounds', 30),
    requests: count('requests of each kind in a round', 40),
    signins: count('sign-ins in a round, which take longer', 4),
    memories: count('memories that each account has', 1000),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'both'),
  },
)
const [other] = positionals
if (!other) {
  console.error('Name the folder of another clone, or svc of a release')
  process.exit(2)
}
const program = statSync(other).isDirectory() ? join(other, 'cli/main.ts') : other

const SIGN_IN = 'sign-in'

/** Clock ticks of a process (proc(5): fields 14 and 15 of stat), in user and system mode. */
const ticksOf = async (pid: number): Promise<number> => {
  const stat = await Bun.file(`/proc/${pid}/stat`).text()
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}

const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

const signInOn = ({ url }: BenchServer, { email }: Account): Promise<Response> =>
  fetch(new URL(signIn.path, url), {
    method: signIn.method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
    body: JSON.stringify({ email, password: PASSWORD }),
  })

const serve = async (kind: DatabaseKind, executable: string, turns: Turn[]) => {
  await using owners = new AsyncDisposableStack()
  const database = owners.use(await createDatabase(kind))
  const server = owners.use(
    await startServer(database, { SVC_PROCESSES: '1' }, undefined, executable),
  )
  const account = await newAccount(server)
  await writeTurns(account, turns)
  const cookie = cookieOf(await signInOn(server, account))
  const moved = owners.move()
  return { server, account, cookie, [Symbol.asyncDispose]: () => moved.disposeAsync() }
}
type Side = Awaited<ReturnType<typeof serve>>

const send = async (
  { server, account }: Side,
  { method, path }: Pick<Endpoint, 'method' | 'path'>,
  headers: Record<string, string>,
  body?: object,
): Promise<Response> =>
  fetch(new URL(path, server.url), {
    method,
    headers: {
      authorization: `Bearer ${account.key}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  })

const KINDS: Record<string, (side: Side, turn: Turn) => Promise<Response>> = {
  'GET /api/me with a key': (side) => send(side, me, {}),
  'GET /api/me with an access token': (side) =>
    send(side, me, { authorization: `Bearer ${side.account.accessToken}` }),
  refresh: async (side) => {
    const response = await fetch(new URL(refresh.path, side.server.url), {
      method: refresh.method,
      headers: { cookie: side.cookie },
    })
    side.cookie = cookieOf(response)
    return response
  },
  [SIGN_IN]: ({ server, account }) => signInOn(server, account),
  remember: (side, turn) => send(side, remember, {}, memoryOf(turn)),
  recall: (side, turn) => send(side, recall, {}, { query: questionAbout(turn, random(1)) }),
}

interface Sample {
  ms: number[]
  ticks: number
}

const measure = async (kind: string, side: Side, turns: Turn[]): Promise<Sample> => {
  const before = await ticksOf(side.server.pid)
  const ms: number[] = []
  for (const turn of turns) {
    const [took, response] = await timed(async () => {
      const answered = await KINDS[kind]?.(side, turn)
      await answered?.arrayBuffer()
      return answered
    })
    if (!response?.ok) throw new Error(`${kind}: status ${response?.status}`)
    ms.push(took)
  }
  return { ms, ticks: (await ticksOf(side.server.pid)) - before }
}

const compare = async (kind: DatabaseKind): Promise<void> => {
  const perRound = args.requests
  const turns = conversations(args.memories + (args.rounds + 1) * perRound, 1)
  const kept = turns.slice(0, args.memories)
  await using ours = await serve(kind, '', kept)
  await using theirs = await serve(kind, resolve(program), kept)
  const rows = []
  for (const request of Object.keys(KINDS)) {
    const pairs: { ours: Sample; theirs: Sample }[] = []
    // The first round warms both and is not counted.
    for (let round = 0; round <= args.rounds; round++) {
      const start = args.memories + round * perRound
      const size = request === SIGN_IN ? args.signins : perRound
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
