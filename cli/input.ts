import type { Interface } from 'node:readline/promises'
import { usageError } from './errors.ts'
import type { Io } from './output.ts'

/** All of stdin as text. @throws CliError if it is not UTF-8. */
export const readStdin = async (): Promise<string> =>
  decode(await Bun.stdin.bytes(), 'The input', 'Pipe UTF-8 text to it. --help has examples.')

/**
 * The message: the words of the command line, and below them the piped text.
 * @param example a valid command, for the error.
 * @throws CliError if both are empty.
 */
export const readMessageInput = async (
  words: string[],
  io: Io,
  example: string,
): Promise<string> => {
  const piped = io.stdinIsTerminal ? '' : await readPipedInput(io)
  const message = [words.join(' '), piped].filter((part) => /\S/.test(part)).join('\n\n')
  if (message) return message
  throw usageError('The message is empty.', `Run: ${example}`)
}

/** Delay until svc explains that it waits for stdin. */
const NOTICE_DELAY_MS = 2_000

/** All of stdin without trailing line breaks. Prints a notice if stdin stays open. */
export const readPipedInput = async (io: Io): Promise<string> => {
  const timer = setTimeout(
    () =>
      io.info(
        io.stdinIsTerminal
          ? 'Reading from the terminal. Press Ctrl-D to finish.'
          : 'Reading from stdin until it ends. If nothing is piped, add: < /dev/null',
      ),
    NOTICE_DELAY_MS,
  )
  const text = await readStdin().finally(() => clearTimeout(timer))
  return trimLineEnds(text)
}

/** Removes trailing line breaks. */
export const trimLineEnds = (text: string): string => text.replace(/(?<![\r\n])[\r\n]+$/, '')

/** The token of a link in an email, or the token itself. */
export const linkToken = (typed: string): string =>
  URL.parse(typed)?.searchParams.get('token') ?? typed

/** @throws CliError if the file cannot be read or is not UTF-8. */
export const readTextFile = async (path: string): Promise<string> =>
  decode(await readBytes(path), path, 'Use a UTF-8 text file.')

/** @throws CliError if the file cannot be read. */
export const readBytes = (path: string) => Bun.file(path).bytes().catch(failRead(path))

export const failRead =
  (path: string) =>
  (cause: Error): never => {
    throw usageError(`Cannot read ${path}: ${cause.message}`, 'Check the path.', cause)
  }

const decode = (bytes: Uint8Array, source: string, next: string): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw usageError(`${source} is not UTF-8 text.`, next, cause)
  }
}

/** Whether there is a terminal for a question. */
export const canAsk = (io: Io): boolean => io.stdinIsTerminal && io.stderrIsTerminal

/** Asks a yes-no question at the terminal. Any answer but yes means no. */
export const confirm = async (question: string): Promise<boolean> =>
  /^y(es)?$/i.test((await ask(`${question} [y/N] `)).trim())

/** Asks a question at the terminal. Ctrl-D is an empty answer. */
export const ask = async (question: string): Promise<string> => {
  const { createInterface } = await import('node:readline/promises')
  return readAnswer(createInterface({ input: process.stdin, output: process.stderr }), question)
}

/** Asks for a secret at the terminal, which does not show it. */
export const askHidden = async (question: string): Promise<string> => {
  const { createInterface } = await import('node:readline/promises')
  const { Writable } = await import('node:stream')
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  // As a terminal, readline turns off the echo. It does so before the question invites to type.
  const options = { input: process.stdin, output, terminal: true, historySize: 0 }
  const readline = createInterface(options)
  process.stderr.write(question)
  const answer = await readAnswer(readline, '')
  process.stderr.write('\n')
  return answer
}

const readAnswer = async (readline: Interface, question: string): Promise<string> => {
  const closed = new Promise<string>((resolve) => readline.once('close', () => resolve('')))
  // In raw mode readline receives Ctrl-C, not the process.
  readline.once('SIGINT', () => {
    process.stderr.write('\n')
    process.kill(process.pid, 'SIGINT')
  })
  const answer = await Promise.race([readline.question(question), closed])
  readline.close()
  return answer
}
