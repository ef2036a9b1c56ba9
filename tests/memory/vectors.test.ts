import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { readConfig } from '../../server/config/config.ts'
import { openPostgres } from '../../server/platform/db/postgres.ts'
import { type Client, createClient } from '../../shared/client.ts'
import {
  deleteMemory,
  getMemory,
  recall,
  remember,
  rememberBatch,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { Remember } from '../../shared/contract/memories.ts'
import type { Recall } from '../../shared/contract/recall.ts'
import { createDatabase } from '../harness/database.ts'
import {
  type EmbeddingServer,
  type Misbehaviour,
  startEmbeddingServer,
} from '../harness/embedding-server.ts'
import { eventually } from '../harness/eventually.ts'
import { newUser, PASSWORD, request, startServer, type TestServer } from '../harness/server.ts'

/** The first of each is a word that the built-in vectors do not know. */
const SYNONYMS = [
  ['medikus', 'doctor'],
  ['otomobil', 'car'],
  ['kanid', 'dog'],
]

/** On a busy machine a model takes longer than the default budget of a recall. */
const SLOW_ENDPOINT = { recallBudgetMs: 3_000 }
setDefaultTimeout(120_000)

const envOf = (endpoint: EmbeddingServer, more: Record<string, string> = {}) => ({
  SVC_EMBEDDING_URL: endpoint.url,
  SVC_EMBEDDING_MODEL: 'test-model',
  ...more,
})

type RecallBody = Partial<Recall> & { query: string }

const search = async (client: Client, question: string | RecallBody) => {
  const body = typeof question === 'string' ? { query: question } : question
  return (await client.call(recall, { body: { ...body, explain: true } })).memories
}

const contentsFor = async (client: Client, question: string | RecallBody) =>
  (await search(client, question)).map(({ content_text }) => content_text)

/** Returns the first result once it is found by its vector. */
const nearest = (client: Client, question: string | RecallBody): Promise<string> =>
  eventually(async () => {
    const [first] = await search(client, question)
    return first?.explanation?.semantic && first.content_text
  })

/** Waits until a memory is found by its vector. */
const until = async (client: Client, question: string, content: string): Promise<void> => {
  await eventually(async () => {
    const found = await search(client, question)
    return found.some((each) => each.content_text === content && each.explanation?.semantic)
  })
}

const write = async (client: Client, input: string | (Partial<Remember> & { content: string })) => {
  const body = typeof input === 'string' ? { content: input } : input
  return (await client.call(remember, { body })).memory_id
}

/** The embedding part of the health report, once recall is warm and no vector of an older memory is missing. */
const embeddingPart = (server: TestServer) =>
  eventually(async () => {
    const { status, body } = await request(server, 'GET', '/api/health/detail')
    const { embedding } = body.parts ?? {}
    return status === 200 && !/being created|wait for their/.test(embedding.note) && embedding
  })

describe('with an embedding model', () => {
  let endpoint: EmbeddingServer
  let server: TestServer
  beforeAll(async () => {
    endpoint = await startEmbeddingServer({ synonyms: SYNONYMS })
    server = await startServer(
      envOf(endpoint, { SVC_EMBEDDING_API_KEY: 'its-key' }),
      undefined,
      SLOW_ENDPOINT,
    )
  })
  afterAll(async () => {
    await server.stop()
    await endpoint[Symbol.asyncDispose]()
  })

  /** A user whose memories have their vectors. */
  const userWith = async (...contents: string[]) => {
    const user = await newUser(server)
    if (contents.length)
      await user.client.call(rememberBatch, {
        body: { memories: contents.map((content) => ({ content })) },
      })
    for (const content of contents) await until(user.client, content, content)
    return user
  }

  /** Makes the endpoint misbehave while `work` runs. */
  const while_ = async <T>(misbehaviour: Misbehaviour, work: () => Promise<T>): Promise<T> => {
    endpoint.misbehave = misbehaviour
    try {
      return await work()
    } finally {
      endpoint.misbehave = undefined
    }
  }

  test('a memory that shares no word with the question is found by its vector', async () => {
    const { client } = await userWith(
      'Ulla went to the doctor on Monday',
      'The tomatoes are ripe',
      'A parcel came from Porto',
    )
    const [first] = await search(client, 'medikus')
    expect(first?.content_text).toBe('Ulla went to the doctor on Monday')
    expect(first?.explanation).toMatchObject({ words: 0, coverage: 0 })
    expect(first?.explanation?.semantic).toBeGreaterThan(0)
  })

  test('the components of an explanation with vectors multiply out to the score', async () => {
    const { client } = await userWith('My car is red', 'The otomobil needs oil', 'Rain again')
    for (const { score, explanation } of await search(client, 'Which car needs oil?')) {
      if (!explanation) throw new Error('no explanation was returned')
      const { words, coverage, semantic, time, fact, ...factors } = explanation
      const sum = words * coverage + semantic + time + fact
      const product = Object.values(factors).reduce((all, factor) => all * factor, 1)
      expect(sum * product).toBeCloseTo(score, 9)
    }
  })

  test('a memory with the words of the question comes before one with the same meaning', async () => {
    const { client } = await userWith('The medikus was late', 'The doctor was late')
    expect((await contentsFor(client, 'Was the doctor late?'))[0]).toBe('The doctor was late')
    expect((await contentsFor(client, 'Was the medikus late?'))[0]).toBe('The medikus was late')
  })

  test('the endpoint receives the model, the key and the text', async () => {
    await userWith('Given to the endpoint as it stands')
    const sent = endpoint.requests.find(({ input }) =>
      input.includes('Given to the endpoint as it stands'),
    )
    expect(sent).toMatchObject({ model: 'test-model', authorization: 'Bearer its-key' })
    expect(sent?.dimensions).toBeUndefined()
  })

  test('a memory is sent to the endpoint once, even when it is remembered again', async () => {
    const { client } = await newUser(server)
    const content = 'The doctor is called Halvorsen'
    await write(client, content)
    await nearest(client, 'medikus')
    await write(client, content)
    await write(client, 'The car is old')
    await until(client, 'otomobil', 'The car is old')
    expect(endpoint.texts().filter((text) => text === content).length).toBe(1)
  })

  test('memories of another user are never found by their vectors', async () => {
    const ada = await userWith('Ada sees a doctor in Bergen')
    const bob = await userWith('Bob collects stamps')
    expect(await contentsFor(bob.client, 'medikus')).not.toContain('Ada sees a doctor in Bergen')
    expect(await contentsFor(ada.client, 'medikus')).toContain('Ada sees a doctor in Bergen')
  })

  test('filters apply to memories found by their vectors', async () => {
    const { client } = await newUser(server)
    const memories = [
      { content: 'doctor one', tags: ['a'], thread: 't1', occurred_at: '2024-01-10' },
      { content: 'doctor two', tags: ['a', 'b'], author: 'Bea', occurred_at: '2024-02-10' },
      { content: 'doctor three', agent_slug: 'x', memory_type: 'episodic' as const },
    ]
    await client.call(rememberBatch, { body: { memories } })
    for (const { content } of memories) await until(client, content, content)
    const only = (filter: Partial<Recall>) => contentsFor(client, { query: 'medikus', ...filter })
    expect((await only({})).sort()).toEqual(['doctor one', 'doctor three', 'doctor two'])
    expect((await only({ tags: ['a'] })).sort()).toEqual(['doctor one', 'doctor two'])
    expect(await only({ tags: ['a', 'b'] })).toEqual(['doctor two'])
    expect(await only({ thread: 't1' })).toEqual(['doctor one'])
    expect(await only({ author: 'Bea' })).toEqual(['doctor two'])
    expect(await only({ agent_slug: 'x' })).toEqual(['doctor three'])
    expect(await only({ memory_type: 'episodic' })).toEqual(['doctor three'])
    expect(await only({ since: '2024-02-01', until: '2024-03-01' })).toEqual(['doctor two'])
    expect(await only({ thread: 'nowhere' })).toEqual([])
  })

  test('a superseded memory is found by its vector only as of a time when it was valid', async () => {
    const { client } = await newUser(server)
    const content = 'The doctor is Ines'
    const before = await write(client, { content, occurred_at: '2024-01-01' })
    await nearest(client, 'medikus')
    const after = 'The doctor is Otto'
    await write(client, { content: after, occurred_at: '2024-06-01', supersedes: before })
    await until(client, after, after)
    expect(await contentsFor(client, 'medikus')).toEqual([after])
    expect(await contentsFor(client, { query: 'medikus', as_of: '2024-03-01' })).toEqual([content])
  })

  test('a changed memory is found by the vector of its new content only', async () => {
    const { client } = await newUser(server)
    const memory_id = await write(client, 'The doctor is in')
    await write(client, 'The doctor left')
    await nearest(client, 'medikus')
    await client.call(updateMemory, { params: { memory_id }, body: { content: 'The car is in' } })
    await until(client, 'otomobil', 'The car is in')
    expect((await contentsFor(client, 'otomobil'))[0]).toBe('The car is in')
    const found = await search(client, 'medikus')
    expect(found[0]?.content_text).toBe('The doctor left')
    const changed = found.find((memory) => memory.memory_id === memory_id)
    expect(changed?.explanation?.semantic ?? 0).toBe(0)
  })

  test('a deleted memory is not found by its vector, and a restored one is', async () => {
    const { client } = await newUser(server)
    const memory_id = await write(client, 'My dog is brown')
    await nearest(client, 'kanid')
    await client.call(deleteMemory, { params: { memory_id }, query: {} })
    expect(await contentsFor(client, 'kanid')).toEqual([])
    await client.call(restoreMemory, { params: { memory_id } })
    expect(await nearest(client, 'kanid')).toBe('My dog is brown')
  })

  test('recall does not wait for an endpoint that takes too long', async () => {
    const { client } = await userWith('The doctor will see you', 'A cup of tea')
    const answered = Promise.withResolvers<undefined>()
    const found = await while_(
      () => answered.promise,
      async () => [
        ...(await contentsFor(client, 'the doctor')),
        ...(await contentsFor(client, 'medikus')),
      ],
    )
    answered.resolve(undefined)
    expect(found).toEqual(['The doctor will see you'])
    expect(await nearest(client, 'medikus')).toBe('The doctor will see you')
  })

  test('an endpoint that does not answer does not hold up the other engines', async () => {
    const [waiting, other] = [await userWith(), await userWith()]
    const requested = Promise.withResolvers<void>()
    const answered = Promise.withResolvers<undefined>()
    const callRecall = () => {
      requested.resolve()
      return answered.promise
    }
    await while_(callRecall, async () => {
      await waiting.client.call(rememberBatch, { body: { memories: [{ content: 'The doctor' }] } })
      await requested.promise
      const { memory_id } = await other.client.call(remember, { body: { content: 'It rains' } })
      await other.client.call(remember, { body: { content: 'it rains.' } })
      const params = { memory_id }
      await eventually(async () => (await other.client.call(getMemory, { params })).superseded_by)
    })
    answered.resolve(undefined)
  })

  test('a new memory gets its vector before those that wait', async () => {
    const { client } = await newUser(server)
    const requested = Promise.withResolvers<string[]>()
    const answered = Promise.withResolvers<undefined>()
    const sent: string[][] = []
    const holdFirst: Misbehaviour = ({ input }) => {
      sent.push(input)
      requested.resolve(input)
      return sent.length === 1 ? answered.promise : undefined
    }
    const contents = Array.from({ length: 400 }, (_, index) => `Imported line ${index}`)
    await while_(holdFirst, async () => {
      await client.call(rememberBatch, {
        body: { memories: contents.map((content) => ({ content })) },
      })
      const first = await requested.promise
      expect(first.length).toBeLessThan(contents.length / 2)
      await write(client, 'The doctor called')
      answered.resolve(undefined)
      await eventually(() => sent.flat().length > contents.length)
    })
    expect(sent[1]?.[0]).toBe('The doctor called')
    expect(sent.flat().toSorted()).toEqual([...contents, 'The doctor called'].toSorted())
  })

  const json = (body: unknown) => () => Response.json(body as object)
  test.each<[string, Misbehaviour]>([
    ['an error', () => new Response('no', { status: 500 })],
    ['a refusal', () => new Response('no', { status: 401 })],
    ['a page', () => new Response('<html>hello</html>')],
    ['half an answer', () => new Response('{"data": [{"embedding": [0.1, ')],
    ['nothing', json({ data: [] })],
    ['another shape', json({ embeddings: [[1, 2, 3]] })],
    ['text for numbers', json({ data: [{ index: 0, embedding: ['1', '2'] }] })],
    ['no number', json({ data: [{ index: 0, embedding: [null, 1] }] })],
    ['zeros', (_, { data }) => json({ data: data.map(() => ({ embedding: [0, 0] })) })()],
    ['a vector of another length', json({ data: [{ index: 0, embedding: [0.5, 0.5] }] })],
    ['the vector of something else', json({ data: [{ index: 7, embedding: [0.5, 0.5] }] })],
  ])('when the endpoint answers %s, recall goes on by words', async (_, misbehaviour) => {
    const { client } = await userWith('The doctor will see you', 'A cup of tea')
    const found = await while_(misbehaviour, async () => [
      ...(await contentsFor(client, 'the doctor')),
      ...(await contentsFor(client, 'medikus')),
    ])
    expect(found).toEqual(['The doctor will see you'])
    expect(await nearest(client, 'medikus')).toBe('The doctor will see you')
  })

  test('vectors returned in another order belong to the right memories', async () => {
    const reversed: Misbehaviour = (_, { data }) => Response.json({ data: data.toReversed() })
    await while_(reversed, async () => {
      const { client } = await userWith('The doctor is in', 'The car is old', 'The dog is loud')
      expect((await contentsFor(client, 'medikus'))[0]).toBe('The doctor is in')
      expect((await contentsFor(client, 'otomobil'))[0]).toBe('The car is old')
    })
  })

  test('a text that the endpoint refuses does not cost other memories their vectors', async () => {
    const picky: Misbehaviour = ({ input }) =>
      input.some((text) => text.includes('unspeakable') || text.length > 2_000)
        ? new Response('no', { status: 400 })
        : undefined
    await while_(picky, async () => {
      const { client } = await newUser(server)
      const contents = [
        'The doctor is in',
        'An unspeakable doctor',
        `My car ${'is old '.repeat(900)}`,
      ]
      await client.call(rememberBatch, {
        body: { memories: contents.map((content) => ({ content })) },
      })
      await until(client, 'medikus', 'The doctor is in')
      await until(client, 'my old otomobil', contents[2] ?? '')
      expect((await contentsFor(client, 'my old otomobil'))[0]).toBe(contents[2] ?? '')
    })
  })

  test('the endpoint receives the beginning of a long text', async () => {
    const { client } = await newUser(server)
    await write(client, `The doctor ${'🩺'.repeat(15_000)}`)
    await nearest(client, 'medikus')
    const sent = endpoint.texts().find((text) => text.includes('🩺'))
    expect(sent?.length).toBeLessThanOrEqual(8_000)
    expect(sent?.isWellFormed()).toBe(true)
  })

  test('the health report names the model that recall uses', async () => {
    expect(await embeddingPart(server)).toMatchObject({
      state: 'ok',
      note: 'test-model, 512 dimensions',
    })
  })
})

describe('the vectors of memories', () => {
  /** A database and an endpoint that servers are started on, one after the other. */
  const deps = async () => {
    const owned = new AsyncDisposableStack()
    const database = await createDatabase()
    owned.defer(database.drop)
    const endpoint = owned.use(await startEmbeddingServer({ synonyms: SYNONYMS }))
    const start = (env: Record<string, string> = {}) =>
      startServer({ SVC_BASE_URL: 'http://svc.test', ...env }, database, SLOW_ENDPOINT)
    return { database, endpoint, start, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  }
  type VectorDeps = Awaited<ReturnType<typeof deps>>

  const clientOn = ({ url }: TestServer, { key }: { key: string }) =>
    createClient({ baseUrl: url, credential: key })

  /** The number of vectors of each model, smallest first. */
  const countVectors = async ({ database }: VectorDeps): Promise<number[]> => {
    const opened = await openPostgres(database.env.SVC_DATABASE_URL)
    const rows = await opened.query<{ count: number }>(
      'select count(*)::int as count from memory_vectors group by model order by 1',
      [],
    )
    await opened.close()
    return rows.map(({ count }) => count)
  }

  test('the vectors of memories are made for memories written before the endpoint was configured', async () => {
    await using around = await deps()
    const before = await around.start()
    const user = await newUser(before)
    await write(user.client, 'The doctor is in')
    await before.stop()
    await using server = await around.start(envOf(around.endpoint))
    expect(await nearest(clientOn(server, user), 'medikus')).toBe('The doctor is in')
  })

  test('the vectors of memories are made again for another model, and not for the same one', async () => {
    await using around = await deps()
    const { endpoint } = around
    const content = 'The doctor is in'
    const first = await around.start(envOf(endpoint))
    const user = await newUser(first)
    await write(user.client, content)
    await nearest(user.client, 'medikus')
    await first.stop()

    const same = await around.start(envOf(endpoint))
    await nearest(clientOn(same, user), 'medikus')
    await same.stop()
    const madeBy = () =>
      endpoint.requests.filter(({ input }) => input.includes(content)).map(({ model }) => model)
    expect(madeBy()).toEqual(['test-model'])

    const other = await around.start({ ...envOf(endpoint), SVC_EMBEDDING_MODEL: 'other-model' })
    expect(await nearest(clientOn(other, user), 'medikus')).toBe(content)
    await other.stop()
    expect(madeBy()).toEqual(['test-model', 'other-model'])
    expect(await countVectors(around)).toEqual([1])
  })

  test('the vectors of memories are made again when the configured or actual length changes', async () => {
    await using around = await deps()
    const { endpoint } = around
    const first = await around.start(envOf(endpoint, { SVC_EMBEDDING_DIMENSIONS: '64' }))
    const user = await newUser(first)
    await write(user.client, 'The doctor is in')
    await nearest(user.client, 'medikus')
    expect(await embeddingPart(first)).toMatchObject({ note: 'test-model, 64 dimensions' })
    await first.stop()
    for (const length of [100, 300]) {
      endpoint.dimensions = length
      await using server = await around.start(envOf(endpoint))
      expect(await nearest(clientOn(server, user), 'medikus')).toBe('The doctor is in')
      expect(await embeddingPart(server)).toMatchObject({
        note: `test-model, ${length} dimensions`,
      })
    }
    // And while it runs.
    await using server = await around.start(envOf(endpoint))
    const client = clientOn(server, user)
    await nearest(client, 'medikus')
    endpoint.dimensions = 200
    await write(client, 'The car is old')
    await until(client, 'otomobil', 'The car is old')
    await until(client, 'medikus', 'The doctor is in')
  })

  test('the vectors of memories are deleted with their memory and account, even when no model is configured any more', async () => {
    await using around = await deps()
    const { endpoint } = around
    const first = await around.start(envOf(endpoint))
    const [ada, bob, eve] = [await newUser(first), await newUser(first), await newUser(first)]
    const ids: string[] = []
    for (const { client } of [ada, bob, eve]) {
      ids.push(await write(client, 'The doctor is in'), await write(client, 'The car is old'))
      await until(client, 'medikus', 'The doctor is in')
      await until(client, 'otomobil', 'The car is old')
    }
    const erase = (server: TestServer, memory_id = '') =>
      clientOn(server, ada).call(deleteMemory, {
        params: { memory_id },
        query: { permanent: true },
      })
    const leave = (server: TestServer, { accessToken }: { accessToken: string }) =>
      request(server, 'DELETE', '/api/auth/delete-account', {
        token: accessToken,
        body: { password: PASSWORD },
      })
    await erase(first, ids[0])
    expect((await leave(first, bob)).status).toBe(200)
    await first.stop()
    expect(await countVectors(around)).toEqual([3])

    const without = await around.start()
    await erase(without, ids[1])
    expect((await leave(without, eve)).status).toBe(200)
    await without.stop()
    expect(await countVectors(around)).toEqual([])
  })

  test('the vectors of memories are made once the endpoint becomes available', async () => {
    await using around = await deps()
    const { endpoint } = around
    endpoint.misbehave = () => new Response('no', { status: 503 })
    await using server = await around.start(envOf(endpoint))
    const { client } = await newUser(server)
    await write(client, 'The doctor is in')
    expect(await contentsFor(client, 'doctor')).toEqual(['The doctor is in'])
    expect(await embeddingPart(server)).toMatchObject({ state: 'down' })
    expect((await request(server, 'GET', '/api/ready')).status).toBe(200)
    endpoint.misbehave = undefined
    expect(await nearest(client, 'medikus')).toBe('The doctor is in')
    expect(await embeddingPart(server)).toMatchObject({ state: 'ok' })
  })

  test('the vectors of memories are not requested by every recall while the endpoint fails', async () => {
    await using around = await deps()
    const { endpoint } = around
    await using server = await around.start(envOf(endpoint))
    const { client } = await newUser(server)
    await write(client, 'The doctor is in')
    await nearest(client, 'medikus')
    endpoint.misbehave = () => new Response('no', { status: 500 })
    const askedBefore = endpoint.requests.length
    const found = []
    for (let i = 0; i < 3; i++) found.push(await contentsFor(client, 'doctor'))
    // All at once, before the breaker allows a trial.
    const rest = Array.from({ length: 7 }, () => contentsFor(client, 'doctor'))
    for (const each of [...found, ...(await Promise.all(rest))])
      expect(each).toEqual(['The doctor is in'])
    expect(endpoint.requests.length - askedBefore).toBe(3)
  })
})

test('SVC_EMBEDDING_URL may be the full address of /embeddings', async () => {
  await using endpoint = await startEmbeddingServer({ synonyms: SYNONYMS })
  const url = `${endpoint.url}/embeddings/`
  await using server = await startServer(envOf(endpoint, { SVC_EMBEDDING_URL: url }))
  const { client } = await newUser(server)
  await write(client, 'The doctor is in')
  expect(await nearest(client, 'medikus')).toBe('The doctor is in')
})

test('with meaning turned off the health report says so', async () => {
  await using server = await startServer()
  expect(await embeddingPart(server)).toMatchObject({
    state: 'ok',
    note: 'off: recall searches by words alone',
  })
})

test.each([
  [
    { SVC_EMBEDDING_URL: 'http://127.0.0.1:1/v1' },
    'SVC_EMBEDDING_URL requires SVC_EMBEDDING_MODEL',
  ],
  [{ SVC_EMBEDDING_MODEL: 'm' }, 'SVC_EMBEDDING_* requires SVC_EMBEDDING_URL'],
])('half a configuration such as %j stops the start', (env, message) => {
  expect(() => readConfig(env)).toThrow(message)
})
