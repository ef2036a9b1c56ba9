import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** A smaller body is sent as fast without compression. */
const MIN_CHARACTERS = 16_384

type Coding = 'zstd' | 'gzip'

/** In order of preference; both compress outside of the event loop. */
const CODINGS: Record<Coding, (text: string) => Promise<Uint8Array<ArrayBuffer>>> = {
  zstd: async (text) => new Uint8Array(await Bun.zstdCompress(text, { level: 3 })),
  gzip: async (text) => new Uint8Array(await promisify(gzip)(text, { level: 5 })),
}

/**
 * Compresses a response of text, if the client accepts that (RFC 9110, 12.5.3).
 * @param accepted the header `Accept-Encoding`.
 * @returns undefined for a text that is sent as it is.
 */
export const compressed = async (
  text: string,
  accepted: string | null,
): Promise<{ coding: Coding; body: Uint8Array<ArrayBuffer> } | undefined> => {
  if (accepted === null || text.length < MIN_CHARACTERS) return undefined
  const wanted = acceptedIn(accepted)
  const coding = (Object.keys(CODINGS) as Coding[]).find((each) => wanted.has(each))
  return coding && { coding, body: await CODINGS[coding](text) }
}

/** Codings with a weight of zero are refused. */
const acceptedIn = (header: string): Set<string> =>
  new Set(
    header
      .toLowerCase()
      .split(',')
      .map((each) => each.split(';').map((part) => part.trim()))
      .filter(([, weight]) => !/^q=0(?:\.0*)?$/.test(weight ?? ''))
      .map(([coding = '']) => coding),
  )
