import { usageError } from './errors.ts'
import { readPipedInput, readTextFile } from './input.ts'
import type { Io } from './output.ts'

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
