import { httpError } from './errors.ts'

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
