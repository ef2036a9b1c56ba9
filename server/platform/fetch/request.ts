import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { type Duplex, pipeline, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { budgets } from '../budgets.ts'
import { collectBytes } from '../bytes.ts'

/** The address of a connection. */
export interface SocketAddress {
  host: string
  port: number
}

export interface WebResponse {
  status: number
  /** The `Location` header of a redirect. */
  location: string | undefined
  contentType: string | undefined
  /** Empty for a redirect, an error and the response to a POST, except of an `Exchange`. */
  bytes: Uint8Array
}

/** The content of a POST request. */
export interface Posted {
  headers: Record<string, string>
  body: string
}

/** A request whose response is read whatever its status. */
export interface RawRequest {
  method: string
  headers: Record<string, string>
  body?: string | undefined
}

interface RequestAtOptions {
  /** The address to connect to, checked by the caller. The URL's host name is not resolved again. */
  endpoint: SocketAddress
  maxBytes: number
  signal: AbortSignal
  /** PEM certificates of additional certificate authorities. */
  ca: string | undefined
  /** Sends a POST; a GET if left out. */
  post?: Posted | undefined
  /** Sends this instead. */
  rawRequest?: RawRequest | undefined
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
export const requestAt = async (url: URL, options: RequestAtOptions): Promise<WebResponse> => {
  const response = await send(url, options)
  const { statusCode: status = 0, headers } = response
  const head = { status, location: headers.location, contentType: headers['content-type'] }
  if (!options.rawRequest && (options.post || status < 200 || status > 299)) {
    response.destroy()
    return { ...head, bytes: new Uint8Array() }
  }
  return { ...head, bytes: await readDecompressed(response, options.maxBytes) }
}

const send = (
  url: URL,
  { endpoint, signal, ca, post, rawRequest }: RequestAtOptions,
): Promise<IncomingMessage> => {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const sent = rawRequest ?? post
  const options: RequestOptions = {
    ...endpoint,
    method: rawRequest?.method ?? (post ? 'POST' : 'GET'),
    path: url.pathname + url.search,
    headers: { host: url.host, ...(sent ? { ...USER_AGENT, ...sent.headers } : HEADERS) },
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
  request.on('response', resolve).on('error', reject).end(sent?.body)
  return promise
}

/** Removes the brackets of an IPv6 address in a URL. */
export const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

/** A body that decompresses to this size is read at any ratio. */
const SMALL_BYTES = 1024 * 1024

/**
 * Reads a response, and decompresses it as its Content-Encoding says.
 * @throws FetchFailure when the body exceeds `maxBytes` before, between or after its decompressions, or
 * expands too much.
 */
const readDecompressed = async (
  response: IncomingMessage,
  maxBytes: number,
): Promise<Uint8Array> => {
  const tooLarge = () =>
    new FetchFailure('too_large', `The page is larger than ${sizeOf(maxBytes)}`)
  let compressedBytes = 0
  const compressed = counter((bytes) => {
    compressedBytes = bytes
    return bytes > maxBytes ? tooLarge() : undefined
  })
  const checkExpanded = (bytes: number) => {
    if (bytes > maxBytes) return tooLarge()
    if (bytes <= SMALL_BYTES || bytes <= compressedBytes * budgets.pageRatio.ratio) return undefined
    return new FetchFailure('too_large', 'The page expands too much when it is decompressed')
  }
  try {
    if (Number(response.headers['content-length'] ?? 0) > maxBytes) throw tooLarge()
    const stages = codingsOf(response).flatMap((coding) => [
      decompressor(coding),
      counter(checkExpanded),
    ])
    const last = stages.at(-1) ?? compressed
    // The error reaches the reader of the last stage.
    pipeline([response, compressed, ...stages], () => {})
    return await collectBytes(last, maxBytes, tooLarge)
  } finally {
    response.destroy()
  }
}

/** In the order in which they are removed. */
const codingsOf = ({ headers }: IncomingMessage): string[] => {
  const codings = (headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  const { count } = budgets.pageEncodings
  if (codings.length > count)
    throw new FetchFailure('broken', `The page has more than ${count} content encodings`)
  return codings.reverse()
}

const decompressor = (coding: string): Duplex => {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip()
  if (coding === 'deflate') return createInflate()
  if (coding === 'br') return createBrotliDecompress()
  throw new FetchFailure('broken', 'The page has an unsupported Content-Encoding')
}

/** Passes bytes on while `check`, which gets their number so far, returns no error. */
const counter = (check: (bytes: number) => Error | undefined): Transform => {
  let bytes = 0
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      bytes += chunk.byteLength
      const error = check(bytes)
      if (error) done(error)
      else done(null, chunk)
    },
  })
}

const sizeOf = (bytes: number): string =>
  bytes < 1024 ** 2 ? `${bytes / 1024} KB` : `${bytes / 1024 ** 2} MB`

/** Why a page could not be fetched. */
type FetchReason =
  | 'refused'
  | 'unreachable'
  | 'timeout'
  | 'too_large'
  | 'redirects'
  | 'status'
  | 'broken'
  | 'not_text'
  | 'unreadable'

/** A page that could not be fetched or read. The message may be shown to the user. */
export class FetchFailure extends Error {
  override name = 'FetchFailure'
  constructor(
    readonly reason: FetchReason,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/**
 * The same failure for a forbidden address and for a name that does not exist. A difference would
 * reveal which names and addresses exist in the server's network.
 */
export const refused = (): FetchFailure =>
  new FetchFailure('refused', 'There is no public web server at this address')
