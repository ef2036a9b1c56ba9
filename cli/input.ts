import { CliError, usageError } from './errors.ts'
import type { Io } from './output.ts'

/** All of stdin, as text. @throws CliError when it is not UTF-8. */
export const readStdin = async (): Promise<string> =>
  decode(await Bun.stdin.bytes(), 'The input', 'Pipe text in; --help shows how.')

/**
 * What is to be said: the words, and below them what is piped in.
 * @throws CliError when there is neither; `example` is a command that has some.
 */
export const readMessage = async (words: string[], io: Io, example: string): Promise<string> => {
  const piped = io.stdinIsTerminal ? '' : await readPiped(io)
  const message = [words.join(' '), piped].filter((part) => /\S/.test(part)).join('\n\n')
  if (message) return message
  throw usageError('There is nothing to say.', `Run: ${example}`)
}

/** So long a pause leaves people wondering what svc waits for. */
const PATIENCE_MS = 2_000

/** All of stdin without the line ends behind it; whoever forgot that it is open is told. */
export const readPiped = async (io: Io): Promise<string> => {
  const telling = setTimeout(
    () =>
      io.note(
        io.stdinIsTerminal
          ? 'Waiting for what you type. Ctrl-D ends it.'
          : 'Waiting for the end of what is piped in. Where nothing is, add: < /dev/null',
      ),
    PATIENCE_MS,
  )
  const text = await readStdin().finally(() => clearTimeout(telling))
  return trimEnd(text)
}

/** A text without the line ends behind it, which files and pipes have. */
export const trimEnd = (text: string): string => text.replace(/[\r\n]+$/, '')

/** A text file. @throws CliError when there is none, or it is not UTF-8. */
export const readTextFile = async (path: string): Promise<string> => {
  const bytes = await Bun.file(path)
    .bytes()
    .catch((cause) => {
      throw usageError(`Cannot read ${path}: ${cause.message}`, 'Name another file.', cause)
    })
  return decode(bytes, path, 'Name a text file.')
}

const decode = (bytes: Uint8Array, source: string, next: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new CliError(`${source} is not UTF-8 text.`, next, { kind: 'usage', cause })
  }
}

/** Whether somebody said yes at the terminal; what is not yes is no. */
export const confirm = async (question: string): Promise<boolean> => {
  const { createInterface } = await import('node:readline/promises')
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<string>((resolve) => asking.once('close', () => resolve('')))
  // Ctrl-C reaches readline, not the process, while it reads keys.
  asking.once('SIGINT', () => {
    process.stderr.write('\n')
    process.kill(process.pid, 'SIGINT')
  })
  const answer = await Promise.race([asking.question(`${question} [y/N] `), closed])
  asking.close()
  return /^y(es)?$/i.test(answer.trim())
}
