import { Interrupted } from './errors.ts'
import { exitCode } from './exit.ts'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const handlers: (() => void)[] = []

/** Handles Ctrl-C instead of exiting, until the returned object is disposed. */
export const onInterrupt = (handler: () => void): Disposable => {
  handlers.push(handler)
  return {
    [Symbol.dispose]: () => {
      handlers.splice(handlers.lastIndexOf(handler), 1)
    },
  }
}

/**
 * Runs work that Ctrl-C aborts through the signal. A second Ctrl-C exits immediately.
 * @throws Interrupted if the work was aborted.
 */
export const runInterruptible = async <T>(
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const abort = new AbortController()
  using _ = onInterrupt(() => {
    if (abort.signal.aborted) process.exit(exitCode.interrupted)
    abort.abort()
  })
  try {
    return await work(abort.signal)
  } catch (error) {
    throw abort.signal.aborted ? new Interrupted() : error
  }
}

/**
 * Handles SIGINT, SIGTERM and SIGHUP with the latest handler, or exits.
 * @param message prints the reason before exiting.
 */
export const watchInterrupts = (message: (text: string) => void): void => {
  const interrupt = () => {
    const handler = handlers.at(-1)
    if (handler) return handler()
    message('Interrupted.')
    process.exit(exitCode.interrupted)
  }
  for (const signal of SIGNALS) process.on(signal, interrupt)
}

/** Restores the default behaviour of the signals. */
export const unwatchInterrupts = (): void => {
  for (const signal of SIGNALS) process.removeAllListeners(signal)
}
