import { isAbsolute } from 'node:path'
import type { Interface } from 'node:readline/promises'
import { usageError } from './errors.ts'
import type { Io } from './output.ts'
import { passInterrupts, type Runtime } from './runtime.ts'

/** All of stdin as text. @throws CliError if it is not UTF-8. */
export const readStdin = async ({ stdin }: Runtime): Promise<string> =>
  decode(await stdin.bytes(), 'The input', 'Pipe UTF-8 text to it. --help has examples.')

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
  const text = await readStdin(io.runtime).finally(() => clearTimeout(timer))
  return trimLineEnds(text)
}

/** Removes trailing line breaks. */
export const trimLineEnds = (text: string): string => text.replace(/(?<![\r\n])[\r\n]+$/, '')

/** The token of a link in an email, or the token itself. */
export const linkToken = (typed: string): string =>
  URL.parse(typed)?.searchParams.get('token') ?? typed

/** @throws CliError if the file cannot be read or is not UTF-8. */
export const readTextFile = async (path: string, runtime: Runtime): Promise<string> =>
  decode(await readBytes(path, runtime), path, 'Use a UTF-8 text file.')

/** @throws CliError if the file cannot be read. */
export const readBytes = (typed: string, runtime: Runtime) => {
  const path = pathIn(runtime, typed)
  return Bun.file(path).bytes().catch(failRead({ typed, path }))
}

/** A path that was typed, from the current folder. */
export const pathIn = ({ folder }: Pick<Runtime, 'folder'>, typed: string): string =>
  typed === '' || isAbsolute(typed) ? typed : `${folder}/${typed}`

/** A file that was named on the command line. */
export interface TypedPath {
  typed: string
  path: string
}

/** The message of the system for a file error, with the path as it was typed. */
export const systemMessage = ({ message }: Error, { typed, path }: TypedPath): string =>
  message.replaceAll(path, () => typed)

export const failRead =
  (file: TypedPath) =>
  (cause: Error): never => {
    const reason = systemMessage(cause, file)
    throw usageError(`Cannot read ${file.typed}: ${reason}`, 'Check the path.', cause)
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
export const confirm = async (question: string, { runtime }: Io): Promise<boolean> =>
  /^y(es)?$/i.test((await ask(`${question} [y/N] `, runtime)).trim())

/** Asks a question at the terminal. Ctrl-D is an empty answer. */
export const ask = async (question: string, runtime: Runtime): Promise<string> => {
  const { createInterface } = await import('node:readline/promises')
  const options = { input: runtime.stdin.keys, output: runtime.stderr }
  return readAnswer(createInterface(options), question, runtime)
}

/** Asks for a secret at the terminal, which does not show it. */
export const askHidden = async (question: string, runtime: Runtime): Promise<string> => {
  const { createInterface } = await import('node:readline/promises')
  const { Writable } = await import('node:stream')
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  // As a terminal, readline turns off the echo. It does so before the question invites to type.
  const options = { input: runtime.stdin.keys, output, terminal: true, historySize: 0 }
  const readline = createInterface(options)
  runtime.stderr.write(question)
  const answer = await readAnswer(readline, '', runtime)
  runtime.stderr.write('\n')
  return answer
}

const readAnswer = async (
  readline: Interface,
  question: string,
  runtime: Runtime,
): Promise<string> => {
  const closed = new Promise<string>((resolve) => readline.once('close', () => resolve('')))
  passInterrupts(readline, runtime)
  const answer = await Promise.race([readline.question(question), closed])
  readline.close()
  return answer
}

/** The JSON value of a file; `-` is stdin. @throws CliError if it cannot be read or is not JSON. */
export const readJsonInput = async (path: string, io: Io): Promise<unknown> => {
  const text = path === '-' ? await readPipedInput(io) : await readTextFile(path, io.runtime)
  try {
    return JSON.parse(text)
  } catch (cause) {
    const reason = cause instanceof Error ? `: ${cause.message}` : ''
    throw usageError(
      `${path === '-' ? 'The input' : path} is not JSON${reason}.`,
      'Correct it and run this again.',
      cause,
    )
  }
}
