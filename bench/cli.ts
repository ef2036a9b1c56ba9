import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { count, readArgs } from './lib/args.ts'
import { median, quantile, timed } from './lib/stats.ts'
import { printTable } from './lib/table.ts'

const { values: args } = readArgs(
  'bench/cli.ts: run time of svc commands, compared with an empty bun script',
  { runs: count('number of runs of each command, interleaved', 40) },
)

const root = resolve(import.meta.dir, '..')
const dir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const executable = join(dir, 'svc')
const env = { HOME: dir, PATH: process.env.PATH ?? '' }

const start = async (command: string[]): Promise<void> => {
  await Bun.spawn(command, { env, stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' }).exited
}

/** The baseline: the runtime with an empty script. */
const bare = 'bun -e 0'
const main = [process.execPath, join(root, 'cli/main.ts')]
const commands: Record<string, string[]> = {
  [bare]: [process.execPath, '-e', '0'],
  'svc --version': [...main, '--version'],
  'svc --help': [...main, '--help'],
  'svc config list': [...main, 'config', 'list'],
  'svc whoami (not signed in)': [...main, 'whoami'],
  'the executable: --version': [executable, '--version'],
  'the executable: --help': [executable, '--help'],
}

try {
  await start([process.execPath, join(root, 'scripts/build.ts'), '--outfile', executable])
  const times: Record<string, number[]> = {}
  // Interleaved, so that other load on the machine affects all commands equally. The first round is a warm-up.
  for (let run = 0; run <= args.runs; run++)
    for (const [name, command] of Object.entries(commands)) {
      const [ms] = await timed(() => start(command))
      times[name] ??= []
      if (run > 0) times[name].push(ms)
    }
  const baseline = median(times[bare] ?? [])
  printTable(
    ['ms', 'median', 'p95', `/ ${bare}`],
    Object.entries(times).map(([name, ms]) => [
      name,
      median(ms).toFixed(1),
      quantile(ms, 0.95).toFixed(1),
      `${(median(ms) / baseline).toFixed(2)}x`,
    ]),
  )
} finally {
  rmSync(dir, { recursive: true, force: true })
}
