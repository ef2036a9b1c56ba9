import { rmSync } from 'node:fs'
import { count, readArgs } from './lib/args.ts'
import { temporaryDirectory } from './lib/database.ts'
import { startServer } from './lib/server.ts'
import { median, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/start.ts: from the command to GET /api/ready answering 200, with the embedded database',
  { runs: count('how many first starts, each with one restart', 5) },
)

const startMs = async (dataDir: string): Promise<number> => {
  const [ms, server] = await timed(() => startServer({ dataDir, url: undefined }))
  await server[Symbol.asyncDispose]()
  return ms
}

const first: number[] = []
const again: number[] = []
for (let run = 0; run < args.runs; run++) {
  const dataDir = temporaryDirectory()
  try {
    first.push(await startMs(dataDir))
    again.push(await startMs(dataDir))
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const row = (name: string, ms: number[], targetMs: number) =>
  [name, Math.min(...ms), median(ms), Math.max(...ms), targetMs].map((cell) =>
    typeof cell === 'number' ? cell.toFixed(0) : cell,
  )
printTable(
  ['ms to ready', 'min', 'median', 'max', 'target'],
  [row('first start', first, 10_000), row('restart', again, 2_000)],
)
