import { type Line, readRequests } from './frames.ts'

/**
 * Runs the tasks of a pool in order; called by the entry file of its children. The process exits when
 * its input ends, that is, with the server.
 */
export const serveTasks = async (
  work: (header: unknown, bytes: Uint8Array) => AsyncIterable<unknown> | Iterable<unknown>,
): Promise<void> => {
  const output = Bun.stdout.writer()
  const send = async (line: Line) => {
    output.write(`${JSON.stringify(line)}\n`)
    await output.flush()
  }
  // Standard output is for responses, so a library must not print to it.
  console.log = console.info = console.warn = console.debug = () => {}
  for await (const { header, bytes } of readRequests(Bun.stdin.stream())) {
    try {
      for await (const item of work(header, bytes)) await send({ item })
      await send({ end: true })
    } catch (error) {
      // A RangeError (memory or stack exhausted) is due to the input; any other error is a bug.
      await send({ failed: String(error), isTooLarge: error instanceof RangeError })
    }
  }
  process.exit(0)
}
