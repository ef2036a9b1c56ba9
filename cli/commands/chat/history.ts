import { dirname, join } from 'node:path'
import { CliError } from '../../errors.ts'
import { makePrivate, readPrivate, replacePrivate } from '../../private-file.ts'

/** So many lines are kept. */
const KEPT = 1_000

/** What was typed before at the prompt of `svc chat`: for the arrow keys. */
export const openHistory = (dir: string) => {
  const path = join(dir, 'chat_history')
  const read = (): string[] => (readPrivate(path) ?? '').split('\n').filter(Boolean)
  /** A conversation does not end because what was typed in it cannot be kept. */
  const ifPossible = <T>(work: () => T, otherwise: T): T => {
    try {
      return work()
    } catch (error) {
      if (error instanceof CliError) return otherwise
      throw error
    }
  }
  return {
    /** The newest first, as readline wants it. */
    newestFirst: (): string[] => ifPossible(() => read().reverse(), []),
    /** Adds a message; its lines become one. */
    add(message: string): void {
      const line = message.replace(/\s*\n\s*/g, ' ').trim()
      ifPossible(() => {
        const lines = read()
        if (!line || lines.at(-1) === line) return
        makePrivate(dirname(path))
        replacePrivate(path, `${[...lines, line].slice(-KEPT).join('\n')}\n`)
      }, undefined)
    },
  }
}
