import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { budgets } from '../budgets.ts'
import {
  bare,
  FetchFailure,
  type Posted,
  type RawRequest,
  refused,
  requestAt,
  type SocketAddress,
  type WebResponse,
} from './request.ts'

interface Fetched {
  /** The URL after all redirects. */
  url: URL
  contentType: string | undefined
  bytes: Uint8Array
}

interface FetchLimits {
  maxBytes: number
  maxRedirects: number
}

export type Fetcher = ReturnType<typeof createFetcher>

export interface FetcherOptions {
  /** Resolves a host name to addresses; DNS by default. */
  resolve?(hostname: string): Promise<string[]>
  /** Whether a connection to an address is allowed; public addresses only by default. */
  isAllowed?(address: string): boolean
  /** Redirects connections to a checked address, for tests; none by default. */
  route?(checked: SocketAddress): SocketAddress
  /** PEM certificates of additional certificate authorities. */
  ca?: string
}

interface RequestContent {
  maxBytes?: number
  post?: Posted
  rawRequest?: RawRequest
}

/** Ports of web servers. Others may belong to mail servers or databases. */
const PORTS = new Set([80, 443, 8080, 8443])
/** The most addresses of a host name to try. The next is tried only when a connection fails. */
const MAX_TRIES = 3
const REDIRECTS = new Set([301, 302, 303, 307, 308])

/**
 * Fetches URLs that users choose, without access to the server's own network (SSRF). Each request
 * resolves the host name once. If any address is not allowed, the request is refused. The connection
 * goes to a checked address, which prevents DNS rebinding.
 */
export const createFetcher = ({
  resolve = resolveName,
  isAllowed = isPublicAddress,
  route = (checked) => checked,
  ca,
}: FetcherOptions = {}) => {
  const addressesOf = async (hostname: string, signal: AbortSignal): Promise<string[]> => {
    const addresses = isIP(hostname)
      ? [hostname]
      : await Promise.race([resolve(hostname).catch(noAddresses), aborted(signal)])
    if (addresses.length === 0 || !addresses.every(isAllowed)) throw refused()
    return addresses
  }

  /** The allowed endpoints of a URL. */
  const endpointsOf = async (url: URL, signal: AbortSignal): Promise<SocketAddress[]> => {
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    if (!PORTS.has(port) || url.username || url.password) throw refused()
    const addresses = await addressesOf(bare(url.hostname), signal)
    return addresses.slice(0, MAX_TRIES).map((host) => ({ host, port }))
  }

  const requestAny = async (
    url: URL,
    signal: AbortSignal,
    { maxBytes = budgets.page.bytes, post, rawRequest }: RequestContent = {},
  ): Promise<WebResponse> => {
    let failure: unknown
    for (const checked of await endpointsOf(url, signal)) {
      try {
        const endpoint = route(checked)
        return await requestAt(url, { endpoint, maxBytes, signal, ca, post, rawRequest })
      } catch (error) {
        if (!isUnconnected(error)) throw error
        failure = error
      }
    }
    throw failure
  }

  const request = (url: URL, signal: AbortSignal, content?: RequestContent) =>
    requestAny(url, signal, content).catch((error) => {
      throw asFailure(error, signal)
    })

  return {
    /**
     * Fetches a URL of the public internet: at most 5 MB and five redirects by default.
     * @throws FetchFailure with a message for the user.
     */
    async get(
      start: URL,
      signal: AbortSignal,
      {
        maxBytes = budgets.page.bytes,
        maxRedirects = budgets.pageRedirects.count,
      }: Partial<FetchLimits> = {},
    ): Promise<Fetched> {
      let url = start
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const { status, location, contentType, bytes } = await request(url, signal, { maxBytes })
        if (!REDIRECTS.has(status) || !location) {
          if (status < 200 || status > 299)
            throw new FetchFailure('status', `The site answered with status ${status}`)
          return { url, contentType, bytes }
        }
        url = resolveRedirect(location, url)
      }
      throw new FetchFailure('redirects', `The page redirects more than ${maxRedirects} times`)
    },

    /**
     * Sends a POST to a URL of the public internet. It follows no redirect and reads no body.
     * @returns the response status.
     * @throws FetchFailure like `get`.
     */
    async post(url: URL, posted: Posted, signal: AbortSignal): Promise<number> {
      return (await request(url, signal, { post: posted })).status
    },

    /**
     * Sends a request to a URL of the public internet. It follows no redirect.
     * @returns the response with its body, whatever its status.
     * @throws FetchFailure like `get`.
     */
    exchange: (
      url: URL,
      rawRequest: RawRequest,
      signal: AbortSignal,
      maxBytes: number,
    ): Promise<WebResponse> => request(url, signal, { rawRequest, maxBytes }),

    /** @throws FetchFailure for a URL that `get` and `post` would refuse. */
    async check(url: URL, signal: AbortSignal): Promise<void> {
      await endpointsOf(url, signal).catch((error) => {
        throw asFailure(error, signal)
      })
    },
  }
}

/** A lookup that may succeed later is not the same as a name without addresses. */
const noAddresses = (cause: Error & { code?: string }): string[] => {
  if (/ENOTFOUND|ENODATA|NONAME/.test(cause.code ?? '')) return []
  throw new FetchFailure('unreachable', 'The host name could not be looked up', { cause })
}

/** Uses the resolver of the system, including /etc/hosts. The caller checks the addresses. */
const resolveName = async (hostname: string): Promise<string[]> =>
  (await lookup(hostname, { all: true })).map(({ address }) => address)

const resolveRedirect = (location: string, from: URL): URL => {
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
  return new FetchFailure(
    'broken',
    'The site closed the connection or sent an invalid HTTP response',
    options,
  )
}

/** In the public range, but inside Azure it serves instance secrets. */
const AZURE_HOST = '168.63.129.16'

const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/**
 * Whether an IP address belongs to the public internet: not private, loopback, link-local, shared
 * (RFC 6598), multicast, reserved or for documentation (IANA special-purpose registries). For IPv6 only
 * global unicast addresses without an embedded IPv4 address qualify (no mapped, compatible, NAT64, 6to4
 * or Teredo addresses).
 */
export const isPublicAddress = (address: string): boolean => {
  // ipaddr.js also accepts zone identifiers and the numeric forms of inet_aton.
  if (isIP(address) === 0 || address.includes('%')) return false
  const parsed = ipaddr.parse(address)
  if (parsed.range() !== 'unicast') return false
  return parsed.kind() === 'ipv6' ? parsed.match(GLOBAL_UNICAST) : address !== AZURE_HOST
}
