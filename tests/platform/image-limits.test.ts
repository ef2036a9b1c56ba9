import { expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import { createImages } from '../../server/platform/images/images.ts'
import { createDatabase } from '../harness/database.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, useServer } from '../harness/server.ts'

setDefaultTimeout(120_000)

/** The columns and rows of the seven passes (PNG specification, section 8.2): start and step. */
const PASSES = [
  [0, 8, 0, 8],
  [4, 8, 0, 8],
  [0, 4, 4, 8],
  [2, 4, 0, 4],
  [0, 2, 2, 4],
  [1, 2, 0, 2],
  [0, 1, 1, 2],
] as const

/** A black interlaced PNG, which a decoder must hold as a whole, with three bytes for each pixel. */
const interlacedPng = (width: number, height: number): Buffer<ArrayBuffer> => {
  const chunk = (type: string, data: Uint8Array) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const frame = Buffer.alloc(8)
    frame.writeUInt32BE(data.byteLength)
    frame.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 1], 8)
  const size = PASSES.reduce((sum, [left, columns, top, rows]) => {
    const row = 1 + 3 * Math.ceil((width - left) / columns)
    return sum + row * Math.ceil((height - top) / rows)
  }, 0)
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.alloc(size))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const MIB = 1024 * 1024

/** Uploads a PNG. @returns the status. */
const send = async (
  url: URL,
  token: string,
  bytes: Uint8Array<ArrayBuffer>,
  signal?: AbortSignal,
): Promise<number> => {
  const body = new FormData()
  body.set('file', new Blob([bytes], { type: 'image/png' }), 'x.png')
  const headers = { authorization: `Bearer ${token}` }
  return (await fetch(url, { method: 'POST', headers, body, signal: signal ?? null })).status
}

/** The most memory that the process ever had. */
const peakOf = (pid: number): number =>
  Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]) * 1024

test.if(process.platform === 'linux')(
  'four pictures of 48 megapixels at once take less than 60 MB of memory in the server',
  async () => {
    await using owned = new AsyncDisposableStack()
    const database = await createDatabase()
    owned.defer(database.drop)
    await using server = spawnServer(database.env)
    const url = await server.url
    const { accessToken } = await newUser({ url })
    const upload = (bytes: Uint8Array<ArrayBuffer>) =>
      send(new URL('/api/profile/avatar', url), accessToken, bytes)
    // Loads what every upload needs.
    expect(await upload(interlacedPng(8, 8))).toBe(200)
    const before = peakOf(server.child.pid)
    const large = interlacedPng(8_000, 6_000)
    const statuses = await Promise.all([1, 2, 3, 4].map(() => upload(large)))
    expect(statuses).toEqual([200, 200, 200, 200])
    expect(peakOf(server.child.pid) - before).toBeLessThan(60 * MIB)
  },
)

const server = useServer()

test('an account with too many waiting pictures gets 429, and those of other accounts are read', async () => {
  const avatar = new URL('/api/profile/avatar', server.current.url)
  const files = new URL('/api/files', server.current.url)
  const [heavy, other] = await Promise.all([
    newUser(server.current),
    newVerifiedUser(server.current),
  ])
  const small = interlacedPng(8, 8)
  const large = interlacedPng(8_000, 6_000)
  const disconnect = new AbortController()
  const refused = Promise.withResolvers<number>()
  let decoded = 0
  const uploads = Array.from({ length: 80 }, async () => {
    const status = await send(avatar, heavy.accessToken, large, disconnect.signal)
    if (status === 200) decoded++
    else refused.resolve(status)
  })
  expect(await refused.promise).toBe(429)
  const before = decoded
  const { accessToken } = other
  const statuses = await Promise.all([files, avatar].map((url) => send(url, accessToken, small)))
  expect(statuses).toEqual([201, 200])
  // All of them would be decoded first if the accounts shared one queue.
  expect(decoded - before).toBeLessThan(25)
  disconnect.abort()
  await Promise.allSettled(uploads)
})

test('reading a picture ends with the reason of an abort, also while it waits', async () => {
  await using images = createImages()
  const disconnect = new AbortController()
  const reason = new Error('disconnected')
  const { signal } = disconnect
  const large = interlacedPng(8_000, 6_000)
  const decoding = [1, 2].map(() => images.square(large, 200, { userId: 'a', signal }))
  const format = images.format(large, signal)
  disconnect.abort(reason)
  const reads: Promise<unknown>[] = [...decoding, format]
  const ends = await Promise.all(reads.map((read) => read.catch((error: unknown) => error)))
  expect(ends).toEqual([reason, reason, reason])
  const next = { userId: 'a', signal: new AbortController().signal }
  expect(await images.square(interlacedPng(8, 8), 200, next)).toBeDefined()
})
