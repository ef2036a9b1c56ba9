import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { readDecompressed } from './decompress.ts'

/** The address of a connection. */
export interface Endpoint {
  host: string
  port: number
}

export interface Exchange {
  status: number
  /** The `Location` header of a redirect. */
  location: string | undefined
  contentType: string | undefined
  /** Empty for a redirect, an error and the response to a POST. */
  bytes: Uint8Array
}

/** The content of a POST request. */
export interface Posted {
  headers: Record<string, string>
  body: string
}

interface ExchangeOptions {
  /** The address to connect to, checked by the caller. The URL's host name is not resolved again. */
  endpoint: Endpoint
  maxBytes: number
  signal: AbortSignal
  /** PEM certificates of additional certificate authorities. */
  ca: string | undefined
  /** Sends a POST; a GET if left out. */
  post?: Posted | undefined
}

const USER_AGENT = { 'user-agent': 'Mozilla/5.0 (compatible; svc/1.0)' }

const HEADERS = {
  ...USER_AGENT,
  accept:
    'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/pdf;q=0.8,application/json;q=0.8,*/*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
}

/** Some sites send long policies in headers. The default limit of Node.js is 16 KiB. */
const MAX_HEADER_BYTES = 64 * 1024

/**
 * Sends one request to one address, without DNS, proxy or redirects. The Host header and the
 * certificate name are the URL's.
 * @throws FetchFailure `too_large` when the body exceeds `maxBytes`, compressed or decompressed, or
 * expands too much.
 * @throws the error of the connection.
 */
export const exchange = async (url: URL, options: ExchangeOptions): Promise<Exchange> => {
  const response = await send(url, options)
  const { statusCode: status = 0, headers } = response
  const head = { status, location: headers.location, contentType: headers['content-type'] }
  if (options.post || status < 200 || status > 299) {
    response.destroy()
    return { ...head, bytes: new Uint8Array() }
  }
  return { ...head, bytes: await readDecompressed(response, options.maxBytes) }
}

const send = (
  url: URL,
  { endpoint, signal, ca, post }: ExchangeOptions,
): Promise<IncomingMessage> => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const options: RequestOptions = {
    ...endpoint,
    method: post ? 'POST' : 'GET',
    path: url.pathname + url.search,
    headers: { host: url.host, ...(post ? { ...USER_AGENT, ...post.headers } : HEADERS) },
    agent: false,
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  }
  const request =
    url.protocol === 'https:'
      ? requestHttps({
          ...options,
          // SNI takes a host name. For an IP address, Node.js compares the certificate with the address.
          ...(isIP(endpoint.host) && !isIP(bare(url.hostname)) && { servername: url.hostname }),
          ...(ca && { ca }),
        })
      : requestHttp(options)
  request.on('response', resolve).on('error', reject).end(post?.body)
  return promise
}

/** Removes the brackets of an IPv6 address in a URL. */
export const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
