import type { IncomingMessage } from 'node:http'
import { type Duplex, pipeline, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { budgets } from '../budgets.ts'
import { collectBytes } from '../bytes.ts'
import { FetchFailure } from './failure.ts'

/** A body that decompresses to this size is read at any ratio. */
const SMALL_BYTES = 1024 * 1024

/**
 * Reads a response, and decompresses it as its Content-Encoding says.
 * @throws FetchFailure when the body exceeds `maxBytes` before, between or after its decompressions, or
 * expands too much.
 */
export const readDecompressed = async (
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
