import { Interrupted } from './errors.ts'
import { exitCode } from './exit.ts'

const handlers: (() => void)[] = []

/** Has Ctrl-C do something else than end svc, as long as what is returned is not disposed of. */
export const onInterrupt = (handler: () => void): Disposable => {
  handlers.push(handler)
  return {
    [Symbol.dispose]: () => {
      handlers.splice(handlers.lastIndexOf(handler), 1)
    },
  }
}

/**
 * Does what Ctrl-C can end: the signal is for all that it waits for. A second Ctrl-C ends svc at once.
 * @throws Interrupted when it was ended.
 */
export const interruptible = async <T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> => {
  const leaving = new AbortController()
  using _ = onInterrupt(() => {
    if (leaving.signal.aborted) process.exit(exitCode.interrupted)
    leaving.abort()
  })
  try {
    return await work(leaving.signal)
  } catch (error) {
    throw leaving.signal.aborted ? new Interrupted() : error
  }
}

/**
 * Answers Ctrl-C, and likewise being told to end and the loss of the terminal: by what was asked for
 * last, or by ending. `say` takes the last words.
 */
export const watchInterrupts = (say: (text: string) => void): void => {
  const interrupt = () => {
    const handler = handlers.at(-1)
    if (handler) return handler()
    say('Interrupted.')
    process.exit(exitCode.interrupted)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, interrupt)
}
