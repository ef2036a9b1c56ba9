import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { bare, type Endpoint, type Exchange, exchange, type Posted } from './exchange.ts'
import { FetchFailure, refused } from './failure.ts'
import { isPublicAddress } from './public-address.ts'

export interface Fetched {
  /** Where the last redirect led. */
  url: URL
  contentType: string | undefined
  bytes: Uint8Array
}

export interface FetchLimits {
  maxBytes: number
  maxRedirects: number
}

export interface Fetcher {
  /**
   * Gets what a URL leads to, of the public internet alone: of at most 5 MB, through at most five
   * redirects, unless less is asked for.
   * @throws FetchFailure with a message for whoever asked.
   */
  get(url: URL, signal: AbortSignal, limits?: Partial<FetchLimits>): Promise<Fetched>
  /**
   * Sends something to a URL of the public internet. No redirect is followed, and nothing read.
   * @returns the status of the answer.
   * @throws FetchFailure as `get`.
   */
  post(url: URL, posted: Posted, signal: AbortSignal): Promise<number>
  /** @throws FetchFailure for a URL that could neither be fetched nor sent anything. */
  check(url: URL, signal: AbortSignal): Promise<void>
}

export interface FetcherOptions {
  /** The addresses of a name; DNS unless given. */
  resolve?(hostname: string): Promise<string[]>
  /** Whether an address may be connected to; public ones alone unless given. */
  isAllowed?(address: string): boolean
  /** Where connections to an address that was checked go instead; there, unless given. */
  route?(checked: Endpoint): Endpoint
  /** Certificates of authorities beside the well-known ones, as PEM. */
  ca?: string
}

const MAX_PAGE_BYTES = 5 * 1024 * 1024
const MAX_REDIRECTS = 5
/** Where the web is served; not mail, databases or whatever else listens. */
const PORTS = new Set([80, 443, 8080, 8443])
/** Further addresses of a name are tried only when a connection cannot be made. */
const MAX_TRIES = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Fetches pages for people without lending them the server's place in its network. A name is looked
 * up once for each request; if any of its addresses is not allowed, none is used, and the connection
 * is made to the address that was checked, so that a second answer of DNS changes nothing.
 */
export const createFetcher = ({
  resolve = resolveName,
  isAllowed = isPublicAddress,
  route = (checked) => checked,
  ca,
}: FetcherOptions = {}): Fetcher => {
  const addressesOf = async (hostname: string, signal: AbortSignal): Promise<string[]> => {
    const addresses = isIP(hostname)
      ? [hostname]
      : await Promise.race([resolve(hostname).catch(() => []), aborted(signal)])
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw refused()
    return addresses
  }

  /** Where a URL leads to, each of which may be connected to. */
  const endpointsOf = async (url: URL, signal: AbortSignal): Promise<Endpoint[]> => {
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    if (!PORTS.has(port) || url.username || url.password) throw refused()
    const addresses = await addressesOf(bare(url.hostname), signal)
    return addresses.slice(0, MAX_TRIES).map((host) => ({ host, port }))
  }

  const ask = async (
    url: URL,
    signal: AbortSignal,
    { maxBytes = MAX_PAGE_BYTES, post }: { maxBytes?: number; post?: Posted } = {},
  ): Promise<Exchange> => {
    let failure: unknown
    for (const checked of await endpointsOf(url, signal)) {
      try {
        const endpoint = route(checked)
        return await exchange(url, { endpoint, maxBytes, signal, ca, post })
      } catch (error) {
        if (!isUnconnected(error)) throw error
        failure = error
      }
    }
    throw failure
  }

  return {
    async get(start, signal, { maxBytes = MAX_PAGE_BYTES, maxRedirects = MAX_REDIRECTS } = {}) {
      let url = start
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const { status, location, contentType, bytes } = await ask(url, signal, { maxBytes }).catch(
          (error) => {
            throw asFailure(error, signal)
          },
        )
        if (!REDIRECTS.has(status) || !location) {
          if (status < 200 || status > 299)
            throw new FetchFailure('status', `The site answered with status ${status}`)
          return { url, contentType, bytes }
        }
        url = next(location, url)
      }
      throw new FetchFailure('redirects', `The page redirects more than ${maxRedirects} times`)
    },

    async post(url, posted, signal) {
      const { status } = await ask(url, signal, { post: posted }).catch((error) => {
        throw asFailure(error, signal)
      })
      return status
    },

    async check(url, signal) {
      await endpointsOf(url, signal).catch((error) => {
        throw asFailure(error, signal)
      })
    },
  }
}

/** As the system looks names up; so also names of its own, whose addresses are then checked. */
const resolveName = async (hostname: string): Promise<string[]> =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

const next = (location: string, from: URL): URL => {
  const url = URL.parse(location, from.href)
  if (!url || !/^https?:$/.test(url.protocol)) throw refused()
  return url
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code ?? '')

const isUnconnected = (error: unknown): boolean =>
  ['ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'ETIMEDOUT', 'EADDRNOTAVAIL'].includes(
    codeOf(error),
  )

const asFailure = (error: unknown, signal: AbortSignal): FetchFailure => {
  if (error instanceof FetchFailure) return error
  if (signal.aborted) return new FetchFailure('timeout', 'The site took too long to answer')
  const options = { cause: error }
  if (isUnconnected(error))
    return new FetchFailure('unreachable', 'The site does not accept connections', options)
  if (/CERT|TLS|SSL|SELF_SIGNED|SIGNATURE/.test(codeOf(error)))
    return new FetchFailure('unreachable', 'The site has no valid certificate', options)
  return new FetchFailure('broken', 'The site broke off, or answered with what is no HTTP', options)
}
