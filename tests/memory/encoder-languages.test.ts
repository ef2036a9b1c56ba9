import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { rememberBatch } from '../../shared/contract/index.ts'
import { createDatabase } from '../harness/database.ts'
import { newUser, request, startServer } from '../harness/server.ts'

setDefaultTimeout(120_000)

const GERMAN = Array.from({ length: 20 }, (_, i) => ({
  content: `Der Schlüssel für das Gartenhaus hängt neben der Tür, Haken ${i}`,
}))
const ENGLISH = Array.from({ length: 30 }, (_, i) => ({
  content: `The key of the summer house hangs beside the door, on the hook ${i}`,
}))

const SUGGESTION =
  'Most memories are in languages that minilm does not know. Run: svc models install multilingual-e5 (or set SVC_EMBEDDING=onnx:minilm to keep it)'

test('a server suggests the multilingual encoder until another is installed or the built-in one chosen', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-test-languages-'))
  const database = await createDatabase()
  /** Of a server with this choice, after writing these memories. */
  const suggestion = async (
    SVC_EMBEDDING: string | undefined,
    ...batches: { content: string }[][]
  ) => {
    await using server = await startServer({ SVC_EMBEDDING, SVC_DATA_DIR: dataDir }, database)
    const { client } = await newUser(server)
    for (const memories of batches) await client.call(rememberBatch, { body: { memories } })
    const { body } = await request(server, 'GET', '/api/health/detail')
    expect(body.parts.embedding).toMatchObject({ state: 'ok' })
    return body.parts.embedding.suggestion
  }
  try {
    expect(await suggestion(undefined)).toBeUndefined()
    expect(await suggestion(undefined, GERMAN)).toBe(SUGGESTION)
    expect(await suggestion('onnx:minilm')).toBeUndefined()
    expect(await suggestion('off')).toBeUndefined()
    mkdirSync(join(dataDir, 'models/multilingual-e5'), { recursive: true })
    expect(await suggestion(undefined)).toBeUndefined()
    rmSync(join(dataDir, 'models'), { recursive: true })
    expect(await suggestion(undefined, ENGLISH)).toBeUndefined()
  } finally {
    await database.drop()
    rmSync(dataDir, { recursive: true })
  }
})
