import { statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ready, rememberBatch, signIn } from '../shared/contract/index.ts'
import { count, counts, readArgs } from './lib/args.ts'
import { cpuSeconds, ownCpuSeconds } from './lib/cpu.ts'
import { createDatabase, temporaryDirectory } from './lib/database.ts'
import type { Mix, Sample } from './lib/mix.ts'
import { owned } from './lib/owned.ts'
import { freePort, newAccount, nextAddress, PASSWORD, startServer } from './lib/server.ts'
import { quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations } from './lib/text.ts'
import { memoryOf } from './lib/write.ts'

const CARRIED_P95_MS = 50
const ANSWERED_MS = 250
const WARM_UP_SECONDS = 5
/** After each load, for the work that follows it. */
const REST_MS = 3_000
const PROBE_MS = 250
const RECOVERY_SECONDS = 6
const RECOVERY_WINDOW_MS = 250
const START_TRIES = 1_000

const { values: args, positionals } = readArgs(
  'bench/capacity.ts [PATH]: the mix of bench/load at rising rates and beyond what is carried, on this clone, on a bare server and on another clone with its packages, alternating, each on an embedded database of its own',
  {
    rates: counts(
      'N of each load: N remember, N recall and 2 N GET /api/me a second',
      [50, 75, 100, 125, 150, 200, 250],
    ),
    seconds: count('duration of each load in seconds', 10),
    rounds: count('number of rounds of all rates, and of the load after that', 1),
    carried: count('N that all servers carry, instead of finding it out; 0 to find it out', 0),
    overload: count('load after that, in percent of the rate that is carried; 0 for none', 200),
    people: count('number of accounts that send requests', 30),
    memories: count('number of initial memories of each account', 300),
  },
)
const [other] = positionals

interface Target extends AsyncDisposable {
  name: string
  url: string
  pid: number
  keys: string[]
  /** Undefined where there is no sign-in. */
  email?: string
}

const write = async (url: string, key: string, seed: number): Promise<void> => {
  const response = await fetch(new URL(rememberBatch.path, url), {
    method: rememberBatch.method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ memories: conversations(args.memories, seed).map(memoryOf) }),
  })
  if (!response.ok) throw new Error(`${url}: status ${response.status}`)
}

const startSvc = async (name: string, executable = ''): Promise<Target> => {
  await using owners = new AsyncDisposableStack()
  const database = owners.use(await createDatabase('embedded'))
  const server = owners.use(await startServer(database, {}, undefined, executable))
  const keys: string[] = []
  let email = ''
  for (let seed = 1; seed <= args.people; seed++) {
    const account = await newAccount(server)
    await write(server.url, account.key, seed)
    keys.push(account.key)
    email = account.email
  }
  const { url, pid } = server
  const moved = owners.move()
  return { name, url, pid, keys, email, ...owned(() => moved.disposeAsync()) }
}

const startBare = async (): Promise<Target> => {
  const port = freePort()
  const script = fileURLToPath(new URL('lib/bare-memory.ts', import.meta.url))
  const child = Bun.spawn([process.execPath, script, String(port), temporaryDirectory()])
  const stop = async () => {
    child.kill('SIGTERM')
    await child.exited
  }
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; ; tries++) {
    if (await fetch(new URL(ready.path, url)).catch(() => undefined)) break
    if (tries === START_TRIES) throw new Error('The bare server does not respond')
    await Bun.sleep(10)
  }
  const keys: string[] = []
  for (let seed = 1; seed <= args.people; seed++) {
    const response = await fetch(new URL('/accounts', url), { method: 'POST' })
    const { key } = (await response.json()) as { key: string }
    await write(url, key, seed)
    keys.push(key)
  }
  return { name: 'bare', url, pid: child.pid, keys, ...owned(stop) }
}

let seed = 1_000

const runMix = async (
  { url, keys }: Target,
  rate: number,
  seconds = args.seconds,
): Promise<Sample[]> => {
  const child = Bun.spawn(
    [process.execPath, fileURLToPath(new URL('lib/mix.ts', import.meta.url))],
    { stdin: 'pipe', stdout: 'pipe' },
  )
  const mix: Mix = { url, keys, rate, seconds, seed: seed++, memories: args.memories }
  child.stdin.write(`${JSON.stringify(mix)}\n`)
  child.stdin.flush()
  return JSON.parse(await new Response(child.stdout).text())
}

interface Load {
  samples: Sample[]
  serverMs: number
  databaseMs: number
}

const load = async (target: Target, rate: number): Promise<Load> => {
  const own = ownCpuSeconds(target.pid)
  const all = cpuSeconds(target.pid)
  const samples = await runMix(target, rate)
  const serverMs = ((ownCpuSeconds(target.pid) - own) * 1000) / samples.length
  const allMs = ((cpuSeconds(target.pid) - all) * 1000) / samples.length
  await Bun.sleep(REST_MS)
  return { samples, serverMs, databaseMs: allMs - serverMs }
}

const p95Of = (samples: Sample[]) =>
  quantile(
    samples.map(({ ms, failed }) => (failed ? Number.POSITIVE_INFINITY : ms)),
    0.95,
  )

const answered = (samples: Sample[]) =>
  samples.filter(({ ms, failed }) => !failed && ms <= ANSWERED_MS).length

const rowOf = ({ name }: Target, rate: number, { samples, serverMs, databaseMs }: Load) => [
  rate,
  name,
  ...(['remember', 'recall', 'me'] as const).map((kind) =>
    p95Of(samples.filter((sample) => sample.kind === kind)).toFixed(0),
  ),
  p95Of(samples).toFixed(0),
  samples.filter(({ failed }) => failed).length,
  serverMs.toFixed(2),
  databaseMs.toFixed(2),
  (serverMs + databaseMs).toFixed(2),
]

/** @returns the rate that each target carries, by the median of its rounds. */
const measureRates = async (targets: Target[]): Promise<Map<Target, number>> => {
  const rows = []
  const p95 = new Map<string, number[]>()
  for (let round = 0; round < args.rounds; round++)
    for (const rate of args.rates)
      for (const target of round % 2 ? targets.toReversed() : targets) {
        const result = await load(target, rate)
        rows.push(rowOf(target, rate, result))
        const key = `${target.name} ${rate}`
        p95.set(key, [...(p95.get(key) ?? []), p95Of(result.samples)])
      }
  printTable(
    [
      ...['N', 'server', 'remember p95', 'recall p95', 'me p95', 'p95', 'errors'],
      ...['server CPU ms/request', 'database CPU ms/request', 'both'],
    ],
    rows,
  )
  const carries = ({ name }: Target, rate: number) =>
    quantile(p95.get(`${name} ${rate}`) ?? [], 0.5) <= CARRIED_P95_MS
  return new Map(
    targets.map((target) => [
      target,
      Math.max(0, ...args.rates.filter((rate) => carries(target, rate))),
    ]),
  )
}

const probe = async (url: string, init?: RequestInit): Promise<number> => {
  const [ms, response] = await timed(() =>
    fetch(url, init).then(
      async (response) => {
        await response.arrayBuffer()
        return response
      },
      () => undefined,
    ),
  )
  return response?.ok ? ms : Number.POSITIVE_INFINITY
}

/** Asks while the load lasts whether the server is ready, and signs in. */
const probeDuring = async ({ url, email }: Target, isOver: () => boolean) => {
  const readiness: number[] = []
  const signIns: number[] = []
  while (!isOver()) {
    readiness.push(await probe(new URL(ready.path, url).href))
    if (email && readiness.length % 4 === 1)
      signIns.push(
        await probe(new URL(signIn.path, url).href, {
          method: signIn.method,
          headers: { 'content-type': 'application/json', 'x-forwarded-for': nextAddress() },
          body: JSON.stringify({ email, password: PASSWORD }),
        }),
      )
    await Bun.sleep(PROBE_MS)
  }
  return { readiness, signIns }
}

/** Seconds until the requests of all later windows are answered in time. */
const recoveredAfter = (samples: Sample[]): number => {
  const late = samples.filter(({ ms, failed }) => failed || ms > ANSWERED_MS)
  const last = Math.max(-1, ...late.map(({ at }) => Math.floor(at / RECOVERY_WINDOW_MS)))
  return ((last + 1) * RECOVERY_WINDOW_MS) / 1000
}

/** @returns the row of one target, and the share of the rate that it carries that it answers in time. */
const overloadOnce = async (target: Target, rate: number) => {
  let isOver = false
  const offered = runMix(target, (rate * args.overload) / 100)
  const probes = probeDuring(target, () => isOver)
  await Bun.sleep(args.seconds * 1000)
  isOver = true
  const after = runMix(target, rate / 2, RECOVERY_SECONDS)
  const [samples, { readiness, signIns }, recovery] = await Promise.all([offered, probes, after])
  const carriedRequests = 4 * rate * args.seconds
  const p95 = (values: number[]) => (values.length ? quantile(values, 0.95).toFixed(0) : '')
  const accepted = samples.filter(({ failed }) => !failed)
  const share = (100 * answered(samples)) / carriedRequests
  await Bun.sleep(REST_MS)
  const row = [
    target.name,
    rate,
    samples.length,
    `${Math.round(share)}%`,
    p95(accepted.map(({ ms }) => ms)),
    samples.filter(({ refused }) => refused).length,
    p95(samples.filter(({ refused }) => refused).map(({ ms }) => ms)),
    samples.filter(({ failed, refused }) => failed && !refused).length,
    p95(readiness),
    p95(signIns),
    recoveredAfter(recovery).toFixed(2),
  ]
  return { row, share }
}

const measureOverload = async (carried: ReadonlyMap<Target, number>): Promise<void> => {
  const rows = []
  const shares = new Map<string, number[]>()
  const loaded = [...carried].filter(([, rate]) => rate > 0)
  for (let round = 0; round < args.rounds; round++)
    for (const [target, rate] of round % 2 ? loaded.toReversed() : loaded) {
      const { row, share } = await overloadOnce(target, rate)
      rows.push(row)
      shares.set(target.name, [...(shares.get(target.name) ?? []), share])
    }
  printTable(
    [
      ...['server', 'carried N', `sent at ${args.overload} %`],
      `answered in ${ANSWERED_MS} ms / carried`,
      ...['p95 of answers', '503', 'p95 of 503', 'other errors'],
      ...['ready p95', 'sign-in p95', 'recovered after, s'],
    ],
    rows,
  )
  for (const [name, all] of shares)
    console.log(`${name} answers ${quantile(all, 0.5).toFixed(0)} % in time (median)`)
}

await using servers = new AsyncDisposableStack()
const targets = [servers.use(await startSvc('svc')), servers.use(await startBare())]
if (other) {
  const program = statSync(other).isDirectory() ? join(other, 'cli/main.ts') : other
  targets.push(servers.use(await startSvc('other', program)))
}
for (const target of targets) await runMix(target, args.rates[0] ?? 1, WARM_UP_SECONDS)
await Bun.sleep(REST_MS)
const carried = args.carried
  ? new Map(targets.map((target) => [target, args.carried]))
  : await measureRates(targets)
for (const [{ name }, rate] of carried)
  console.log(
    args.carried
      ? `${name} gets N = ${rate}`
      : `${name} carries N = ${rate} at p95 ${CARRIED_P95_MS} ms or less`,
  )
if (args.overload) await measureOverload(carried)
