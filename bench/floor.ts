import { fileURLToPath } from 'node:url'
import { me } from '../shared/contract/index.ts'
import { count, oneOf, readArgs } from './lib/args.ts'
import { type BenchDatabase, createDatabase, type DatabaseKind, kindsOf } from './lib/database.ts'
import type { Load } from './lib/load.ts'
import { owned } from './lib/owned.ts'
import { type Account, freePort, newAccount, startServer } from './lib/server.ts'
import { median } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

const TARGET = 0.85
/** Of a server that measures, compared with one that does not. */
const METRICS_TARGET = 0.97

const { values: args } = readArgs(
  'bench/floor.ts: GET /api/me with a key, compared with a bare route with one select, without and with metrics',
  {
    seconds: count('seconds of load on each, per round', 5),
    connections: count('number of concurrent connections', 16),
    rounds: count('number of rounds', 5),
    database: oneOf('where to run', ['embedded', 'postgres', 'both'], 'postgres'),
  },
)

const script = (name: string) => fileURLToPath(new URL(`lib/${name}.ts`, import.meta.url))

/** Starts a bare route in a separate process. */
const startBare = async ({ url: databaseUrl, dataDir }: BenchDatabase, { userId }: Account) => {
  const port = freePort()
  const database = databaseUrl ?? dataDir
  const child = Bun.spawn([process.execPath, script('bare'), String(port), database, userId])
  const stop = async () => {
    child.kill()
    await child.exited
  }
  const url = `http://127.0.0.1:${port}/`
  for (let tries = 0; tries < 500; tries++) {
    const response = await fetch(url).catch(() => undefined)
    if (response?.ok) return { url, ...owned(stop) }
    await Bun.sleep(10)
  }
  await stop()
  throw new Error('The bare route does not respond')
}

interface Target {
  url: string
  key: string
}

const load = async ({ url, key }: Target, seconds = args.seconds): Promise<Load> => {
  const child = Bun.spawn(
    [process.execPath, script('load'), url, String(args.connections), String(seconds), key],
    { stdout: 'pipe' },
  )
  return JSON.parse(await new Response(child.stdout).text())
}

/** Serves from a database of its own. */
const serve = async (kind: DatabaseKind, env: Record<string, string> = {}) => {
  const database = await createDatabase(kind)
  const server = await startServer(database, env)
  const account = await newAccount(server)
  const stop = async () => {
    await server[Symbol.asyncDispose]()
    await database[Symbol.asyncDispose]()
  }
  const target: Target = { url: new URL(me.path, server.url).href, key: account.key }
  return { database, account, target, ...owned(stop) }
}

const NAMES = ['bare', 'svc', 'metrics'] as const
type Round = Record<(typeof NAMES)[number], Load>

/** Alternates the targets, in the reverse order in every second round. */
const measure = async (kind: DatabaseKind): Promise<Round[]> => {
  await using svc = await serve(kind)
  await using metrics = await serve(kind, { SVC_METRICS_TOKEN: crypto.randomUUID() })
  await using bare = await startBare(svc.database, svc.account)
  const targets: Record<keyof Round, Target> = {
    bare: { url: bare.url, key: '' },
    svc: svc.target,
    metrics: metrics.target,
  }
  const rounds: Round[] = []
  for (const name of NAMES) await load(targets[name], 2)
  for (let round = 0; round < args.rounds; round++) {
    const results = {} as Round
    for (const name of round % 2 ? NAMES.toReversed() : NAMES)
      results[name] = await load(targets[name])
    rounds.push(results)
  }
  return rounds
}

for (const kind of kindsOf(args.database)) {
  const rounds = await measure(kind)
  const busy = (name: keyof Round) =>
    `${Math.round(100 * median(rounds.map((round) => round[name].busy)))}%`
  console.log(kind)
  printTable(
    [
      'round',
      'bare requests/s',
      'GET /api/me requests/s',
      'ratio',
      'with metrics',
      'ratio to without',
    ],
    rounds.map(({ bare, svc, metrics }, i) => [
      i + 1,
      Math.round(bare.perSecond),
      Math.round(svc.perSecond),
      (svc.perSecond / bare.perSecond).toFixed(3),
      Math.round(metrics.perSecond),
      (metrics.perSecond / svc.perSecond).toFixed(3),
    ]),
  )
  const ratio = median(rounds.map(({ bare, svc }) => svc.perSecond / bare.perSecond))
  console.log(`median ratio ${ratio.toFixed(3)} (target ${TARGET} or more)`)
  const ofMetrics = median(rounds.map(({ svc, metrics }) => metrics.perSecond / svc.perSecond))
  console.log(
    `median ratio with metrics ${ofMetrics.toFixed(3)} (target ${METRICS_TARGET} or more)`,
  )
  console.log(`the load generator used ${busy('bare')} and ${busy('svc')} of a CPU`)
}
