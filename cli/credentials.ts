import { join } from 'node:path'
import {
  credentialsPath,
  isStoredKey,
  parseCredentials,
  type StoredSignIn,
} from '../mcp/stdio/local-config.ts'
import { CliError } from './errors.ts'
import { lockFile } from './file-lock.ts'
import { makePrivateDirectory, readPrivateFile, replacePrivateFile } from './private-file.ts'

/** A stored sign-in. */
export interface CliProfile extends StoredSignIn {
  /** Undefined for a key from `svc login --with-token`. */
  key_id?: string
  email: string
  /** The session, which can manage keys. Undefined for a key from `svc login --with-token`. */
  refresh_token?: string
}

type Profiles = Record<string, CliProfile>

export type Credentials = ReturnType<typeof openCredentials>

/** The credentials file. It is private to the user and replaced atomically. */
export const openCredentials = (dir: string) => {
  const path = credentialsPath(dir)

  const readAll = (): Profiles => {
    const text = readPrivateFile(path)
    return text === undefined ? {} : parse(text, path)
  }

  return {
    path,

    /** @throws CliError when the file is damaged. */
    read(name: string): CliProfile | undefined {
      const profiles = readAll()
      return Object.hasOwn(profiles, name) ? profiles[name] : undefined
    },

    /** @throws CliError when the file is damaged. */
    list: (): [name: string, profile: CliProfile][] => Object.entries(readAll()),

    /** Stores a profile, or removes it if undefined. Call it inside `exclusively`. */
    write(name: string, profile: CliProfile | undefined): void {
      const { [name]: _, ...others } = readAll()
      const profiles = profile ? { ...others, [name]: profile } : others
      replacePrivateFile(path, `${JSON.stringify({ profiles }, null, 2)}\n`)
    },

    /** Runs `work` under the file lock, so that no other svc process changes the files meanwhile. */
    async exclusively<T>(work: () => T | Promise<T>): Promise<T> {
      makePrivateDirectory(dir)
      const path = join(dir, 'credentials.lock')
      const lock = await lockFile(path, LOCK_TIMEOUT_MS)
      if (!lock) throw lockedError(path)
      try {
        return await work()
      } finally {
        lock.close()
      }
    },
  }
}

/** The error does not include the parser's message, because it may quote a key. */
const parse = (text: string, path: string): Profiles => {
  const profiles = parseCredentials(text, isCliProfile)
  if (profiles) return profiles
  throw new CliError(
    `${path} is damaged; it was not changed.`,
    'Repair it, or remove it and run: svc login',
  )
}

const isCliProfile = (value: unknown): value is CliProfile => {
  if (!isStoredKey(value)) return false
  const { email, key_id, refresh_token } = value as StoredSignIn & Record<string, unknown>
  const optional = [key_id, refresh_token].filter((field) => field !== undefined)
  return [email, ...optional].every((field) => typeof field === 'string')
}

const LOCK_TIMEOUT_MS = 15_000

const lockedError = (path: string) =>
  new CliError(
    'Another svc process has locked the credentials.',
    `Wait for it to end, then run this again. The lock file is ${path}`,
  )
