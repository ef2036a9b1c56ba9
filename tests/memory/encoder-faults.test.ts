import { afterAll, expect, setDefaultTimeout, test } from 'bun:test'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createEncoder,
  createSharedEncoder,
} from '../../server/memory/engines/embedding/encoder/encoder.ts'
import { BUILT_IN_ENCODER } from '../../server/memory/engines/embedding/encoder/names.ts'
import { SAMPLES } from '../../server/memory/engines/embedding/model.ts'
import { encodeBy } from '../../server/memory/engines/embedding/service.ts'
import { createLink, type Link } from '../../server/platform/process-link.ts'
import type { Client } from '../../shared/client.ts'
import { recall, remember, rememberBatch } from '../../shared/contract/index.ts'
import { isRunning, untilEnded } from '../embedded/support.ts'
import { createDatabase } from '../harness/database.ts'
import { writeEncoder } from '../harness/encoder-model.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, request, startServer, type TestServer } from '../harness/server.ts'

setDefaultTimeout(180_000)

const root = mkdtempSync(join(tmpdir(), 'svc-test-encoder-faults-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** A small model. A question about the medikus has no word of this memory. */
const DOCTOR = 'Ulla saw the doctor'
const TOMATOES = 'The tomatoes are ripe'
const QUESTION = 'the medikus'

const newModel = () => {
  const directory = mkdtempSync(join(root, 'model-'))
  const words =
    [DOCTOR, TOMATOES, ...SAMPLES]
      .join(' ')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  writeEncoder(directory, { words: [...new Set(words)], synonyms: [['doctor', 'medikus']] })
  return { SVC_EMBEDDING: `onnx:${directory}` }
}

/** The processes that a process started, whose command line has this text. */
const childrenOf = (parent: number, text: string): number[] =>
  readdirSync(`/proc/${parent}/task`)
    .flatMap((thread) => readFileSync(`/proc/${parent}/task/${thread}/children`, 'utf8').split(' '))
    .filter((pid) => pid.trim() !== '')
    .map(Number)
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(text)
      } catch {
        return false
      }
    })
    .filter(isRunning)

const encodersOf = (parent: number): number[] => childrenOf(parent, 'encoder-process')

const encoderOf = (parent: number): Promise<number> => eventually(() => encodersOf(parent)[0])

const write = async (client: Client) => {
  for (const content of [DOCTOR, TOMATOES]) await client.call(remember, { body: { content } })
}

const ask = async (client: Client, query = QUESTION) =>
  (await client.call(recall, { body: { query, explain: true } })).memories

/** Asks until a question is answered by meaning. */
const untilMeaning = (client: Client, query?: string) =>
  eventually(async () => (await ask(client, query))[0]?.explanation?.semantic)

const untilEncoded = (server: TestServer) =>
  eventually(async () => {
    const waiting = "select from memory_tasks where engine = 'embedding' limit 1"
    return (await runSql(server.database, waiting)).length === 0
  })

const PATIENT = { recallBudgetMs: 20_000 }

test('an encoder killed with SIGKILL under load costs no request and no vector', async () => {
  await using server = await startServer(newModel(), undefined, PATIENT)
  const { client } = await newUser(server)
  await write(client)
  await untilMeaning(client)
  const first = await encoderOf(process.pid)
  const memories = Array.from({ length: 100 }, (_, i) => ({ content: `${TOMATOES} ${i}` }))
  await client.call(rememberBatch, { body: { memories } })
  const asking = Promise.all(
    Array.from({ length: 20 }, (_, i) => ask(client, `${TOMATOES} of ${i}`)),
  )
  process.kill(first, 'SIGKILL')
  for (const found of await asking) expect(found).not.toHaveLength(0)
  await untilEnded(first)
  await untilMeaning(client)
  await untilEncoded(server)
  expect(await encoderOf(process.pid)).not.toBe(first)
})

test('a frozen encoder does not hold up a recall, and is replaced', async () => {
  await using server = await startServer(newModel())
  const { client } = await newUser(server)
  await write(client)
  await untilMeaning(client)
  await untilEncoded(server)
  const frozen = await encoderOf(process.pid)
  process.kill(frozen, 'SIGSTOP')
  const [byWords] = await ask(client, 'ripe tomatoes')
  expect(byWords).toMatchObject({ content_text: TOMATOES, explanation: { semantic: 0 } })
  // The vector of a question that was asked before is known.
  expect((await ask(client))[0]?.content_text).toBe(DOCTOR)
  expect(isRunning(frozen)).toBe(true)
  await untilEnded(frozen)
  await untilMeaning(client, 'Ulla and the medikus')
})

test('a stopped server leaves no encoder, also while it encodes', async () => {
  await using server = await startServer(newModel())
  const { client } = await newUser(server)
  const memories = Array.from({ length: 100 }, (_, i) => ({ content: `${TOMATOES} ${i}` }))
  await client.call(rememberBatch, { body: { memories } })
  const encoder = await encoderOf(process.pid)
  await server.stop()
  await untilEnded(encoder)
  expect(encodersOf(process.pid)).toEqual([])
})

test('the encoder of a server killed with SIGKILL ends', async () => {
  const database = await createDatabase()
  const server = spawnServer({ ...database.env, ...newModel() })
  try {
    const { client } = await newUser({ url: await server.url })
    await write(client)
    const encoder = await encoderOf(server.child.pid)
    server.child.kill('SIGKILL')
    await untilEnded(encoder)
  } finally {
    await server[Symbol.asyncDispose]()
    await database.drop()
  }
})

test('all processes of a server use the encoder of the first one', async () => {
  const database = await createDatabase()
  const server = spawnServer({ ...database.env, ...newModel(), SVC_PROCESSES: '3' })
  try {
    const url = await server.url
    const others = await eventually(() => {
      const found = childrenOf(server.child.pid, '\0serve')
      return found.length === 2 && found
    })
    const { client, key } = await newUser({ url })
    await write(client)
    // A new connection for each request, so that the kernel chooses a process for each.
    const askAny = async (query: string) => {
      const { body } = await request({ url }, 'POST', '/api/recall', {
        token: key,
        body: { query, explain: true },
        headers: { connection: 'close' },
      })
      return body.memories[0]?.explanation.semantic
    }
    const questions = Array.from({ length: 30 }, (_, i) => `Ulla and the medikus ${i}`)
    for (const question of questions) await eventually(() => askAny(question))
    expect(await encoderOf(server.child.pid)).toBeGreaterThan(0)
    expect(others.flatMap(encodersOf)).toEqual([])
  } finally {
    await server[Symbol.asyncDispose]()
    await database.drop()
  }
})

test('another process gets the vectors and the failures of the encoder of the first one', async () => {
  const directory = newModel().SVC_EMBEDDING.slice('onnx:'.length)
  const settings = { model: 'tested', directory }
  const encoder = createEncoder(settings)
  const silent = { answer: async () => [], answerLines: async () => [], timeoutMs: 60_000 }
  const first: Link = createLink({
    ...silent,
    send: (message) => other.receive(message),
    encode: encodeBy(encoder),
  })
  const other: Link = createLink({ ...silent, send: (message) => first.receive(message) })
  const shared = createSharedEncoder(settings, other.encode)
  try {
    const signal = AbortSignal.timeout(60_000)
    const expected = await encoder.embed([DOCTOR, TOMATOES], 'memory', signal)
    expect(await shared.embed([DOCTOR, TOMATOES], 'memory', signal)).toEqual(expected)
    expect(shared.identity()).toBe(encoder.identity())
    await encoder.stop()
    await expect(shared.embed([DOCTOR], 'question', signal)).rejects.toThrow('it was stopped')
  } finally {
    await encoder.stop()
  }
})

test('a damaged file of the model is reported, and recall goes on by words', async () => {
  const directory = join(root, 'damaged')
  cpSync(BUILT_IN_ENCODER.directory, directory, { recursive: true })
  const model = readFileSync(join(directory, 'onnx/model.onnx'))
  model.writeUInt8(model.readUInt8(model.length - 1_000) ^ 1, model.length - 1_000)
  writeFileSync(join(directory, 'onnx/model.onnx'), model)
  await using server = await startServer({ SVC_EMBEDDING: `onnx:${directory}` })
  const { client } = await newUser(server)
  await write(client)
  const { note } = await eventually(async () => {
    const { body } = await request(server, 'GET', '/api/health/detail')
    return body.parts.embedding?.state === 'down' && body.parts.embedding
  })
  expect(note).toContain('onnx/model.onnx differs from the file that was installed')
  expect((await ask(client, 'ripe tomatoes'))[0]?.content_text).toBe(TOMATOES)
})
