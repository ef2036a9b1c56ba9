import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { median, quantile, timed } from './stats.ts'

const root = resolve(import.meta.dir, '../..')

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  },
}

/** Starts a stdio server, waits for its response to `initialize`, and ends it. @returns milliseconds. */
const initialize = async (command: string[], env: Record<string, string>): Promise<number> => {
  const startedAt = performance.now()
  const child = Bun.spawn(command, { env, stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
  child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`)
  child.stdin.flush()
  const { value } = await child.stdout.getReader().read()
  const ms = performance.now() - startedAt
  if (!new TextDecoder().decode(value).includes('"serverInfo"'))
    throw new Error(`${command.join(' ')} did not respond to initialize`)
  child.kill()
  await child.exited
  return ms
}

/** Rows: the time until the response to `initialize`, and its ratio to `bun -e 0`, interleaved. */
export const measureStarts = async (runs: number): Promise<string[][]> => {
  const dir = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  try {
    const executable = join(dir, 'svc')
    const env = { HOME: dir, PATH: process.env.PATH ?? '' }
    const start = async (command: string[]) => {
      await Bun.spawn(command, { env, stdout: 'ignore', stderr: 'ignore' }).exited
    }
    await start([process.execPath, join(root, 'scripts/build.ts'), '--outfile', executable])
    const bare = async () => (await timed(() => start([process.execPath, '-e', '0'])))[0]
    const ways: [name: string, target: string, measure: () => Promise<number>][] = [
      ['bun -e 0', '', bare],
      ['the executable', '300', () => initialize([executable, 'mcp', 'run'], env)],
      [
        'bun mcp/main.ts',
        '500',
        () => initialize([process.execPath, join(root, 'mcp/main.ts')], env),
      ],
    ]
    const times = ways.map((): number[] => [])
    // The first round is a warm-up.
    for (let run = 0; run <= runs; run++)
      for (const [way, [, , measure]] of ways.entries()) {
        const ms = await measure()
        if (run > 0) times[way]?.push(ms)
      }
    const baseline = median(times[0] ?? [])
    return ways.map(([name, target], way) => {
      const ms = times[way] ?? []
      const ratio = (median(ms) / baseline).toFixed(1)
      return [name, median(ms).toFixed(1), quantile(ms, 0.95).toFixed(1), ratio, target]
    })
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
