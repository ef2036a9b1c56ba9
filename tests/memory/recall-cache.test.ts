import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { encodeVector } from '../../server/memory/memories/vector-code.ts'
import { BUILT_IN_MODEL } from '../../server/memory/memories/vector-model.ts'
import { storeVectors } from '../../server/memory/memories/vectors-store.ts'
import { createBuiltInSearch } from '../../server/memory/recall/built-in-search.ts'
import { createRecallService } from '../../server/memory/recall/service.ts'
import { createCodeCache } from '../../server/memory/recall/vector-cache.ts'
import { contentWords, sentenceVector } from '../../server/memory/text/glove/sentence.ts'
import type { Database } from '../../server/platform/db/database.ts'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { type Client, createClient } from '../../shared/client.ts'
import {
  deleteMemory,
  recall,
  remember,
  rememberBatch,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { newUser, startServer, type TestServer } from '../harness/server.ts'

setDefaultTimeout(120_000)

let shared: TestDatabase
let servers: TestServer[]
let database: Database
beforeAll(async () => {
  shared = await createDatabase()
  servers = [await startServer({}, shared), await startServer({}, shared)]
  database = await openPostgres(shared.env.SVC_DATABASE_URL)
}, 120_000)
afterAll(async () => {
  await database.close()
  for (const server of servers) await server.stop()
  await shared.drop()
})

const WORDS = ['piano', 'violin', 'ship', 'harbour', 'bread', 'oven', 'doctor', 'hospital', 'rain']
const content = fc
  .uniqueArray(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
  .map((words) => `The ${words.join(' and the ')}`)
const AUTHORS = ['Rose', 'Anna', undefined]

/** A write on one of the servers. */
const step = fc.record({
  on: fc.nat({ max: 1 }),
  kind: fc.constantFrom('add', 'add', 'batch', 'update', 'supersede', 'delete', 'restore'),
  at: fc.nat(),
  content,
  author: fc.constantFrom(...AUTHORS),
  question: content,
})

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

/** More than are listed as recent changes. */
const BATCH = 70

const newPerson = async () => {
  const user = await newUser(servers[0] as TestServer)
  const clients = servers.map(({ url }) => createClient({ baseUrl: url, credential: user.key }))
  return { ...user, clients }
}

const apply = async (client: Client, ids: string[], one: Step) => {
  const memory_id = ids[one.at % ids.length] ?? ''
  const body = { content: `${one.content} ${one.at}`, ...(one.author && { author: one.author }) }
  const params = { memory_id }
  if (one.kind === 'batch') {
    const memories = Array.from({ length: BATCH }, (_, i) => ({
      ...body,
      content: `${body.content} ${i}`,
    }))
    return (await client.call(rememberBatch, { body: { memories } })).memories.map(
      (m) => m.memory_id,
    )
  }
  if (one.kind === 'add' || !memory_id) return [(await client.call(remember, { body })).memory_id]
  if (one.kind === 'update') await client.call(updateMemory, { params, body })
  else if (one.kind === 'delete') await client.call(deleteMemory, { params })
  else if (one.kind === 'restore') await client.call(restoreMemory, { params })
  else
    return [(await client.call(remember, { body: { ...body, supersedes: memory_id } })).memory_id]
  return []
}

const scores = ({ memories }: { memories: { memory_id: string; score: number }[] }) =>
  memories.map(({ memory_id, score }) => [memory_id, score])

/** Recall without cached vectors. */
const recallUncached = async (userId: string, query: string) => {
  const search = createBuiltInSearch(database.query)
  const recalls = createRecallService(database, (ownerId, question, filter, limit) =>
    search(ownerId, question, filter, limit, false),
  )
  const me = { display_name: null } as Parameters<typeof recalls.recall>[0]['me']
  return recalls.recall(
    { userId, ownerId: userId, isForOrg: false, timezone: 'UTC', me },
    { query, limit: 20, explain: false },
  )
}

test('recall with cached vectors returns the ids and scores of a recall without, whichever server writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      const { id: userId, clients } = await newPerson()
      const ids: string[] = []
      for (const one of steps) {
        const client = clients[one.on] as Client
        // A write may be refused: the same content exists, or the memory is superseded.
        ids.push(...(await apply(client, ids, one).catch(() => [])))
        const expected = scores(await recallUncached(userId, one.question))
        for (const each of [...clients, ...clients]) {
          const found = await each.call(recall, { body: { query: one.question, limit: 20 } })
          expect(scores(found)).toEqual(expected)
        }
      }
    }),
    { numRuns: 8 },
  )
})

test('the vectors of an owner who recalls again are compared without a statement until a memory changes', async () => {
  const { id: userId, client } = await newPerson()
  await client.call(remember, { body: { content: 'The piano is in the hall' } })
  let statements = 0
  const query: Database['query'] = (text, params) => {
    statements++
    return database.query(text, params)
  }
  const cache = createCodeCache(query, BUILT_IN_MODEL, 1)
  const search = createBuiltInSearch(query, cache)
  const question = { text: 'Which musical instruments are played?', languages: [] }
  const first = await search(userId, question, {}, 10)
  statements = 0
  const second = await search(userId, question, {}, 10)
  expect(statements).toBe(0)
  expect(second.matches).toEqual(first.matches)
  expect(second.matches).toHaveLength(1)

  await client.call(remember, { body: { content: 'The violin is in the attic' } })
  await cache.refresh(userId)
  expect((await search(userId, question, {}, 10)).matches).toHaveLength(2)
})

test('a vector that is stored after its memory reaches the cache', async () => {
  const { id: userId, clients } = await newPerson()
  const text = 'The piano is in the hall'
  await clients[0]?.call(remember, { body: { content: text } })
  await database.query('delete from memory_vectors where owner_id = $1', [userId])
  const cache = createCodeCache(database.query, BUILT_IN_MODEL, 1)
  const search = createBuiltInSearch(database.query, cache)
  const question = { text: 'Which musical instruments are played?', languages: [] }
  expect((await search(userId, question, {}, 10)).matches).toEqual([])

  const [memory] = await database.query<{ seq: string; content_hash: string }>(
    'select seq, content_hash from memories where owner_id = $1',
    [userId],
  )
  const vector = sentenceVector(contentWords(text))
  if (!memory || !vector) throw new Error('the memory has no vector')
  const { seq, content_hash: contentHash } = memory
  await storeVectors(database.query, BUILT_IN_MODEL, userId, [
    { seq: Number(seq), contentHash, code: encodeVector(vector) },
  ])
  await cache.refresh(userId)
  expect((await search(userId, question, {}, 10)).matches).toHaveLength(1)
})

test('while the vectors of two owners are loaded, another owner is searched in the database', async () => {
  const people = [await newPerson(), await newPerson(), await newPerson()]
  const [first = '', second = '', third = ''] = people.map(({ id }) => id)
  const { promise: permitted, resolve: permit } = Promise.withResolvers<void>()
  const query: Database['query'] = async (text, params) => {
    await permitted
    return database.query(text, params)
  }
  for (const { clients } of people)
    await clients[0]?.call(remember, { body: { content: 'The piano is in the hall' } })
  const cache = createCodeCache(query, BUILT_IN_MODEL, 1)
  const loads = [cache.get(first), cache.get(second), cache.get(first)]
  expect(await cache.get(third)).toBeUndefined()
  permit()
  for (const loaded of await Promise.all(loads)) expect(loaded).toBeDefined()
  expect(await cache.get(third)).toBeDefined()
})

test('vectors are not cached for a recall with a filter or as of a time', async () => {
  const { id: userId, clients } = await newPerson()
  await clients[0]?.call(remember, {
    body: { content: 'The piano is in the hall', tags: ['music'] },
  })
  const search = createBuiltInSearch(
    database.query,
    createCodeCache(database.query, BUILT_IN_MODEL, 1),
  )
  const question = { text: 'Which musical instruments are played?', languages: [] }
  const found = async (filter: Parameters<typeof search>[2]) => search(userId, question, filter, 10)
  expect((await found({})).basis).toBeDefined()
  for (const filter of [
    { tags: ['music'] },
    { asOf: new Date().toISOString() },
    { agentSlug: null },
  ]) {
    const { matches, basis } = await found(filter)
    expect([matches.length, basis]).toEqual([1, undefined])
  }
})
