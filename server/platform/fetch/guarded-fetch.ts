import type { Fetch } from '../../../shared/proxies.ts'
import type { Fetcher } from './fetcher.ts'
import { createLimitedFetch } from './limited-fetch.ts'

interface GuardedFetchOptions {
  /** The origin that the operator has configured; it may have a private address. */
  origin: string
  /** The most bytes of a response. */
  bytes: number
  /** The most milliseconds of a request that has no signal. */
  ms: number
  fetcher: Pick<Fetcher, 'exchange'>
}

/** Statuses whose responses have no body. */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * `fetch` for a configured server that names further URLs. Those of other origins are fetched from public
 * addresses only, so that the server cannot make svc call its own network. Redirects are not followed.
 */
export const createGuardedFetch = ({ origin, bytes, ms, fetcher }: GuardedFetchOptions): Fetch => {
  const limited = createLimitedFetch({ bytes })
  const guarded = async (input: string | URL | Request, init: RequestInit = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const signal = init.signal ?? AbortSignal.timeout(ms)
    if (url.origin === origin) return limited(url, { ...init, signal, redirect: 'manual' })
    const body = init.body == null ? undefined : await new Response(init.body).text()
    const { method = 'GET' } = init
    const headers = Object.fromEntries(new Headers(init.headers))
    const {
      status,
      contentType,
      bytes: read,
    } = await fetcher.exchange(url, { method, headers, body }, signal, bytes)
    return new Response(WITHOUT_BODY.has(status) ? null : read, {
      status,
      headers: contentType === undefined ? {} : { 'content-type': contentType },
    })
  }
  return guarded as Fetch
}
