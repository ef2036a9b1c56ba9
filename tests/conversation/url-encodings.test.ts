import { describe, expect, test } from 'bun:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { useSites } from './url-support.ts'

const suite = useSites()

const encoded = (body: Uint8Array<ArrayBuffer> | ReadableStream, encoding: string) => {
  const headers = { 'content-encoding': encoding, 'content-type': 'text/plain' }
  return `http://${suite.web.site(() => new Response(body, { headers }))}/`
}

const TOO_LARGE = 'The page is larger than 5 MB'
const TOO_EXPANDED = 'The page expands too much when it is decompressed'

/** A deflate block that has no content (RFC 1951, section 3.2.4). */
const EMPTY_BLOCK = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff])
const ZLIB_HEADER = Buffer.from([0x78, 0x9c])

describe('the content encodings of a page', () => {
  test('a page with two encodings is read', async () => {
    const page = encoded(brotliCompressSync(gzipSync('Tea with milk.')), 'gzip, identity, br')
    const { status, body } = await suite.read(page)
    expect([status, body.text]).toEqual([200, 'Tea with milk.'])
  })

  for (const count of [3, 12_000])
    test(`a page with ${count} encodings is refused`, async () => {
      const thrice = deflateSync(deflateSync(deflateSync('Tea with milk.')))
      const page = encoded(thrice, Array(count).fill('br').join())
      expect(await suite.failure(page)).toBe('The page has more than 2 content encodings')
    })
})

describe('the size of a compressed page', () => {
  test('a page of 1 MB is read at any ratio', async () => {
    const { status } = await suite.read(encoded(gzipSync('tea '.repeat(260_000)), 'gzip'))
    expect(status).toBe(200)
  })

  test('a page of 3 MB that has 3 KB compressed is refused', async () => {
    const page = encoded(gzipSync('tea '.repeat(780_000)), 'gzip')
    expect(await suite.failure(page)).toBe(TOO_EXPANDED)
  })

  test('a page of 6 MB with a usual ratio is too large', async () => {
    const text = Array.from({ length: 500_000 }, (_, i) => `${i * 7919}`.padStart(12)).join('')
    expect(await suite.failure(encoded(gzipSync(text), 'gzip'))).toBe(TOO_LARGE)
  })

  test('an endless page that decompresses to nothing is too large', async () => {
    const blocks = Buffer.alloc(EMPTY_BLOCK.byteLength * 20_000, EMPTY_BLOCK)
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(ZLIB_HEADER),
      pull: (controller) => controller.enqueue(blocks),
    })
    expect(await suite.failure(encoded(endless, 'deflate'))).toBe(TOO_LARGE)
  })

  test('a page that expands between its encodings is refused, although it has no content', async () => {
    const blocks = Buffer.alloc(EMPTY_BLOCK.byteLength * 4_000_000, EMPTY_BLOCK)
    const inner = Buffer.concat([ZLIB_HEADER, blocks])
    expect(await suite.failure(encoded(gzipSync(inner), 'deflate, gzip'))).toBe(TOO_LARGE)
  })
})
