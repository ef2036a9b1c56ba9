import { fileURLToPath } from 'node:url'
import { withoutMeaning } from './meaning.ts'

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

/** `svc` of the clone. */
export const CLONE = [process.execPath, MAIN]

/** `svc`: of the clone, or the release of a whole test run, which starts in less than half of the time. */
export const SVC = process.env.TEST_SVC ? [process.env.TEST_SVC] : CLONE

/** How messages name `SVC` where it is not installed. */
export const SVC_NAME = process.env.TEST_SVC || './svc'

/** The temporary directory of the tests is also that of the processes that they start. */
export const TEMPORARY = process.env.TMPDIR ? { TMPDIR: process.env.TMPDIR } : {}

/** One process on every machine, however many processors it has. */
const DEFAULTS = {
  PATH: process.env.PATH,
  HOME: '/nonexistent',
  SVC_PORT: '0',
  SVC_PROCESSES: '1',
}

/**
 * Starts the server as an operator does: `svc serve`, with only these variables.
 * @param wrapper a command that executes the server, such as `unshare`.
 * @param program another command that serves.
 */
export const spawnServer = (
  env: Record<string, string | undefined>,
  wrapper: string[] = [],
  program = [...SVC, 'serve'],
) => {
  const child = Bun.spawn([...wrapper, ...program], {
    env: { ...DEFAULTS, ...TEMPORARY, ...withoutMeaning(env), ...env },
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const ended = Promise.withResolvers<void>()
  const url = Promise.withResolvers<string>()
  // A test that only waits for the exit does not read the address.
  url.promise.catch(() => {})
  let stderr = ''
  const read = async () => {
    const decoder = new TextDecoder()
    for await (const chunk of child.stderr) {
      stderr += decoder.decode(chunk, { stream: true })
      const found = /Open\s+http:\/\/localhost:(\d+)\n/.exec(stderr)
      if (found) url.resolve(`http://127.0.0.1:${found[1]}`)
    }
    url.reject(new Error(`the server ended: ${stderr}`))
    ended.resolve()
  }
  void read()
  return {
    child,
    /** The address it listens on, once it does. */
    url: url.promise,
    /** The output so far. */
    output: () => stderr,
    /** The exit code and the output. */
    async result() {
      const code = await child.exited
      await ended.promise
      return { code, stderr }
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}
