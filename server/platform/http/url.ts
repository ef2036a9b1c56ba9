import { httpError } from './error.ts'

/** A host name or address with an optional port (RFC 9110, 7.2). */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/**
 * Checks the `Host` header, which Bun puts into the request's URL unchecked. An HTTP/1.0 request may
 * have none.
 * @throws ApiError 400 for a header that is not exactly one host.
 */
export const checkHostHeader = ({ headers }: Request): void => {
  const host = headers.get('host')
  if (host !== null && !(HOST.test(host) && URL.canParse(`http://${host}`)))
    throw httpError('invalid_host_header')
}

/** Returns a request's URL. Bun leaves it relative when the request has no `Host`. */
export const absoluteUrl = (url: string): string =>
  URL.parse(url, 'http://localhost')?.href ?? 'http://localhost/'

export const pathOf = (url: string): string => new URL(absoluteUrl(url)).pathname

/** Parses only the query of a URL. */
export const queryOf = (url: string): URLSearchParams | undefined => {
  const start = url.indexOf('?')
  return start < 0 ? undefined : new URLSearchParams(url.slice(start + 1))
}

/** Host names by which a client on the same machine reaches the server. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1']

/** Returns the base URL with the local host name that the request used, if the server is local. */
export const reachedAs = (request: Request, baseUrl: string): string => {
  const base = new URL(baseUrl)
  const host = request.headers.get('host')
  if (!LOCAL_HOSTS.includes(base.hostname)) return baseUrl
  const name = LOCAL_HOSTS.find((each) => host === base.host.replace(base.hostname, each))
  return name ? baseUrl.replace(base.hostname, name) : baseUrl
}

/** Whether two URLs are equal, with `localhost` equal to `127.0.0.1` and a final slash ignored. */
export const isSamePlace = (one: string, other: string): boolean =>
  normalize(one) === normalize(other)

const normalize = (text: string): string =>
  (URL.parse(text)?.href ?? text).replace('//127.0.0.1:', '//localhost:').replace(/\/$/, '')
