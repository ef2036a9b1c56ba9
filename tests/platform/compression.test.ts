import { beforeAll, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { rememberBatch } from '../../shared/contract/index.ts'
import { newUser, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const MEMORIES = 100
let user: TestUser
beforeAll(async () => {
  user = await newUser(server.current)
  const memories = Array.from({ length: MEMORIES }, (_, index) => ({
    content: `Memory ${index}: ${'The ferry leaves the harbour at noon. '.repeat(10)}`,
  }))
  await user.client.call(rememberBatch, { body: { memories } })
})

/** A response with its bytes as they were sent. */
const get = async (path: string, accepted: string, init: RequestInit = {}) => {
  const response = await fetch(new URL(path, server.current.url), {
    ...init,
    headers: {
      authorization: `Bearer ${user.key}`,
      'accept-encoding': accepted,
      'content-type': 'application/json',
    },
    decompress: false,
  })
  return {
    status: response.status,
    coding: response.headers.get('content-encoding'),
    vary: response.headers.get('vary') ?? '',
    bytes: await response.bytes(),
  }
}

const LIST = `/api/memories?limit=${MEMORIES}`
const plain = () => get(LIST, 'identity')
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

test('a large list is sent in zstd or gzip to a client that accepts it, with the same content', async () => {
  const { bytes, coding } = await plain()
  expect(coding).toBeNull()
  expect(JSON.parse(textOf(bytes)).memories).toHaveLength(MEMORIES)
  const gzip = await get(LIST, 'gzip, deflate')
  expect(gzip).toMatchObject({ status: 200, coding: 'gzip' })
  expect(gzip.vary).toContain('accept-encoding')
  expect(textOf(gunzipSync(gzip.bytes))).toBe(textOf(bytes))
  const zstd = await get(LIST, 'gzip, deflate, br, zstd')
  expect(zstd).toMatchObject({ status: 200, coding: 'zstd' })
  expect(textOf(Bun.zstdDecompressSync(zstd.bytes))).toBe(textOf(bytes))
  expect(gzip.bytes.length).toBeLessThan(bytes.length / 3)
})

test.each([
  ['zstd;q=0, gzip;q=0.000', null],
  ['zstd;q=0, GZIP;q=0.5', 'gzip'],
  ['br', null],
  ['*', null],
  ['', null],
])('a client that accepts %j gets %s', async (accepted, coding) => {
  expect((await get(LIST, accepted)).coding).toBe(coding)
})

test('small responses, and those that are no reads, are sent as they are', async () => {
  expect((await get('/api/me', 'gzip')).coding).toBeNull()
  const body = JSON.stringify({ query: 'When does the ferry leave?', limit: 100 })
  const recalled = await get('/api/recall', 'gzip', { method: 'POST', body })
  expect(recalled).toMatchObject({ status: 200, coding: null })
  expect(recalled.bytes.length).toBeGreaterThan(16_384)
})

test('the errors of a list are not compressed', async () => {
  const failed = await get(`${LIST}0000`, 'gzip')
  expect(failed).toMatchObject({ status: 422, coding: null })
})
