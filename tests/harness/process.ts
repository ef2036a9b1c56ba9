import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../cli/main.ts', import.meta.url))

/**
 * Starts the server as an operator does: `svc serve`, with only these variables.
 * @param wrapper a command that executes the server, such as `unshare`.
 * @param program another program that serves.
 */
export const spawnServer = (
  env: Record<string, string | undefined>,
  wrapper: string[] = [],
  program = [MAIN, 'serve'],
) => {
  const child = Bun.spawn([...wrapper, process.execPath, ...program], {
    env: { PATH: process.env.PATH, HOME: '/nonexistent', SVC_PORT: '0', ...env },
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
