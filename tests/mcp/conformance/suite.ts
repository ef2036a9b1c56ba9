import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../client.ts'

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

/** The checks of each scenario, by name. */
export type Results = Record<string, Check[]>

/** The official suite. It runs on Bun, because it needs a newer Node than svc does. */
const SUITE = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Runs the suite and passes its output to `watch` line by line. */
export const runSuite = async (
  args: string[],
  watch: (line: string) => void = () => {},
): Promise<Results> => {
  const output = mkdtempSync(join(tmpdir(), 'svc-conformance-'))
  try {
    const child = Bun.spawn([process.execPath, SUITE, ...args, '-o', output], {
      stdout: 'pipe',
      stderr: 'inherit',
    })
    const decoder = new TextDecoder()
    let rest = ''
    for await (const chunk of child.stdout) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) watch(line)
    }
    await child.exited
    return readResults(output)
  } finally {
    rmSync(output, { recursive: true, force: true })
  }
}

/** Each scenario has a directory named after the kind, the scenario and the time. */
const readResults = (output: string): Results =>
  Object.fromEntries(
    readdirSync(output).map((directory) => [
      directory.replace(/^(authorization-)?server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      JSON.parse(readFileSync(join(output, directory, 'checks.json'), 'utf8')) as Check[],
    ]),
  )

/** The failed checks, for the message of a failing test. */
export const failuresIn = (checks: Check[] | undefined): string[] =>
  checks
    ? checks
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ id, errorMessage }) => `${id}: ${errorMessage}`)
    : ['it did not run']
