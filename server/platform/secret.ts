import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartError } from './start-error.ts'

const FILE = 'auth-secret'

/** @returns undefined when no server has generated a secret in `dataDir`. */
export const findSecret = (dataDir: string): string | undefined => {
  const path = join(dataDir, FILE)
  return existsSync(path) ? readFileSync(path, 'utf8').trim() : undefined
}

/** Replaces the file with a secret, which only its owner can read. */
export const writeSecret = (path: string, secret: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.draft`
  writeFileSync(draft, secret, { mode: 0o600, flush: true })
  renameSync(draft, path)
}

/**
 * The secret that signs tokens when none is configured: generated at the first start and stored in
 * `dataDir`, readable only by the owner.
 * @throws StartError when the directory cannot be read or written.
 */
export const keptSecret = (dataDir: string): string => {
  const path = join(dataDir, FILE)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    try {
      writeFileSync(path, randomBytes(32).toString('base64url'), { mode: 0o600, flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const secret = readFileSync(path, 'utf8').trim()
    if (secret.length >= 32) return secret
  } catch (cause) {
    throw new StartError(
      `SVC_DATA_DIR: cannot keep a secret in ${path} (${(cause as Error).message})`,
      {
        cause,
      },
    )
  }
  throw new StartError(
    `SVC_DATA_DIR: ${path} holds no secret; remove it to make a new one, which signs out all users`,
  )
}
