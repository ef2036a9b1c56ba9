import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { ApiFailure } from '../../shared/client-errors.ts'
import { fieldsOf } from '../../shared/objects.ts'
import { CliError } from '../errors.ts'
import { makePrivateDirectory, readPrivateFile, replacePrivateFile } from '../private-file.ts'

/** A server that failed is left alone for so long, so that it delays an assistant once and not at each event. */
const REMEMBERED_MS = 60_000
/** One request may fail by itself; so many in a row are a failure of the server. */
const SERVER_ERRORS_IN_A_ROW = 3
/** A connection takes less where a server listens, unless it is far away. */
const CONNECT_MS = 100

interface Failure {
  at: number
  /** The number of server errors since the last answer; of a server that did not answer, the limit. */
  errors: number
  /** Whether nothing listened at its port, which costs no time to find out again. */
  isRefused: boolean
  /** Whether it was only too slow for a hurried request: one that may take longer is still sent. */
  isHurried: boolean
}

/** A response outside 2xx, as far as it decides on the rest of the spool. */
export class Refusal extends Error {
  override name = 'Refusal'
  constructor(
    readonly status: number,
    /** Whether a repetition fails too. */
    readonly isFinal: boolean,
    message: string,
  ) {
    super(message)
  }
}

/** The server has just failed, and was not asked again. */
export class ServerDown extends Error {
  override name = 'ServerDown'
}

export interface GuardOptions {
  /** Whether a server that failed is asked nevertheless, as a user waits for it. */
  isForced?: boolean
  /**
   * The meaning of a timeout: the server fails, it is too slow for those who wait, such as for a context, or
   * nothing, because it may be shorter than a request takes.
   */
  timeout?: 'fails' | 'hurried' | 'ignored'
}

/** The failures of servers, which the processes of a configuration directory share. */
export type Outages = ReturnType<typeof openOutages>

export const openOutages = (configDir: string, now: () => number) => {
  const dir = join(configDir, 'hooks')
  const path = join(dir, 'outages.json')
  /** Servers that have answered this process: what they are too slow for now is no failure. */
  const answered = new Set<string>()

  const failureOf = (url: string): Failure | undefined => readFailures(path)[url]

  /** The failure that is remembered. */
  const outageOf = (url: string): Failure | undefined => {
    const failure = failureOf(url)
    const age = now() - (failure?.at ?? 0)
    // A clock that was set back must not make it last for longer.
    const isRemembered = age >= 0 && age < REMEMBERED_MS
    return failure && failure.errors >= SERVER_ERRORS_IN_A_ROW && isRemembered ? failure : undefined
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

  const onFailure = (url: string, error: unknown, timeout: GuardOptions['timeout']): void => {
    const status = statusOf(error)
    // Also of a request that was not sent, because there is no key.
    if (status === 401 || error instanceof CliError) return
    if (status !== undefined && status < 500) {
      recover(url)
      return
    }
    const isSlow = isTimeout(error)
    if (isSlow && (timeout === 'ignored' || answered.has(url))) return
    const errors = status === undefined ? SERVER_ERRORS_IN_A_ROW : (failureOf(url)?.errors ?? 0) + 1
    const isHurried = isSlow && timeout === 'hurried'
    write(url, { at: now(), errors, isRefused: isRefusal(error), isHurried })
  }

  return {
    /** Whether it has just failed, for a request that a user waits for. */
    isDown: (url: string): boolean => outageOf(url) !== undefined,
    /** Records that the server has answered. */
    recover,
    /**
     * Runs a request, and records whether the server answered. One that refused the connection is asked as soon as
     * something listens at its port.
     * @throws ServerDown where it failed less than a minute ago; otherwise what the request throws.
     */
    async guard<T>(
      url: string,
      request: () => Promise<T>,
      { isForced = false, timeout = 'fails' }: GuardOptions = {},
    ): Promise<T> {
      const outage = isForced ? undefined : outageOf(url)
      const isOut = outage && !(outage.isHurried && timeout === 'fails')
      if (isOut && !(outage.isRefused && (await isListening(url))))
        throw new ServerDown(`${url} has just failed and is asked again within a minute`)
      try {
        const result = await request()
        recover(url)
        return result
      } catch (error) {
        onFailure(url, error, timeout)
        throw error
      }
    },
  }
}

const statusOf = (error: unknown): number | undefined =>
  error instanceof Refusal || error instanceof ApiFailure ? error.status : undefined

/** The client of the API has the error of the connection as the cause of its own. */
const isRefusal = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && REFUSED.test(`${error.code}`)) || isRefusal(error.cause))

const REFUSED = /^(?:ECONNREFUSED|ConnectionRefused)$/

/** Whether a server accepts connections. */
const isListening = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { protocol, hostname, port } = new URL(url)
    const socket = connect({
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: Number(port) || (protocol === 'https:' ? 443 : 80),
    })
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.setTimeout(CONNECT_MS, () => finish(false))
    socket.on('connect', () => finish(true)).on('error', () => finish(false))
  })

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && /^(?:TimeoutError|AbortError|TimedOut)$/.test(error.name)

/** A damaged file counts as empty. */
const readFailures = (path: string): Record<string, Failure> => {
  try {
    const text = existsSync(path) ? readPrivateFile(path) : undefined
    const entries = Object.entries(fieldsOf(JSON.parse(text ?? '{}')))
    return Object.fromEntries(
      entries.flatMap(([url, value]) => {
        const { at, errors, isRefused, isHurried } = fieldsOf(value)
        return typeof at === 'number' && typeof errors === 'number'
          ? [[url, { at, errors, isRefused: isRefused === true, isHurried: isHurried === true }]]
          : []
      }),
    )
  } catch {
    return {}
  }
}
