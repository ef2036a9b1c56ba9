import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { FetchFailure } from './failure.ts'

/** Where a connection goes. */
export interface Endpoint {
  host: string
  port: number
}

export interface Exchange {
  status: number
  /** Where a redirect leads. */
  location: string | undefined
  contentType: string | undefined
  /** Empty for a redirect or an error, and of what answers a POST. */
  bytes: Uint8Array
}

/** What is sent beside the request for a page. */
export interface Posted {
  headers: Record<string, string>
  body: string
}

export interface ExchangeOptions {
  /** Decides who is connected to, whatever the URL's name leads to by now. */
  endpoint: Endpoint
  maxBytes: number
  signal: AbortSignal
  /** Certificates of authorities beside the well-known ones. */
  ca: string | undefined
  /** Makes it a POST; without it, it is a GET. */
  post?: Posted | undefined
}

const USER_AGENT = { 'user-agent': 'Mozilla/5.0 (compatible; svc/1.0)' }

const HEADERS = {
  ...USER_AGENT,
  accept:
    'text/html,application/xhtml+xml,text/markdown;q=0.9,text/plain;q=0.9,application/pdf;q=0.8,application/json;q=0.8,*/*;q=0.1',
  'accept-encoding': 'gzip, deflate, br',
}

/** Some sites send long policies in their headers; Node.js takes 16 KiB. */
const MAX_HEADER_BYTES = 64 * 1024

/**
 * One request to exactly one address: nothing is looked up, no proxy asked and no redirect followed.
 * The Host header and the name of the certificate are the URL's.
 * @throws FetchFailure `too_large` when more than `maxBytes` come, packed or unpacked; whatever the
 * connection fails with.
 */
export const exchange = async (url: URL, options: ExchangeOptions): Promise<Exchange> => {
  const response = await send(url, options)
  const { statusCode: status = 0, headers } = response
  const answer = { status, location: headers.location, contentType: headers['content-type'] }
  if (options.post || status < 200 || status > 299) {
    response.destroy()
    return { ...answer, bytes: new Uint8Array() }
  }
  return { ...answer, bytes: await readBody(response, options.maxBytes) }
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
          // A certificate names hosts; for an address the address itself is compared.
          ...(isIP(endpoint.host) && !isIP(bare(url.hostname)) && { servername: url.hostname }),
          ...(ca && { ca }),
        })
      : requestHttp(options)
  request.on('response', resolve).on('error', reject).end(post?.body)
  return promise
}

/** The address in a URL, without the brackets of IPv6. */
export const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')

const sizeOf = (bytes: number): string =>
  bytes < 1024 ** 2 ? `${bytes / 1024} KB` : `${bytes / 1024 ** 2} MB`

const readBody = async (response: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  const tooLarge = () =>
    new FetchFailure('too_large', `The page is larger than ${sizeOf(maxBytes)}`)
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy()
    throw tooLarge()
  }
  const unpacked = unpack(response)
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge()
      chunks.push(chunk)
    }
  } finally {
    response.destroy()
  }
  return Buffer.concat(chunks)
}

const unpack = (response: IncomingMessage): IncomingMessage | Duplex => {
  const unpackers: Duplex[] = (response.headers['content-encoding'] ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
    .reverse()
    .map(unpacker)
  return unpackers.reduce<IncomingMessage | Duplex>((from, to) => {
    from.on('error', (error) => to.destroy(error))
    return from.pipe(to)
  }, response)
}

const unpacker = (coding: string): Duplex => {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip()
  if (coding === 'deflate') return createInflate()
  if (coding === 'br') return createBrotliDecompress()
  throw new FetchFailure('broken', 'The page is packed in a way that is not known here')
}
