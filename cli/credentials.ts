import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { CliError } from './errors.ts'
import { makePrivate, readPrivate, replacePrivate, unusable } from './private-file.ts'

/** What a sign-in leaves behind. */
export interface Profile {
  url: string
  api_key: string
  /** Absent for a key that was given by hand. */
  key_id?: string
  email: string
  /** The session, which can manage keys. Absent for a key that was given by hand. */
  refresh_token?: string
}

type Profiles = Record<string, Profile>

export type Credentials = ReturnType<typeof openCredentials>

/** The credentials file. Only its owner can read it, and it is replaced as a whole or not at all. */
export const openCredentials = (dir: string) => {
  const path = join(dir, 'credentials.json')

  const readAll = (): Profiles => {
    const text = readPrivate(path)
    return text === undefined ? {} : parse(text, path)
  }

  return {
    path,

    /** @throws CliError when the file is damaged. */
    read(name: string): Profile | undefined {
      const profiles = readAll()
      return Object.hasOwn(profiles, name) ? profiles[name] : undefined
    },

    /** Every profile by its name. @throws CliError when the file is damaged. */
    list: (): [name: string, profile: Profile][] => Object.entries(readAll()),

    /** Stores a profile, or removes it when there is none. Call it inside `exclusively`. */
    write(name: string, profile: Profile | undefined): void {
      const { [name]: _, ...others } = readAll()
      const profiles = profile ? { ...others, [name]: profile } : others
      replacePrivate(path, `${JSON.stringify({ profiles }, null, 2)}\n`)
    },

    /** Runs `work` while no other svc process does the same: what was read stays true. */
    async exclusively<T>(work: () => T | Promise<T>): Promise<T> {
      makePrivate(dir)
      const lock = await takeLock(join(dir, 'credentials.lock'))
      try {
        return await work()
      } finally {
        lock.close()
      }
    },
  }
}

/** The parser's own message is dropped, because it may quote a key. */
const parse = (text: string, path: string): Profiles => {
  try {
    const { profiles } = JSON.parse(text) as { profiles: Profiles }
    if (Object.values(profiles).every(isProfile)) return profiles
  } catch {}
  throw new CliError(
    `${path} is damaged; it was left as it is.`,
    'Repair it, or remove it and run: svc login',
  )
}

const isProfile = (value: unknown): value is Profile => {
  const { url, api_key, email, key_id, refresh_token } = value as Record<string, unknown>
  const optional = [key_id, refresh_token].filter((field) => field !== undefined)
  return [url, api_key, email, ...optional].every((field) => typeof field === 'string')
}

/** SQLite's file lock: the system lets go of it however the process ends. */
const takeLock = async (path: string) => {
  const { Database } = await import('bun:sqlite')
  try {
    closeSync(openSync(path, 'a', 0o600))
    const lock = new Database(path)
    lock.run('PRAGMA busy_timeout = 15000')
    lock.run('BEGIN EXCLUSIVE')
    return lock
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'SQLITE_BUSY') throw unusable(path, cause)
    throw new CliError(
      'Another svc is busy with the credentials.',
      `Wait for it to end and run this again. The lock is ${path}`,
      { cause },
    )
  }
}
