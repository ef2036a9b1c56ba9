import { createWriteStream, existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CliError, usageError } from '../errors.ts'
import { systemMessage, type TypedPath } from '../input.ts'

/** Writes the body of a response to a file that only the user can read, and that exists only when complete. */
export const saveFile = async (
  target: TypedPath,
  response: Response,
  { overwrites }: { overwrites: boolean },
): Promise<void> => {
  const { typed, path } = target
  if (existsSync(path) && !overwrites)
    throw usageError(`${typed} already exists.`, 'Name another path, or add --force to replace it.')
  const partial = `${path}.part`
  try {
    const file = createWriteStream(partial, { mode: 0o600 })
    await pipeline(Readable.from(response.body ?? []), file)
    await rename(partial, path)
  } catch (cause) {
    await rm(partial, { force: true }).catch(() => {})
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause
    throw new CliError(
      `Cannot write ${typed}: ${systemMessage(cause, target)}`,
      'Check the path and its permissions.',
      { cause },
    )
  }
}
