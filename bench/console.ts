import type { Browser } from 'playwright-core'
import { listEngines, memoryStatistics, switchEngine } from '../shared/contract/index.ts'
import { count, readArgs } from './lib/args.ts'
import { startBrowser } from './lib/browser.ts'
import { measureBundles } from './lib/console-bundles.ts'
import {
  type FrameRate,
  type GraphTasks,
  measureEmpty,
  measureGraph,
  measureList,
  REPORTED_TASK_MS,
} from './lib/console-frames.ts'
import { countIdleRequests, measureEvents, measureShifts } from './lib/console-live.ts'
import { measureLoad } from './lib/console-loads.ts'
import { createDatabase } from './lib/database.ts'
import { verify } from './lib/pending.ts'
import { residentMib } from './lib/resident.ts'
import { type Account, type BenchServer, newAccount, startServer } from './lib/server.ts'
import { median, quantile } from './lib/stats.ts'
import { printTable } from './lib/table.ts'
import { conversations } from './lib/text.ts'
import { writeTurns } from './lib/write.ts'

const MAX_FIRST_LOAD_KB = 250
const MAX_INTERACTIVE_MS = 2_000
const MAX_SHIFT = 0.05
const MAX_TASK_MS = 200
const MAX_IDLE_PER_MINUTE = 1
const MAX_EVENT_MS = 300
const SECONDS_PER_MINUTE = 60
const SEED = 7
const ADMIN = 'admin@example.com'
/** Smaller chunks are not listed. */
const LISTED_BYTES = 2_000
const POLL_MS = 1_000

const { values: args } = readArgs(
  'bench/console.ts: size, start, frames, shifts, idle requests and events of the console in a headless browser',
  {
    loads: count('number of cold loads', 5),
    slowdown: count('CPU slowdown during the loads', 4),
    memories: count('number of memories in the list; 0 skips it', 100_000),
    nodes: count('number of memories in the graph, at most 5000; 0 skips it', 5_000),
    seconds: count('seconds of scrolling and panning', 5),
    idle: count('seconds that a console is open without activity', 120),
    consoles: count('consoles of an account that are open while events happen', 200),
    events: count('events', 50),
  },
)

const reportBundles = async (): Promise<void> => {
  const { firstLoad, lazy } = await measureBundles()
  const listed = lazy.filter(({ size }) => size.br >= LISTED_BYTES)
  const kilobytes = (bytes: number): string => (bytes / 1000).toFixed(1)
  const row = (name: string, { plain, gzip, br }: typeof firstLoad) => [
    name,
    ...[plain, gzip, br].map(kilobytes),
  ]
  printTable(
    ['scripts (KB)', 'plain', 'gzip', 'br'],
    [row('first load', firstLoad), ...listed.map(({ name, size }) => row(name, size))],
  )
  console.log(`and ${lazy.length - listed.length} smaller ones`)
  console.log(
    `first load ${kilobytes(firstLoad.br)} KB br (target ${MAX_FIRST_LOAD_KB} KB or less)\n`,
  )
}

const newVerified = async (
  server: BenchServer,
  dataDir: string,
  email?: string,
): Promise<Account> => {
  const account = await newAccount(server, email)
  await verify(account, dataDir)
  return account
}

/** Waits until the engines have processed all memories, so that they use no CPU. */
const untilProcessed = async ({ client }: Account): Promise<void> => {
  for (;;) {
    const { engines } = await client.call(memoryStatistics)
    if (engines.every(({ pending }) => pending === 0)) return
    await Bun.sleep(POLL_MS)
  }
}

/** The graph is what the engines derive from memories. */
const createGraph = async (owner: Account): Promise<void> => {
  await writeTurns(owner, conversations(args.nodes, SEED))
  await untilProcessed(owner)
}

/** The list shows memories without what engines derive, so they are off while it is created and measured. */
const createList = async (owner: Account, admin: Account): Promise<void> => {
  const { engines } = await admin.client.call(listEngines)
  for (const { engine } of engines)
    await admin.client.call(switchEngine, {
      params: { engine },
      body: { enabled: false, reason: 'bench' },
    })
  await writeTurns(owner, conversations(args.memories, SEED))
}

const reportLoads = async (browser: Browser, server: BenchServer, account: Account) => {
  const loads: number[] = []
  for (let i = 0; i < args.loads; i++)
    loads.push(await measureLoad(browser, server, account, args.slowdown))
  printTable(
    [`cold load, CPU / ${args.slowdown}`, 'interactive (ms)'],
    loads.map((ms, i) => [i + 1, ms.toFixed(0)]),
  )
  console.log(`median ${median(loads).toFixed(0)} ms (target ${MAX_INTERACTIVE_MS} or less)\n`)
}

const reportFrames = (rows: [name: string, rate: FrameRate | undefined][]): void =>
  printTable(
    ['software rendering', 'frames/s, median', 'longest frame (ms)'],
    rows.flatMap(([name, rate]) =>
      rate ? [[name, rate.median.toFixed(1), rate.longestMs.toFixed(0)]] : [],
    ),
  )

const reportTasks = ({ openingMs, usingMs }: GraphTasks): void => {
  const format = (ms: number) => (ms ? ms.toFixed(0) : `below ${REPORTED_TASK_MS}`)
  printTable(
    [`graph of ${args.nodes} memories`, 'longest task (ms)'],
    [
      ['opening it from another screen', format(openingMs)],
      ['opening a cluster, playing and dragging', format(usingMs)],
    ],
  )
  console.log(`target ${MAX_TASK_MS} ms or less\n`)
}

/** One screen of each kind: lists, forms, charts, the graph and the chat. */
const SCREENS = [
  ...['', '/activity', '/memories', '/memories/new', '/memories/import', '/memories/captured'],
  ...['/graph', '/chat', '/chat/agents', '/connect', '/connect/keys', '/connect/apps'],
  ...['/connect/sessions', '/people/organizations', '/people/messages', '/people/shares'],
  ...['/people/email', '/automation/reflexes', '/automation/reflexes/new', '/automation/devices'],
  ...['/automation/confirmations', '/automation/inbox', '/automation/identity', '/usage'],
  ...[
    '/usage/days',
    '/usage/credits',
    '/usage/tiers',
    '/settings/profile',
    '/settings/preferences',
  ],
  ...[
    '/settings/passkeys',
    '/settings/second-factor',
    '/settings/connections',
    '/settings/files',
    '/settings/data',
  ],
].map((path) => `/app${path}`)
const ADMIN_SCREENS = [
  ...['overview', 'users', 'tiers', 'engines', 'handlers', 'queues', 'health', 'configuration'],
  ...['settings', 'backups', 'logs', 'audit'],
].map((screen) => `/app/admin/${screen}`)

const reportShifts = (shifts: Map<string, number>): void => {
  const moving = [...shifts].filter(([, shift]) => shift > 0).sort(([, a], [, b]) => b - a)
  printTable(
    ['screen', 'layout shift'],
    moving.map(([path, shift]) => [path, shift.toFixed(3)]),
  )
  const above = moving.filter(([, shift]) => shift > MAX_SHIFT).length
  console.log(`${shifts.size} screens, ${above} above ${MAX_SHIFT}\n`)
}

const reportIdle = (requests: number): void =>
  console.log(
    `idle for ${args.idle} s: ${((requests * SECONDS_PER_MINUTE) / args.idle).toFixed(1)} requests a minute (target ${MAX_IDLE_PER_MINUTE} or less)\n`,
  )

const reportEvents = (times: number[], before: number, after: number): void => {
  printTable(
    ['event to screen', 'median', 'p95', 'longest'],
    [
      [
        `${args.consoles} consoles (ms)`,
        ...[median(times), quantile(times, 0.95), Math.max(...times)].map((ms) => ms.toFixed(0)),
      ],
    ],
  )
  console.log(
    `target p95 ${MAX_EVENT_MS} ms or less; resident memory of the server ${before.toFixed(0)} MiB before, ${after.toFixed(0)} MiB with them\n`,
  )
}

await reportBundles()
await using database = await createDatabase('embedded')
await using server = await startServer(database, { SVC_ADMIN_EMAILS: ADMIN })
await using browser = await startBrowser()
const graphOwner = await newVerified(server, database.dataDir)
const listOwner = await newVerified(server, database.dataDir)
const admin = await newVerified(server, database.dataDir, ADMIN)
await createGraph(graphOwner)
await createList(listOwner, admin)
await reportLoads(browser, server, listOwner)
const graph = args.nodes ? await measureGraph(browser, server, graphOwner, args.seconds) : undefined
if (graph) reportTasks(graph)
reportFrames([
  ['empty page', await measureEmpty(browser, server, listOwner, args.seconds)],
  [
    `list of ${args.memories} memories`,
    args.memories ? await measureList(browser, server, listOwner, args.seconds) : undefined,
  ],
  [`graph of ${args.nodes} memories`, graph?.frames],
])
reportShifts(
  new Map([
    ...(await measureShifts(browser, server, graphOwner, SCREENS)),
    ...(await measureShifts(browser, server, admin, ADMIN_SCREENS)),
  ]),
)
if (args.idle) reportIdle(await countIdleRequests(browser, server, graphOwner, args.idle))
if (args.events) {
  const before = residentMib(server.pid)
  const times = await measureEvents(browser, server, graphOwner, args)
  reportEvents(times, before, residentMib(server.pid))
}
