import { dirname, join } from 'node:path'
import { CliError } from '../../errors.ts'
import { makePrivateDirectory, readPrivateFile, replacePrivateFile } from '../../private-file.ts'

/** Maximum number of stored lines. */
const MAX_LINES = 1_000

/** The input history of `svc chat`, for the arrow keys. */
export const openHistory = (dir: string) => {
  const path = join(dir, 'chat_history')
  const read = (): string[] => (readPrivateFile(path) ?? '').split('\n').filter(Boolean)
  /** File errors are ignored: they must not end the chat. */
  const ignoringErrors = <T>(work: () => T, otherwise: T): T => {
    try {
      return work()
    } catch (error) {
      if (error instanceof CliError) return otherwise
      throw error
    }
  }
  return {
    /** In the order of readline. */
    newestFirst: (): string[] => ignoringErrors(() => read().reverse(), []),
    /** Adds a message as one line. */
    add(message: string): void {
      const line = oneLine(message)
      ignoringErrors(() => {
        const lines = read()
        if (!line || lines.at(-1) === line) return
        makePrivateDirectory(dirname(path))
        replacePrivateFile(path, `${[...lines, line].slice(-MAX_LINES).join('\n')}\n`)
      }, undefined)
    },
  }
}

const oneLine = (message: string): string =>
  message
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(' ')
