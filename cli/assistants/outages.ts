import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ApiFailure } from '../../shared/client-errors.ts'
import { fieldsOf } from '../../shared/objects.ts'
import { CliError } from '../errors.ts'
import { makePrivateDirectory, readPrivateFile, replacePrivateFile } from '../private-file.ts'
import { Refusal } from './target.ts'

/** A server that failed is left alone for so long, so that it delays an assistant once and not at each event. */
const REMEMBERED_MS = 60_000
/** One request may fail by itself; so many in a row are a failure of the server. */
const SERVER_ERRORS_IN_A_ROW = 3

interface Failure {
  at: number
  /** The number of server errors since the last answer; of a server that did not answer, the limit. */
  errors: number
}

/** The server has just failed, and was not asked again. */
export class ServerDown extends Error {
  override name = 'ServerDown'
}

export interface GuardOptions {
  /** Whether a server that failed is asked nevertheless, as a user waits for it. */
  isForced?: boolean
  /** Whether a timeout is none of the server: it may be shorter than a request takes. */
  isHurried?: boolean
}

/** The failures of servers, which the processes of a configuration directory share. */
export interface Outages {
  isDown(url: string): boolean
  /**
   * Runs a request, and records whether the server answered.
   * @throws ServerDown where it failed less than a minute ago; otherwise what the request throws.
   */
  guard<T>(url: string, request: () => Promise<T>, options?: GuardOptions): Promise<T>
  /** Records that the server has answered. */
  recover(url: string): void
}

export const openOutages = (configDir: string, now: () => number): Outages => {
  const dir = join(configDir, 'hooks')
  const path = join(dir, 'outages.json')
  /** Servers that have answered this process: what they are too slow for now is no failure. */
  const answered = new Set<string>()

  const failureOf = (url: string): Failure | undefined => readFailures(path)[url]

  const isDown = (url: string): boolean => {
    const { at, errors } = failureOf(url) ?? { at: 0, errors: 0 }
    const age = now() - at
    // A clock that was set back must not make it last for longer.
    return errors >= SERVER_ERRORS_IN_A_ROW && age >= 0 && age < REMEMBERED_MS
  }

  const write = (url: string, failure: Failure | undefined): void => {
    const { [url]: _, ...others } = readFailures(path)
    try {
      makePrivateDirectory(dir)
      replacePrivateFile(path, JSON.stringify(failure ? { ...others, [url]: failure } : others))
    } catch {
      // On a full disk each process asks the server itself.
    }
  }

  const recover = (url: string): void => {
    answered.add(url)
    if (failureOf(url)) write(url, undefined)
  }

  const onFailure = (url: string, error: unknown, isHurried: boolean): void => {
    const status = statusOf(error)
    // Also of a request that was not sent, because there is no key.
    if (status === 401) return
    if (status !== undefined && status < 500) recover(url)
    else if (status !== undefined)
      write(url, { at: now(), errors: (failureOf(url)?.errors ?? 0) + 1 })
    else if (!(error instanceof CliError || (isTimeout(error) && (isHurried || answered.has(url)))))
      write(url, { at: now(), errors: SERVER_ERRORS_IN_A_ROW })
  }

  return {
    isDown,
    recover,
    async guard(url, request, { isForced = false, isHurried = false } = {}) {
      if (!isForced && isDown(url))
        throw new ServerDown(`${url} has just failed and is asked again within a minute`)
      try {
        const result = await request()
        recover(url)
        return result
      } catch (error) {
        onFailure(url, error, isHurried)
        throw error
      }
    },
  }
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof Refusal || error instanceof ApiFailure ? error.status : undefined

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && /^(?:Timeout|Abort)Error$/.test(error.name)

/** A damaged file counts as empty. */
const readFailures = (path: string): Record<string, Failure> => {
  try {
    const text = existsSync(path) ? readPrivateFile(path) : undefined
    const entries = Object.entries(fieldsOf(JSON.parse(text ?? '{}')))
    return Object.fromEntries(
      entries.flatMap(([url, value]) => {
        const { at, errors } = fieldsOf(value)
        return typeof at === 'number' && typeof errors === 'number' ? [[url, { at, errors }]] : []
      }),
    )
  } catch {
    return {}
  }
}
