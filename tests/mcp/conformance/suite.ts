import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../client.ts'

interface Check {
  id: string
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  errorMessage?: string
}

/** What came of the scenarios, by their names. */
export type Results = Record<string, Check[]>

/** The official suite, which runs on Bun; it needs a newer Node than the one we ask for. */
const SUITE = join(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')

/** Runs the suite, and gives its output line by line to `watch` while it runs. */
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

/** One directory for each scenario: what was run, its name and the time. */
const readResults = (output: string): Results =>
  Object.fromEntries(
    readdirSync(output).map((directory) => [
      directory.replace(/^(authorization-)?server-/, '').replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, ''),
      JSON.parse(readFileSync(join(output, directory, 'checks.json'), 'utf8')) as Check[],
    ]),
  )

/** What did not pass, to be read where a test fails. */
export const failuresIn = (checks: Check[] | undefined): string[] =>
  checks
    ? checks
        .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
        .map(({ id, errorMessage }) => `${id}: ${errorMessage}`)
    : ['it did not run']
