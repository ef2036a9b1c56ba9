import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import postgres from 'postgres'
import { readConfig } from '../../server/config.ts'
import { openEmbedded } from '../../server/platform/db/embedded.ts'
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
import type { Recall, Remember } from '../../shared/schemas/memory.ts'
import { createDatabase, databaseKind, postgresUrl } from '../harness/database.ts'
import {
  type EmbeddingServer,
  type Misbehaviour,
  startEmbeddingServer,
} from '../harness/embedding-server.ts'
import { newUser, PASSWORD, request, startServer, type TestServer } from '../harness/server.ts'

const SYNONYMS = [
  ['physician', 'doctor'],
  ['automobile', 'car'],
  ['residence', 'house', 'home'],
  ['canine', 'dog'],
]

/** A PostgreSQL server may be without pgvector; the embedded database never is. */
const hasVectors = async (): Promise<boolean> => {
  if (databaseKind === 'embedded') return true
  const sql = postgres(postgresUrl, { max: 1 })
  const rows = await sql`select from pg_available_extensions where name = 'vector'`
  await sql.end()
  return rows.length > 0
}
const withVectors = await hasVectors()

const POLL_MS = 100
/** The model of a busy machine takes longer than a recall waits where nobody is to notice. */
const PATIENT = { recallBudgetMs: 3_000 }
setDefaultTimeout(60_000)

const envOf = (endpoint: EmbeddingServer, more: Record<string, string> = {}) => ({
  SVC_EMBEDDING_URL: endpoint.url,
  SVC_EMBEDDING_MODEL: 'test-model',
  ...more,
})

type Asked = Partial<Recall> & { query: string }

const ask = async (client: Client, asked: string | Asked) => {
  const body = typeof asked === 'string' ? { query: asked } : asked
  return (await client.call(recall, { body: { ...body, explain: true } })).memories
}

const contentsFor = async (client: Client, asked: string | Asked) =>
  (await ask(client, asked)).map(({ content_text }) => content_text)

/** The first memory that is found, once it is found by its vector. */
const nearest = async (client: Client, asked: string | Asked): Promise<string> => {
  for (;;) {
    const [first] = await ask(client, asked)
    if (first?.explanation?.semantic) return first.content_text
    await Bun.sleep(POLL_MS)
  }
}

/** Waits until a memory is found by its vector. */
const until = async (client: Client, asked: string, content: string): Promise<void> => {
  for (;;) {
    const found = await ask(client, asked)
    if (found.some((each) => each.content_text === content && each.explanation?.semantic)) return
    await Bun.sleep(POLL_MS)
  }
}

const write = async (client: Client, given: string | (Partial<Remember> & { content: string })) => {
  const body = typeof given === 'string' ? { content: given } : given
  return (await client.call(remember, { body })).memory_id
}

/** What the health report says of it, once recall is warm. */
const embeddingPart = async (server: TestServer) => {
  for (;;) {
    const { status, body } = await request(server, 'GET', '/api/health/detail')
    if (status === 200) return body.parts.embedding
    await Bun.sleep(POLL_MS)
  }
}

describe.if(withVectors)('with an embedding model', () => {
  let endpoint: EmbeddingServer
  let server: TestServer
  beforeAll(async () => {
    endpoint = await startEmbeddingServer({ synonyms: SYNONYMS })
    server = await startServer(
      envOf(endpoint, { SVC_EMBEDDING_API_KEY: 'its-key' }),
      undefined,
      PATIENT,
    )
  })
  afterAll(async () => {
    await server.stop()
    await endpoint[Symbol.asyncDispose]()
  })

  /** Somebody whose memories have their vectors. */
  const userWith = async (...contents: string[]) => {
    const user = await newUser(server)
    if (contents.length)
      await user.client.call(rememberBatch, {
        body: { memories: contents.map((content) => ({ content })) },
      })
    for (const content of contents) await until(user.client, content, content)
    return user
  }

  /** Has the endpoint misbehave while `work` is done. */
  const while_ = async <T>(misbehaviour: Misbehaviour, work: () => Promise<T>): Promise<T> => {
    endpoint.misbehave = misbehaviour
    try {
      return await work()
    } finally {
      endpoint.misbehave = undefined
    }
  }

  test('a memory that shares no word with the question is found by what it means', async () => {
    const { client } = await userWith(
      'Ulla went to the doctor on Monday',
      'The tomatoes are ripe',
      'A parcel came from Porto',
    )
    const [first] = await ask(client, 'physician')
    expect(first?.content_text).toBe('Ulla went to the doctor on Monday')
    expect(first?.explanation).toMatchObject({ words: 0, coverage: 0 })
    expect(first?.explanation?.semantic).toBeGreaterThan(0)
  })

  test('the explanation of a score comes out at it', async () => {
    const { client } = await userWith('My car is red', 'The automobile needs oil', 'Rain again')
    for (const { score, explanation } of await ask(client, 'Which car needs oil?')) {
      if (!explanation) throw new Error('asked for')
      const { words, coverage, thread, semantic, time, ...factors } = explanation
      const sum = words * coverage + thread + semantic + time
      const product = Object.values(factors).reduce((all, factor) => all * factor, 1)
      expect(sum * product).toBeCloseTo(score, 9)
    }
  })

  test('words still count: who says it in the same words comes first', async () => {
    const { client } = await userWith('The physician was late', 'The doctor was late')
    expect((await contentsFor(client, 'Was the doctor late?'))[0]).toBe('The doctor was late')
    expect((await contentsFor(client, 'Was the physician late?'))[0]).toBe('The physician was late')
  })

  test('the endpoint is given the model, the key and the text', async () => {
    await userWith('Given to the endpoint as it stands')
    const asked = endpoint.requests.find(({ input }) =>
      input.includes('Given to the endpoint as it stands'),
    )
    expect(asked).toMatchObject({ model: 'test-model', authorization: 'Bearer its-key' })
    expect(asked?.dimensions).toBeUndefined()
  })

  test('a memory is given to the endpoint once, also when it is remembered again', async () => {
    const { client } = await newUser(server)
    const content = 'The doctor is called Halvorsen'
    await write(client, content)
    await nearest(client, 'physician')
    await write(client, content)
    await write(client, 'The car is old')
    await until(client, 'automobile', 'The car is old')
    expect(endpoint.texts().filter((text) => text === content).length).toBe(1)
  })

  test('other people’s memories are never near', async () => {
    const ada = await userWith('Ada sees a doctor in Bergen')
    const bob = await userWith('Bob collects stamps')
    expect(await contentsFor(bob.client, 'physician')).not.toContain('Ada sees a doctor in Bergen')
    expect(await contentsFor(ada.client, 'physician')).toContain('Ada sees a doctor in Bergen')
  })

  test('filters hold for what is near, too', async () => {
    const { client } = await newUser(server)
    const given = [
      { content: 'doctor one', tags: ['a'], thread: 't1', occurred_at: '2024-01-10' },
      { content: 'doctor two', tags: ['a', 'b'], author: 'Bea', occurred_at: '2024-02-10' },
      { content: 'doctor three', agent_slug: 'x', memory_type: 'episodic' as const },
    ]
    await client.call(rememberBatch, { body: { memories: given } })
    for (const { content } of given) await until(client, content, content)
    const only = (filter: Partial<Recall>) => contentsFor(client, { query: 'physician', ...filter })
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

  test('what was superseded is near only as of a time when it held', async () => {
    const { client } = await newUser(server)
    const content = 'The doctor is Ines'
    const before = await write(client, { content, occurred_at: '2024-01-01' })
    await nearest(client, 'physician')
    const after = 'The doctor is Otto'
    await write(client, { content: after, occurred_at: '2024-06-01', supersedes: before })
    await until(client, after, after)
    expect(await contentsFor(client, 'physician')).toEqual([after])
    expect(await contentsFor(client, { query: 'physician', as_of: '2024-03-01' })).toEqual([
      content,
    ])
  })

  test('a changed memory is found by what it means now alone', async () => {
    const { client } = await newUser(server)
    const memory_id = await write(client, 'The doctor is in')
    await write(client, 'The doctor left')
    await nearest(client, 'physician')
    await client.call(updateMemory, { params: { memory_id }, body: { content: 'The car is in' } })
    await until(client, 'automobile', 'The car is in')
    expect((await contentsFor(client, 'automobile'))[0]).toBe('The car is in')
    const found = await ask(client, 'physician')
    expect(found[0]?.content_text).toBe('The doctor left')
    const changed = found.find((memory) => memory.memory_id === memory_id)
    expect(changed?.explanation?.semantic ?? 0).toBe(0)
  })

  test('a forgotten memory is not near; a restored one is again', async () => {
    const { client } = await newUser(server)
    const memory_id = await write(client, 'My dog is brown')
    await nearest(client, 'canine')
    await client.call(deleteMemory, { params: { memory_id }, query: {} })
    expect(await contentsFor(client, 'canine')).toEqual([])
    await client.call(restoreMemory, { params: { memory_id } })
    expect(await nearest(client, 'canine')).toBe('My dog is brown')
  })

  test('an endpoint that takes too long is not waited for', async () => {
    const { client } = await userWith('The doctor will see you', 'A cup of tea')
    const answered = Promise.withResolvers<undefined>()
    const found = await while_(
      () => answered.promise,
      () => ask(client, 'the doctor'),
    )
    answered.resolve(undefined)
    expect(found.map(({ content_text }) => content_text)).toEqual(['The doctor will see you'])
    expect(found[0]?.explanation?.semantic).toBe(0)
    expect(await nearest(client, 'physician')).toBe('The doctor will see you')
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
    const found = await while_(misbehaviour, () => ask(client, 'the doctor'))
    expect(found.map(({ content_text }) => content_text)).toEqual(['The doctor will see you'])
    expect(found[0]?.explanation?.semantic).toBe(0)
    expect(await nearest(client, 'physician')).toBe('The doctor will see you')
  })

  test('vectors that come in another order are not mixed up', async () => {
    const reversed: Misbehaviour = (_, { data }) => Response.json({ data: data.toReversed() })
    await while_(reversed, async () => {
      const { client } = await userWith('The doctor is in', 'The car is old', 'The dog is loud')
      expect((await contentsFor(client, 'physician'))[0]).toBe('The doctor is in')
      expect((await contentsFor(client, 'automobile'))[0]).toBe('The car is old')
    })
  })

  test('a text that the endpoint does not take keeps no other from its vector', async () => {
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
      await until(client, 'physician', 'The doctor is in')
      await until(client, 'automobile', contents[2] ?? '')
      expect((await contentsFor(client, 'automobile'))[0]).toBe(contents[2] ?? '')
    })
  })

  test('of a long text the beginning is given', async () => {
    const { client } = await newUser(server)
    await write(client, `The doctor ${'🩺'.repeat(15_000)}`)
    await nearest(client, 'physician')
    const given = endpoint.texts().find((text) => text.includes('🩺'))
    expect(given?.length).toBeLessThanOrEqual(8_000)
    expect(given?.isWellFormed()).toBe(true)
  })

  test('the health report tells which model recalls', async () => {
    expect(await embeddingPart(server)).toMatchObject({
      state: 'ok',
      note: 'test-model, 512 dimensions',
    })
  })
})

describe.if(withVectors)('the vectors of memories', () => {
  /** A database and an endpoint that servers are started on, one after the other. */
  const surroundings = async () => {
    const owned = new AsyncDisposableStack()
    const database = await createDatabase()
    owned.defer(database.drop)
    const endpoint = owned.use(await startEmbeddingServer({ synonyms: SYNONYMS }))
    const start = (env: Record<string, string> = {}) =>
      startServer({ SVC_BASE_URL: 'http://svc.test', ...env }, database, PATIENT)
    return { database, endpoint, start, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  }
  type Surroundings = Awaited<ReturnType<typeof surroundings>>

  const clientOn = ({ url }: TestServer, { key }: { key: string }) =>
    createClient({ baseUrl: url, credential: key })

  const countVectors = async ({ database }: Surroundings): Promise<number[]> => {
    const { SVC_DATABASE_URL, SVC_DATA_DIR } = database.env
    const opened = await (SVC_DATABASE_URL
      ? openPostgres(SVC_DATABASE_URL)
      : openEmbedded(SVC_DATA_DIR))
    const tables = await opened.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relname like 'memory_vectors_%'`,
      [],
    )
    const counts: number[] = []
    for (const { name } of tables) {
      const rows = await opened.query<{ count: number }>(
        `select count(*)::int as count from ${name}`,
        [],
      )
      counts.push(...rows.map(({ count }) => count))
    }
    await opened.close()
    return counts
  }

  test('are made of memories that were there before', async () => {
    await using around = await surroundings()
    const before = await around.start()
    const user = await newUser(before)
    await write(user.client, 'The doctor is in')
    expect(await embeddingPart(before)).toBeUndefined()
    await before.stop()
    await using server = await around.start(envOf(around.endpoint))
    expect(await nearest(clientOn(server, user), 'physician')).toBe('The doctor is in')
  })

  test('are made again by another model, and not by the same one', async () => {
    await using around = await surroundings()
    const { endpoint } = around
    const content = 'The doctor is in'
    const first = await around.start(envOf(endpoint))
    const user = await newUser(first)
    await write(user.client, content)
    await nearest(user.client, 'physician')
    await first.stop()

    const same = await around.start(envOf(endpoint))
    await nearest(clientOn(same, user), 'physician')
    await same.stop()
    const madeBy = () =>
      endpoint.requests.filter(({ input }) => input.includes(content)).map(({ model }) => model)
    expect(madeBy()).toEqual(['test-model'])

    const other = await around.start({ ...envOf(endpoint), SVC_EMBEDDING_MODEL: 'other-model' })
    expect(await nearest(clientOn(other, user), 'physician')).toBe(content)
    await other.stop()
    expect(madeBy()).toEqual(['test-model', 'other-model'])
    expect(await countVectors(around)).toEqual([1])
  })

  test('are made again when they are to have, or come to have, another length', async () => {
    await using around = await surroundings()
    const { endpoint } = around
    const first = await around.start(envOf(endpoint, { SVC_EMBEDDING_DIMENSIONS: '64' }))
    const user = await newUser(first)
    await write(user.client, 'The doctor is in')
    await nearest(user.client, 'physician')
    expect(await embeddingPart(first)).toMatchObject({ note: 'test-model, 64 dimensions' })
    await first.stop()
    for (const length of [100, 300]) {
      endpoint.dimensions = length
      await using server = await around.start(envOf(endpoint))
      expect(await nearest(clientOn(server, user), 'physician')).toBe('The doctor is in')
      expect(await embeddingPart(server)).toMatchObject({
        note: `test-model, ${length} dimensions`,
      })
    }
    // And while it runs.
    await using server = await around.start(envOf(endpoint))
    const client = clientOn(server, user)
    await nearest(client, 'physician')
    endpoint.dimensions = 200
    await write(client, 'The car is old')
    await until(client, 'automobile', 'The car is old')
    await until(client, 'physician', 'The doctor is in')
  })

  test('go with their memory and with their account, also when no model is configured any more', async () => {
    await using around = await surroundings()
    const { endpoint } = around
    const first = await around.start(envOf(endpoint))
    const [ada, bob, eve] = [await newUser(first), await newUser(first), await newUser(first)]
    const ids: string[] = []
    for (const { client } of [ada, bob, eve]) {
      ids.push(await write(client, 'The doctor is in'), await write(client, 'The car is old'))
      await until(client, 'physician', 'The doctor is in')
      await until(client, 'automobile', 'The car is old')
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
    expect(await countVectors(around)).toEqual([0])
  })

  test('come once the endpoint is there', async () => {
    await using around = await surroundings()
    const { endpoint } = around
    endpoint.misbehave = () => new Response('no', { status: 503 })
    await using server = await around.start(envOf(endpoint))
    const { client } = await newUser(server)
    await write(client, 'The doctor is in')
    expect(await contentsFor(client, 'doctor')).toEqual(['The doctor is in'])
    expect(await embeddingPart(server)).toMatchObject({ state: 'down' })
    expect((await request(server, 'GET', '/api/ready')).status).toBe(200)
    endpoint.misbehave = undefined
    expect(await nearest(client, 'physician')).toBe('The doctor is in')
    expect(await embeddingPart(server)).toMatchObject({ state: 'ok' })
  })

  test('are not asked for by every recall while the endpoint fails', async () => {
    await using around = await surroundings()
    const { endpoint } = around
    await using server = await around.start(envOf(endpoint))
    const { client } = await newUser(server)
    await write(client, 'The doctor is in')
    await nearest(client, 'physician')
    endpoint.misbehave = () => new Response('no', { status: 500 })
    const askedBefore = endpoint.requests.length
    const found = []
    for (let i = 0; i < 3; i++) found.push(await contentsFor(client, 'doctor'))
    // All at once, lest it be asked again after a while.
    const rest = Array.from({ length: 7 }, () => contentsFor(client, 'doctor'))
    for (const each of [...found, ...(await Promise.all(rest))])
      expect(each).toEqual(['The doctor is in'])
    expect(endpoint.requests.length - askedBefore).toBe(3)
  })
})

test.if(withVectors)('the endpoint’s address may be given in full', async () => {
  await using endpoint = await startEmbeddingServer({ synonyms: SYNONYMS })
  const url = `${endpoint.url}/embeddings/`
  await using server = await startServer(envOf(endpoint, { SVC_EMBEDDING_URL: url }))
  const { client } = await newUser(server)
  await write(client, 'The doctor is in')
  expect(await nearest(client, 'physician')).toBe('The doctor is in')
})

test.if(!withVectors)(
  'without pgvector recall goes on by words, and the health report says so',
  async () => {
    await using endpoint = await startEmbeddingServer()
    await using server = await startServer(envOf(endpoint))
    const { client } = await newUser(server)
    await write(client, 'The doctor is in')
    const found = await ask(client, 'doctor')
    expect(found.map(({ content_text }) => content_text)).toEqual(['The doctor is in'])
    expect(found[0]?.explanation?.semantic).toBe(0)
    expect(await embeddingPart(server)).toMatchObject({
      state: 'down',
      note: 'recall goes on by words: the database has no pgvector',
    })
    expect((await request(server, 'GET', '/api/ready')).status).toBe(200)
    expect(endpoint.requests).toEqual([])
  },
)

test('without an embedding model nothing is said of it', async () => {
  await using server = await startServer()
  expect(await embeddingPart(server)).toBeUndefined()
})

test.each([
  [
    { SVC_EMBEDDING_URL: 'http://127.0.0.1:1/v1' },
    'SVC_EMBEDDING_URL takes a SVC_EMBEDDING_MODEL too',
  ],
  [{ SVC_EMBEDDING_MODEL: 'm' }, 'SVC_EMBEDDING_* takes a SVC_EMBEDDING_URL too'],
])('half a configuration such as %j stops the start', (env, message) => {
  expect(() => readConfig(env)).toThrow(message)
})
