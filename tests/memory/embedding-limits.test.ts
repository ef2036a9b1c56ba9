import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createEmbeddingEndpoint } from '../../server/memory/engines/embedding/endpoint.ts'
import { budgets } from '../../server/platform/budgets.ts'
import {
  type EmbeddingServer,
  type Misbehaviour,
  startEmbeddingServer,
} from '../harness/embedding-server.ts'

let server: EmbeddingServer

beforeAll(async () => {
  server = await startEmbeddingServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
})

const embed = (misbehaviour: Misbehaviour) => {
  server.misbehave = misbehaviour
  const settings = { url: server.url, model: 'm', apiKey: undefined, dimensions: undefined }
  return createEmbeddingEndpoint(settings).embed(
    ['tea'],
    'memory',
    AbortSignal.timeout(budgets.embeddings.ms),
  )
}

test('a response of an embedding endpoint without an end is left at its limit', async () => {
  const piece = Buffer.from('0.1, '.repeat(20_000))
  const cancelled = Promise.withResolvers<void>()
  let sent = 0
  const endless = () =>
    new ReadableStream({
      async pull(controller) {
        // A client that waits for more than its limit would wait for ever.
        if (sent > budgets.embeddings.bytes) return cancelled.promise
        sent += piece.byteLength
        controller.enqueue(piece)
        await Bun.sleep(0)
      },
      cancel: () => cancelled.resolve(),
    })
  await expect(embed(() => new Response(endless()))).rejects.toMatchObject({ kind: 'too_long' })
  await cancelled.promise
})

test('a compressed response of an embedding endpoint is refused', async () => {
  const compressed = Bun.gzipSync(JSON.stringify({ data: [{ embedding: [1, 0] }] }))
  const headers = { 'content-encoding': 'gzip', 'content-type': 'application/json' }
  await expect(embed(() => new Response(compressed, { headers }))).rejects.toMatchObject({
    kind: 'malformed',
  })
})
