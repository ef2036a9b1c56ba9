import { createClient } from '../shared/client.ts'
import { recall, remember } from '../shared/contract/index.ts'
import { count, counts, readArgs } from './lib/args.ts'
import { createDatabase } from './lib/database.ts'
import { residentMib } from './lib/resident.ts'
import { type Account, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations, questionAbout, random, type Turn } from './lib/text.ts'
import { memoryOf, writeTurns } from './lib/write.ts'

const { values: args } = readArgs(
  `bench/week.ts: many owners who recall and write at random on two web processes and a worker, with PostgreSQL
(ms); some recalls are compared with those of a process that loads the owner for each`,
  {
    owners: count('number of owners', 1_000),
    largest: counts(
      'memories of the largest owners; each other has 10 to 300',
      [100_000, 30_000, 30_000, 10_000, 10_000, 10_000, 3_000, 3_000, 3_000, 3_000],
    ),
    minutes: count('duration in minutes', 60),
    rate: count('requests a second', 60),
    checks: count('one recall of so many is compared', 5),
    megabytes: count('SVC_INDEX_MB of each web process', 128),
  },
)

/** Of the requests that are no recalls. */
const WRITES = 0.25
const SIGN_UPS_AT_ONCE = 4
/** Answers differ for a moment where an engine has written in between. */
const COMPARISONS = 4

const TOKEN = crypto.randomUUID()
const SHARED = {
  SVC_AUTH_SECRET: 'the same secret for all of the processes',
  SVC_BASE_URL: 'http://svc.test',
  SVC_METRICS_TOKEN: TOKEN,
  SVC_PROCESSES: '1',
}

interface Owner {
  account: Account
  /** Some of the memories, to ask about. */
  turns: Turn[]
  size: number
  /** Ends when the last request of the owner has ended. */
  last: Promise<unknown>
}

await using database = await createDatabase('postgres')
const start = (role: 'web' | 'worker', env = {}) =>
  startServer(database, { ...SHARED, SVC_ROLE: role, ...env })
const cache = { SVC_INDEX_MB: String(args.megabytes) }
await using first = await start('web', cache)
await using second = await start('web', cache)
await using plain = await start('web', { SVC_INDEX_MB: '0' })
const webs: BenchServer[] = [first, second]
const next = random(1)

const sizeOf = (index: number): number => args.largest[index] ?? Math.round(10 * 30 ** next())

const addOwner = async (index: number): Promise<Owner> => {
  const account = await newAccount(first)
  const size = sizeOf(index)
  const turns = conversations(size, index + 1)
  await writeTurns(account, turns)
  const step = Math.max(1, Math.floor(size / 200))
  return {
    account,
    size,
    turns: turns.filter((_, at) => at % step === 0),
    last: Promise.resolve(),
  }
}

const fill = async (): Promise<Owner[]> => {
  const owners: Owner[] = []
  let index = 0
  const work = async () => {
    while (index < args.owners) {
      const own = index
      index += 1
      owners.push(await addOwner(own))
    }
  }
  await Promise.all(Array.from({ length: SIGN_UPS_AT_ONCE }, work))
  return owners.toSorted((a, b) => b.size - a.size)
}

const [fillMs, owners] = await timed(fill)
await using _worker = await start('worker')

/** Owners in use come again: the rank of an owner follows Zipf's law in an order of its own. */
const inUse = owners.toSorted(() => next() - 0.5)
const weights = inUse.map((_, rank) => 1 / (rank + 1))
const total = weights.reduce((sum, weight) => sum + weight, 0)
const draw = (): Owner => {
  let target = next() * total
  const found = inUse.findIndex((_, rank) => {
    target -= weights[rank] ?? 0
    return target < 0
  })
  return inUse[Math.max(0, found)] as Owner
}

const at = ({ url }: BenchServer, { account }: Owner) =>
  createClient({ baseUrl: url, credential: account.key })

interface Result {
  recalls: number[]
  writes: number[]
  errors: number
  compared: number
  different: number
}
const result: Result = { recalls: [], writes: [], errors: 0, compared: 0, different: 0 }

const ask = (server: BenchServer, owner: Owner, query: string) =>
  at(server, owner).call(recall, { body: { query, limit: 20, explain: true } })

const isSame = async (server: BenchServer, owner: Owner, query: string): Promise<boolean> => {
  for (let tries = 0; tries < COMPARISONS; tries++) {
    const [one, other] = [await ask(server, owner, query), await ask(plain, owner, query)]
    if (Bun.deepEquals(one, other)) return true
  }
  return false
}

let number = 0
const send = async (owner: Owner, server: BenchServer): Promise<void> => {
  const turn = owner.turns[Math.floor(next() * owner.turns.length)]
  if (!turn) return
  number += 1
  if (next() < WRITES) {
    const content = `${turn.content} (${number})`
    const body = memoryOf({ ...turn, content })
    const [ms] = await timed(() => at(server, owner).call(remember, { body }))
    result.writes.push(ms)
    owner.turns.push({ ...turn, content })
    return
  }
  const query = questionAbout(turn, next)
  const [ms] = await timed(() => ask(server, owner, query))
  result.recalls.push(ms)
  if (result.recalls.length % args.checks) return
  result.compared += 1
  if (!(await isSame(server, owner, query))) result.different += 1
}

/** The requests of an owner follow one another, so that a comparison sees no write of its own. */
const schedule = (): Promise<unknown> => {
  const owner = draw()
  const server = webs[Math.floor(next() * webs.length)] as BenchServer
  owner.last = owner.last.then(() =>
    send(owner, server).catch(() => {
      result.errors += 1
    }),
  )
  return owner.last
}

const scrape = async ({ url }: BenchServer) => {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const text = await response.text()
  const sumOf = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')
        .at(-1) ?? 0,
    )
  return {
    loads: sumOf('svc_recall_index_loads_total'),
    owners: sumOf('svc_recall_index_owners'),
    mib: sumOf('svc_recall_index_bytes') / 1024 ** 2,
  }
}

const memories = owners.reduce((sum, { size }) => sum + size, 0)
console.log(
  `${owners.length} owners with ${memories} memories, written in ${(fillMs / 1000).toFixed(0)} s`,
)

const before = webs.map(({ pid }) => residentMib(pid))
const peaks = [...before]
const seconds = args.minutes * 60
const pending: Promise<unknown>[] = []
const began = performance.now()
for (let sent = 0; sent < seconds * args.rate; sent++) {
  const due = began + (sent * 1000) / args.rate
  const wait = due - performance.now()
  if (wait > 0) await Bun.sleep(wait)
  pending.push(schedule())
  if (sent % args.rate === 0)
    for (const [i, { pid }] of webs.entries()) peaks[i] = Math.max(peaks[i] ?? 0, residentMib(pid))
}
await Promise.all(pending)

const times = ({ length }: number[], values: number[]) => [
  length,
  quantile(values, 0.5).toFixed(1),
  quantile(values, 0.95).toFixed(1),
  quantile(values, 0.99).toFixed(1),
]
printTable(
  ['request', 'number', 'p50', 'p95', 'p99'],
  [
    ['recall', ...times(result.recalls, result.recalls)],
    ['remember', ...times(result.writes, result.writes)],
  ],
)
const states = await Promise.all(webs.map(scrape))
printTable(
  ['process', 'loads', 'owners', 'indexes MiB', 'MiB before', 'peak MiB'],
  states.map((state, i) => [
    `web ${i + 1}`,
    state.loads,
    state.owners,
    state.mib.toFixed(0),
    (before[i] ?? 0).toFixed(0),
    (peaks[i] ?? 0).toFixed(0),
  ]),
)
console.log(
  `${result.compared} recalls compared, ${result.different} differ; ${result.errors} requests failed`,
)
if (result.different || result.errors) process.exitCode = 1
