import { rmSync } from 'node:fs'
import { count, readArgs, text } from './lib/args.ts'
import { temporaryDirectory } from './lib/database.ts'
import { totalMib } from './lib/resident.ts'
import { startServer } from './lib/server.ts'
import { median, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/start.ts: time from the command until GET /api/ready returns 200, with the embedded database',
  {
    runs: count('number of first starts, each with one restart', 5),
    idle: count('idle time before memory is measured, in seconds', 10),
    svc: text('the executable of a release; empty for this clone', ''),
  },
)

const FIRST_START_TARGET_MS = 1_500
const RESTART_TARGET_MS = 800
const MEMORY_TARGET_MIB = 250

const start = async (dataDir: string, idleSeconds = 0): Promise<{ ms: number; mib: number }> => {
  const [ms, server] = await timed(() =>
    startServer({ dataDir, url: undefined }, {}, undefined, args.svc),
  )
  await Bun.sleep(idleSeconds * 1_000)
  const mib = totalMib(server.pid, dataDir)
  await server[Symbol.asyncDispose]()
  return { ms, mib }
}

const first: number[] = []
const restarts: number[] = []
const memory: number[] = []
// Deleted at the end: for minutes after a thousand files are deleted, ext4 creates files slowly, because
// it looks for inodes that were not used recently.
using directories = new DisposableStack()
for (let run = 0; run < args.runs; run++) {
  const dataDir = directories.adopt(temporaryDirectory(), (path) =>
    rmSync(path, { recursive: true, force: true }),
  )
  first.push((await start(dataDir)).ms)
  const restarted = await start(dataDir, args.idle)
  restarts.push(restarted.ms)
  memory.push(restarted.mib)
}

const row = (name: string, values: number[], target: number) =>
  [name, Math.min(...values), median(values), Math.max(...values), target].map((cell) =>
    typeof cell === 'number' ? cell.toFixed(0) : cell,
  )
printTable(
  ['', 'min', 'median', 'max', 'target'],
  [
    row('first start, ms to ready', first, FIRST_START_TARGET_MS),
    row('restart, ms to ready', restarts, RESTART_TARGET_MS),
    row('idle memory of svc and PostgreSQL, MiB', memory, MEMORY_TARGET_MIB),
  ],
)
