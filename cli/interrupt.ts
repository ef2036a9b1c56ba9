import { exitCode, Interrupted } from './errors.ts'
import type { Runtime } from './runtime.ts'

/**
 * Runs work that Ctrl-C aborts through the signal. A second Ctrl-C exits immediately.
 * @throws Interrupted if the work was aborted.
 */
export const runInterruptible = async <T>(
  { runtime }: { runtime: Runtime },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const abort = new AbortController()
  using _ = runtime.onInterrupt(() => {
    if (abort.signal.aborted) return runtime.exit(exitCode.interrupted)
    abort.abort()
  })
  try {
    return await work(abort.signal)
  } catch (error) {
    throw abort.signal.aborted ? new Interrupted() : error
  }
}

/** Runs a program at the terminal. Ctrl-C goes to the program while it runs. @returns its exit code. */
export const runProgram = async (
  runtime: Runtime,
  command: string[],
  input?: string,
): Promise<number> => {
  using _ = runtime.onInterrupt(() => {})
  return await runtime.run(command, input)
}
