import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import fc from 'fast-check'
import { factReader } from '../../server/memory/facts/questions.ts'
import { encodeVector, vectorModel } from '../../server/memory/memories/vectors.ts'
import { storeVectors } from '../../server/memory/memories/vectors-store.ts'
import { createIndexSearch } from '../../server/memory/recall/index-search.ts'
import { createOwnerIndexes, type OwnerIndexes } from '../../server/memory/recall/owner-indexes.ts'
import type { RecallCaller } from '../../server/memory/recall/question.ts'
import { createRecallService } from '../../server/memory/recall/service.ts'
import type { EmbedQuestion } from '../../server/memory/recall/vector-search.ts'
import type { Database } from '../../server/platform/db/database.ts'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import type { Client } from '../../shared/client.ts'
import { createClient } from '../../shared/client.ts'
import {
  createOrg,
  deleteMemory,
  recall,
  remember,
  rememberBatch,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { Recall } from '../../shared/contract/recall.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newUser, startServer, type TestServer } from '../harness/server.ts'

setDefaultTimeout(240_000)

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

const WORDS = [
  'piano violin ship harbour bread oven doctor hospital rain went going running ran red',
  'I my prefer always never Lisbon move live birthday ABC-123 v1.2.3 the and of',
  'Klavier spielen gespielt Brot Straße llueve barco mañana',
].flatMap((line) => line.split(' '))
const text = fc
  .tuple(
    fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 9 }),
    fc.constantFrom(
      '',
      '?',
      '. Really?',
      '. '.concat('It is a long story about the old harbour. '.repeat(6)),
    ),
  )
  .map(([words, end]) => words.join(' ') + end)
const author = fc.constantFrom('Rose', 'Anna Rose', 'Ben', 'assistant', null)
const thread = fc.constantFrom('one', 'two', null)
const at = fc.constantFrom(
  '2024-03-05T10:00:00.000Z',
  '2024-03-31T23:30:00.000Z',
  '2023-12-25T00:00:00.000Z',
  null,
)
const memory = fc.record(
  {
    content: text,
    author,
    thread,
    occurred_at: at,
    agent_slug: fc.constantFrom('coder', 'writer', null),
    memory_type: fc.constantFrom('semantic', 'episodic', 'preference'),
  },
  { noNullPrototype: true },
)

/** A write on one of the servers. */
const step = fc.record({
  on: fc.nat({ max: 1 }),
  kind: fc.constantFrom(
    'add',
    'add',
    'add',
    'batch',
    'update',
    'supersede',
    'delete',
    'delete last',
    'restore',
  ),
  target: fc.nat(),
  memory,
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const question = fc.record(
  {
    query: fc.oneof(
      text,
      fc
        .tuple(
          fc.constantFrom(
            'What did Rose say about the',
            'What happened in March 2024 with the',
            'Where do I live with my',
            'Can you recommend a',
            'What did you suggest before 2024-03-06 about',
            'Summarize the',
            'Wo spielt Anna',
            'What happened on my birthday with the',
            'What happened on December 25 with the',
          ),
          text,
        )
        .map((parts) => parts.join(' ')),
    ),
    limit: fc.constantFrom(3, 10, 30, 60),
    memory_type: fc.constantFrom('episodic', null, null, null),
    author: fc.constantFrom('Rose', null, null, null),
    agent_slug: fc.constantFrom('coder', null, null, null),
    scope: fc.constantFrom('tiered', 'all', null, null),
    since: fc.constantFrom('2024-01-01T00:00:00Z', null, null),
    min_trust: fc.constantFrom('user', null, null),
    tags: fc.constantFrom<string[] | null>(['music'], null, null, null, null),
    as_of: fc.constantFrom('2030-01-01T00:00:00Z', null, null, null, null),
  },
  { noNullPrototype: true },
)

/** Enough that the index is worn. */
const BATCH = 70

const newPerson = async () => {
  const user = await newUser(servers[0] as TestServer)
  const clients = servers.map(({ url }) => createClient({ baseUrl: url, credential: user.key }))
  return { ...user, clients }
}

const apply = async (client: Client, ids: string[], one: Step): Promise<string[]> => {
  const memory_id = (one.kind === 'delete last' ? ids.at(-1) : ids[one.target % ids.length]) ?? ''
  const params = { memory_id }
  const body = { ...one.memory, tags: one.target % 3 ? [] : ['music'] }
  if (one.kind === 'batch') {
    const memories = Array.from({ length: BATCH }, (_, i) => ({
      ...body,
      content: i % 8 ? `Nothing ${i} of ${one.target}` : `${body.content} ${i}`,
    }))
    return (await client.call(rememberBatch, { body: { memories } })).memories.map(
      (m) => m.memory_id,
    )
  }
  if (one.kind === 'add' || !memory_id) return [(await client.call(remember, { body })).memory_id]
  if (one.kind === 'supersede')
    return [(await client.call(remember, { body: { ...body, supersedes: memory_id } })).memory_id]
  if (one.kind === 'update') await client.call(updateMemory, { params, body })
  else if (one.kind.startsWith('delete')) await client.call(deleteMemory, { params })
  else await client.call(restoreMemory, { params })
  return []
}

const MODEL = vectorModel('of this test', 3)
/** Texts about music have one vector, and all others another one. */
const vectorOf = (text: string): number[] => (/piano|music/i.test(text) ? [1, 0.1, 0] : [0, 0.1, 1])
const embedQuestion: EmbedQuestion = async (question) => ({
  model: MODEL,
  vector: vectorOf(question),
})

const factsOf = { facts: factReader, record: () => {}, embedQuestion }
const openIndexes = (
  maxBytes = 64 * 1024 * 1024,
  on: Pick<Database, 'reads' | 'isDistributed'> = database,
): OwnerIndexes => createOwnerIndexes(on, () => MODEL, { maxBytes })

/** Recall from indexes that follow the changes, and from ones that are loaded for each recall. */
const recallBothWays = (indexes: OwnerIndexes) => {
  const serviceOf = (of: OwnerIndexes) =>
    createRecallService(database, {
      ...factsOf,
      searchIndex: createIndexSearch(database.query, of),
    })
  const loaded = serviceOf(openIndexes(0))
  const following = serviceOf(indexes)
  return {
    recall: (caller: RecallCaller, body: Omit<Recall, 'explain'>) =>
      following.recall(caller, { ...body, explain: true }),
    async compare(caller: RecallCaller, body: Omit<Recall, 'explain'>): Promise<number> {
      const explained = { ...body, explain: true }
      const expected = await loaded.recall(caller, explained)
      expect(await following.recall(caller, explained)).toEqual(expected)
      return expected.count ?? 0
    },
  }
}

const callerOf = (userId: string, ownerId = userId): RecallCaller =>
  ({
    userId,
    ownerId,
    isForOrg: false,
    timezone: 'Europe/Lisbon',
    me: { display_name: 'Ben' },
  }) as RecallCaller

test('recall from an index that follows the changes equals that from a loaded one in order, scores and explanations, after any writes on two servers', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(step, fc.array(question, { minLength: 1, maxLength: 3 })), {
        minLength: 4,
        maxLength: 16,
      }),
      async (steps) => {
        const { id: userId, clients } = await newPerson()
        const both = recallBothWays(openIndexes())
        const ids: string[] = []
        for (const [one, questions] of steps) {
          // A write may be refused: the same content exists, or the memory is superseded.
          ids.push(...(await apply(clients[one.on] as Client, ids, one).catch(() => [])))
          for (const each of questions) {
            const count = await both.compare(callerOf(userId), each)
            if (count > 0) compared++
          }
        }
      },
    ),
    { numRuns: 25 },
  )
  expect(compared).toBeGreaterThan(100)
})

test('recall from the index finds the memories of an organization', async () => {
  const { id: userId, clients, key } = await newPerson()
  const [first] = clients as [Client]
  const { id: orgId } = await first.call(createOrg, { body: { name: 'Harbour' } })
  const inOrg = createClient({ baseUrl: servers[1]?.url ?? '', credential: key, orgId })
  const both = recallBothWays(openIndexes())
  const body = { query: 'Where is the piano of Rose?', limit: 10, scope: 'all' as const }
  for (const content of [
    'The piano is in the hall',
    'Rose sold the ship',
    'Rose plays the piano',
  ]) {
    await inOrg.call(remember, { body: { content, author: 'Rose' } })
    await first.call(remember, { body: { content: `${content} at home` } })
    await both.compare(callerOf(userId, orgId), body)
  }
  expect(await both.compare(callerOf(userId, orgId), body)).toBe(6)
})

test('a server finds at once what another server writes', async () => {
  const { clients } = await newPerson()
  const [writer, reader] = clients as [Client, Client]
  const body = { query: 'Which instruments are in the house?', limit: 50 }
  await writer.call(remember, { body: { content: 'The piano is an instrument in the house' } })
  await reader.call(recall, { body })
  for (let i = 2; i <= 20; i++) {
    await writer.call(remember, { body: { content: `Instrument ${i} of the house is a violin` } })
    expect((await reader.call(recall, { body })).count).toBe(i)
  }
})

test('an index that misses changes which are not kept any more is loaded again', async () => {
  const { id: userId, clients } = await newPerson()
  const [client] = clients as [Client]
  const content = 'The piano is in the hall'
  const { memory_id } = await client.call(remember, { body: { content } })
  let loads = 0
  const indexes = createOwnerIndexes(database, () => MODEL, {
    maxBytes: 1e9,
    onLoad: () => loads++,
  })
  const both = recallBothWays(indexes)
  const body = { query: 'Where is the piano?', limit: 10 }
  expect(await both.compare(callerOf(userId), body)).toBe(1)
  await client.call(updateMemory, { params: { memory_id }, body: { content: `${content} now` } })
  await client.call(remember, { body: { content: 'The piano is out of tune' } })
  await database.query('delete from memory_changes where owner_id = $1 and change_no < 3', [userId])
  expect(await both.compare(callerOf(userId), body)).toBe(2)
  expect(loads).toBe(2)
})

test('the index knows where a thread ends after its last memories were deleted', async () => {
  const { id: userId, clients } = await newPerson()
  const [client] = clients as [Client]
  const { memories } = await client.call(rememberBatch, {
    body: {
      memories: Array.from({ length: 60 }, (_, i) => ({
        content: i === 55 ? 'Where is the piano' : `Turn ${i} of a chat`,
        thread: 'long',
      })),
    },
  })
  const both = recallBothWays(openIndexes())
  const body = { query: 'piano', limit: 3 }
  for (let i = 0; i < 2; i++) await both.compare(callerOf(userId), body)
  for (const { memory_id } of memories.slice(58).reverse()) {
    await client.call(deleteMemory, { params: { memory_id } })
    expect(await both.compare(callerOf(userId), body)).toBe(3)
  }
})

test('a vector that is stored after its memory reaches the index', async () => {
  const { id: userId, clients } = await newPerson()
  for (const content of ['The piano is in the hall', 'The ship is in the harbour', 'It rained'])
    await clients[0]?.call(remember, { body: { content } })
  const both = recallBothWays(openIndexes())
  const body = { query: 'Which kind of music?', limit: 10 }
  expect(await both.compare(callerOf(userId), body)).toBe(0)

  const memories = await database.query<{
    seq: string
    content_hash: string
    content_text: string
  }>('select seq, content_hash, content_text from memories where owner_id = $1', [userId])
  await storeVectors(
    database.query,
    MODEL,
    userId,
    memories.map(({ seq, content_hash: contentHash, content_text }) => ({
      seq: Number(seq),
      contentHash,
      code: encodeVector(vectorOf(content_text)),
    })),
  )
  await eventually(async () => (await both.recall(callerOf(userId), body)).count === 1)
  expect(await both.compare(callerOf(userId), body)).toBe(1)
})

test('a lower number of changes, as after a restored backup, loads the index again', async () => {
  const { id: userId, clients } = await newPerson()
  const [client] = clients as [Client]
  const { memory_id } = await client.call(remember, {
    body: { content: 'The piano is in the hall' },
  })
  for (const content of ['The ship is in the harbour', 'A doctor plays the piano'])
    await client.call(remember, { body: { content } })
  const both = recallBothWays(openIndexes())
  const body = { query: 'Where is the piano?', limit: 10 }
  expect(await both.compare(callerOf(userId), body)).toBe(2)

  // As it was after the first memory, with another content.
  await client.call(deleteMemory, { params: { memory_id } })
  await database.query('update memory_stats set change_count = 1 where owner_id = $1', [userId])
  await database.query('delete from memory_changes where owner_id = $1', [userId])
  expect(await both.compare(callerOf(userId), body)).toBe(1)
  expect(await both.compare(callerOf(userId), body)).toBe(1)
})

test('a memory that is deleted between the statements of a recall is not returned', async () => {
  const { id: userId, clients } = await newPerson()
  const [client] = clients as [Client]
  const { memory_id } = await client.call(remember, {
    body: { content: 'The piano is in the hall' },
  })
  await client.call(remember, { body: { content: 'The piano is out of tune' } })
  let beforeRead = async () => {}
  const query: Database['query'] = async <T>(text: string, params: unknown[]) => {
    const rows = await database.query<T>(text, params)
    if (text.includes('as stats')) await beforeRead()
    return rows
  }
  const recalls = createRecallService(database, {
    ...factsOf,
    searchIndex: createIndexSearch(
      query,
      openIndexes(undefined, { ...database, reads: { ...database.reads, query } }),
    ),
  })
  const body = { query: 'Where is the piano?', limit: 10, explain: false }
  expect((await recalls.recall(callerOf(userId), body)).count).toBe(2)
  expect((await recalls.recall(callerOf(userId), body)).count).toBe(2)
  beforeRead = async () => {
    await client.call(deleteMemory, { params: { memory_id } })
    beforeRead = async () => {}
  }
  const { memories = [] } = await recalls.recall(callerOf(userId), body)
  expect(memories.map(({ content_text }) => content_text)).toEqual(['The piano is out of tune'])
})

test('the indexes stay within their limit, and the owner that recalled last stays', async () => {
  const people = await Promise.all(Array.from({ length: 4 }, newPerson))
  for (const { clients } of people)
    await clients[0]?.call(rememberBatch, {
      body: {
        memories: Array.from({ length: 100 }, (_, i) => ({
          content: `Piano ${i} is in hall ${i % 7}`,
        })),
      },
    })
  const one = openIndexes()
  await one.open(people[0]?.id ?? '')
  const { bytes } = one.report()
  expect(one.report().owners).toBe(1)

  const indexes = openIndexes(bytes * 2.5)
  const both = recallBothWays(indexes)
  const body = { query: 'Where is piano 12?', limit: 10 }
  for (const { id } of [...people, ...people]) {
    await both.compare(callerOf(id), body)
    expect(indexes.report().bytes).toBeLessThanOrEqual(bytes * 2.5)
  }
  expect(indexes.report().owners).toBe(2)
})

test.each([0, 0.5])(
  'an owner larger than the limit is recalled, and not kept: %d of its size',
  async (share) => {
    const { id: userId, clients } = await newPerson()
    await clients[0]?.call(remember, { body: { content: 'The piano is in the hall' } })
    const one = openIndexes()
    await one.open(userId)
    const indexes = openIndexes(one.report().bytes * share)
    const body = { query: 'Where is the piano?', limit: 10 }
    for (let i = 0; i < 2; i++)
      expect(await recallBothWays(indexes).compare(callerOf(userId), body)).toBe(1)
    expect(indexes.report()).toEqual({ owners: 0, bytes: 0 })
  },
)

test('recalls at once load an owner once, and more owners than are loaded at a time wait', async () => {
  const people = await Promise.all(Array.from({ length: 6 }, newPerson))
  for (const { clients } of people)
    await clients[0]?.call(remember, { body: { content: 'The piano is in the hall' } })
  let loads = 0
  const indexes = createOwnerIndexes(database, () => MODEL, {
    maxBytes: 1e9,
    onLoad: () => loads++,
  })
  const opened = await Promise.all([...people, ...people].map(({ id }) => indexes.open(id)))
  expect(opened.map((index) => index?.liveCount)).toEqual(opened.map(() => 1))
  expect(loads).toBe(people.length)
})
