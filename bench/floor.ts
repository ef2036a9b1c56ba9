import { fileURLToPath } from 'node:url'
import { me } from '../shared/contract/index.ts'
import { count, readArgs } from './lib/args.ts'
import { createDatabase } from './lib/database.ts'
import type { Load } from './lib/load.ts'
import { owned } from './lib/owned.ts'
import { type Account, freePort, newAccount, startServer } from './lib/server.ts'
import { median } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

const TARGET = 0.85
/** Of a server that measures, compared with one that does not. */
const METRICS_TARGET = 0.97

const { values: args } = readArgs(
  'bench/floor.ts: GET /api/me with a key, compared with a bare route with one select, without and with metrics, on PostgreSQL',
  {
    seconds: count('seconds of load on each, per round', 5),
    connections: count('number of concurrent connections', 16),
    rounds: count('number of rounds', 5),
  },
)

const script = (name: string) => fileURLToPath(new URL(`lib/${name}.ts`, import.meta.url))

/** Starts a bare route in a separate process. */
const startBare = async (databaseUrl: string, { userId }: Account) => {
  const port = freePort()
  const child = Bun.spawn([process.execPath, script('bare'), String(port), databaseUrl, userId])
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

const load = async (url: string, key: string, seconds = args.seconds): Promise<Load> => {
  const child = Bun.spawn(
    [process.execPath, script('load'), url, String(args.connections), String(seconds), key],
    { stdout: 'pipe' },
  )
  return JSON.parse(await new Response(child.stdout).text())
}

await using database = await createDatabase('postgres')
await using server = await startServer(database)
await using measuring = await startServer(database, { SVC_METRICS_TOKEN: crypto.randomUUID() })
const account = await newAccount(server)
await using bare = await startBare(database.url ?? '', account)
const measured = {
  bare: bare.url,
  svc: new URL(me.path, server.url).href,
  metrics: new URL(me.path, measuring.url).href,
}

const rounds: Record<keyof typeof measured, Load>[] = []
for (const url of Object.values(measured)) await load(url, account.key, 2)
for (let round = 0; round < args.rounds; round++) {
  const results = {} as Record<keyof typeof measured, Load>
  const names = Object.keys(measured) as (keyof typeof measured)[]
  for (const name of round % 2 ? names.toReversed() : names)
    results[name] = await load(measured[name], account.key)
  rounds.push(results)
}

const busy = (name: keyof typeof measured) =>
  `${Math.round(100 * median(rounds.map((round) => round[name].busy)))}%`
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
const metricsRatio = median(rounds.map(({ svc, metrics }) => metrics.perSecond / svc.perSecond))
console.log(
  `median ratio with metrics ${metricsRatio.toFixed(3)} (target ${METRICS_TARGET} or more)`,
)
console.log(`the load generator used ${busy('bare')} and ${busy('svc')} of a CPU`)
