import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writePythonClient } from '../../scripts/python-client.ts'
import { TEMPORARY } from '../harness/process.ts'
import { PATH } from '../harness/programs.ts'
import { temporaryDirectory } from '../harness/temporary.ts'

const ROOT = join(import.meta.dir, '../..')

/** The folder of the module, which this process writes for its test files. */
export const PYTHON_SOURCE = temporaryDirectory('svc-test-python-')
await writePythonClient(PYTHON_SOURCE)
export const EXAMPLES = join(ROOT, 'clients/python/examples')
const SCRIPTS = join(import.meta.dir, 'python')
/** Modules with the documented interfaces of the frameworks that have adapters. */
export const FRAMEWORKS = join(SCRIPTS, 'frameworks')

const SYSTEM_PYTHON = '/usr/bin/python3'

/** The Python of the system, or the first of the PATH. `TEST_PYTHON` names another one. */
export const PYTHON =
  process.env.TEST_PYTHON ?? (existsSync(SYSTEM_PYTHON) ? SYSTEM_PYTHON : 'python3')

/** Below the timeout of a test, so that no script outlives it. */
const WITHIN_MS = 110_000

interface RunOptions {
  args?: string[]
  env?: Record<string, string>
  /** Written to the standard input, once it is known. */
  input?: string | Promise<string>
  /** The folders and archives that Python imports modules from. */
  from?: string[]
}

/**
 * Runs a script with warnings as errors.
 * @param script a file of `tests/clients/python`, or an absolute path.
 * @returns its standard output. @throws Error with its errors if it fails.
 */
export const runPython = async (script: string, options: RunOptions = {}): Promise<string> => {
  const { args = [], env = {}, input = '', from = [PYTHON_SOURCE] } = options
  const path = script.startsWith('/') ? script : join(SCRIPTS, script)
  const child = Bun.spawn([PYTHON, '-W', 'error', path, ...args], {
    env: {
      ...TEMPORARY,
      PATH,
      HOME: '/nonexistent',
      PYTHONPATH: from.join(':'),
      PYTHONDONTWRITEBYTECODE: '1',
      ...env,
    },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'pipe',
    timeout: WITHIN_MS,
  })
  const write = async () => {
    child.stdin.write(await input)
    await child.stdin.end()
  }
  const [stdout, stderr, code] = await Promise.all([
    child.stdout.text(),
    child.stderr.text(),
    child.exited,
    write(),
  ])
  if (code !== 0 || stderr) throw new Error(`${script} ended with ${code}: ${stdout}${stderr}`)
  return stdout
}

/** Runs a script that prints JSON as its last line. */
export const pythonResult = async (script: string, options?: RunOptions) =>
  JSON.parse((await runPython(script, options)).trimEnd().split('\n').at(-1) ?? '')

/** A file with this source, which is deleted when the tests end. */
export const temporaryScript = (source: string): string => {
  const path = join(temporaryDirectory('svc-test-python-'), 'script.py')
  writeFileSync(path, source)
  return path
}
