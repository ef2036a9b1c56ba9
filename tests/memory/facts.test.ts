import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Client, createClient } from '../../shared/client.ts'
import {
  deleteMemory,
  listAnchors,
  memoryFacts,
  remember,
  rememberBatch,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { Remember } from '../../shared/contract/memories.ts'
import { factsOf } from '../harness/facts.ts'
import { startRestartable } from '../harness/http.ts'
import {
  type Behaviour,
  fails,
  type ModelServer,
  says,
  startModelServer,
} from '../harness/model-server.ts'
import {
  newUser,
  request,
  startServer,
  type TestServer,
  useSharedServer,
} from '../harness/server.ts'

const server = useSharedServer()

type MemoryInput = Partial<Remember> & { content: string }

const write = async (client: Client, input: string | MemoryInput) => {
  const body = typeof input === 'string' ? { content: input } : input
  return (await client.call(remember, { body })).memory_id
}

/** Writes memories in order, and waits for their facts. */
const writeAll = async (client: Client, ...inputs: (string | MemoryInput)[]) => {
  const ids: string[] = []
  for (const each of inputs) ids.push(await write(client, each))
  for (const id of ids) await factsOf(client, id)
  return ids
}

const anchorsOf = async (client: Client) => (await client.call(listAnchors, {})).anchors
const valuesOf = async (client: Client) =>
  Object.fromEntries((await anchorsOf(client)).map(({ anchor_key, value }) => [anchor_key, value]))

describe('facts of a memory', () => {
  test('facts have the value and the sentence that states it', async () => {
    const { client } = await newUser(server.current)
    const id = await write(client, 'It rains. I live in Lisbon. I love coffee! Bye.')
    const facts = await factsOf(client, id)
    expect(facts).toMatchObject([
      {
        kind: 'home',
        subject: 'self',
        key: 'home',
        value: 'Lisbon',
        polarity: null,
        due_at: null,
        quote: 'I live in Lisbon.',
        extracted_by: 'rules',
      },
      { kind: 'preference', key: 'preference.coffee', polarity: 'like', quote: 'I love coffee!' },
    ])
  })

  test('statements in the first person are about the author of the memory', async () => {
    const { client } = await newUser(server.current)
    const id = await write(client, { content: 'My sister Ana is a nurse.', author: 'Ada' })
    expect(await factsOf(client, id)).toMatchObject([
      { subject: 'Ada', key: 'relation.sister', value: 'Ana' },
      { subject: 'Ana', key: 'work.title', value: 'nurse' },
    ])
  })

  test('relative days count from occurred_at', async () => {
    const { client } = await newUser(server.current)
    const id = await write(client, {
      content: 'Remind me on Friday to call the bank.',
      occurred_at: '2026-03-04T10:00:00Z',
    })
    expect(await factsOf(client, id)).toMatchObject([
      { kind: 'reminder', value: 'call the bank', due_at: '2026-03-06T09:00:00.000Z' },
    ])
  })

  test('questions and wishes yield no facts', async () => {
    const { client } = await newUser(server.current)
    for (const content of ['Do I live in Lisbon?', 'I wish I lived in Lisbon.', 'It rains.'])
      expect(await factsOf(client, await write(client, content))).toEqual([])
  })

  test('changing the content updates the facts; those that stay keep their ids', async () => {
    const { client } = await newUser(server.current)
    const id = await write(client, 'I live in Lisbon. I love coffee.')
    const before = await factsOf(client, id)
    const params = { memory_id: id }
    await client.call(updateMemory, {
      params,
      body: { content: 'I love coffee. I live in Porto.' },
    })
    const { facts } = await client.call(memoryFacts, { params })
    expect(facts.map(({ value }) => value)).not.toContain('Lisbon')
    const after = await factsOf(client, id)
    expect(after.map(({ value }) => value)).toEqual(['coffee', 'Porto'])
    expect(after[0]?.fact_id).toBe(before[1]?.fact_id as string)
  })

  test('changing author or occurred_at updates the facts', async () => {
    const { client } = await newUser(server.current)
    const { memory_id } = await client.call(remember, {
      body: { content: 'My exam is tomorrow.', author: 'Ada', occurred_at: '2024-03-03' },
    })
    const subjectsAndValues = async () =>
      (await factsOf(client, memory_id)).map(({ subject, value }) => [subject, value])
    expect(await subjectsAndValues()).toEqual([['Ada', '2024-03-04']])
    const params = { memory_id }
    await client.call(updateMemory, { params, body: { author: 'Ben' } })
    expect(await subjectsAndValues()).toEqual([['Ben', '2024-03-04']])
    await client.call(updateMemory, { params, body: { occurred_at: '2025-05-05' } })
    expect(await subjectsAndValues()).toEqual([['Ben', '2025-05-06']])
  })

  test('a second extraction of a memory keeps its facts', async () => {
    const { client } = await newUser(server.current)
    const id = await write(client, 'I live in Lisbon. My dog Rex loves me.')
    const before = await factsOf(client, id)
    await client.call(updateMemory, { params: { memory_id: id }, body: { tags: ['again'] } })
    expect(await factsOf(client, id)).toEqual(before)
  })

  test('deleting a memory removes its facts and anchors; restoring it restores them', async () => {
    const { client } = await newUser(server.current)
    const id = await write(client, 'I live in Lisbon.')
    const before = await factsOf(client, id)
    const params = { memory_id: id }
    await client.call(deleteMemory, { params, query: {} })
    await expect(client.call(memoryFacts, { params })).rejects.toMatchObject({ status: 404 })
    expect(await anchorsOf(client)).toEqual([])
    await client.call(restoreMemory, { params })
    expect(await factsOf(client, id)).toEqual(before)
    await client.call(deleteMemory, { params, query: { permanent: true } })
    expect(await anchorsOf(client)).toEqual([])
  })

  test('all facts of a batch are extracted', async () => {
    const { client } = await newUser(server.current)
    const memories = Array.from({ length: 250 }, (_, i) => ({ content: `I love tea number${i}.` }))
    const stored = await client.call(rememberBatch, { body: { memories } })
    for (const [i, { memory_id }] of stored.memories.entries())
      expect((await factsOf(client, memory_id)).map(({ value }) => value)).toEqual([
        `tea number${i}`,
      ])
  })

  test('facts and anchors of another user are not visible', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    const id = await write(ada.client, 'My name is Ada.')
    await factsOf(ada.client, id)
    const path = `/api/memories/${id}/facts`
    const { status, body } = await request(server.current, 'GET', path, { token: bob.key })
    expect([status, body]).toEqual([404, { detail: 'Memory not found' }])
    expect(await anchorsOf(bob.client)).toEqual([])
    const anonymous = await request(server.current, 'GET', '/api/identity/anchors')
    expect(anonymous.status).toBe(401)
  })
})

describe('anchors', () => {
  test('an anchor has the value, the memory and its sentence', async () => {
    const { client } = await newUser(server.current)
    const occurred_at = '2025-01-02T03:04:05.000Z'
    const [id] = await writeAll(
      client,
      { content: 'My name is Ada Lovelace.', occurred_at },
      { content: 'I love coffee, and Ana lives in Porto.', occurred_at },
    )
    expect(await anchorsOf(client)).toEqual([
      {
        anchor_key: 'name',
        value: 'Ada Lovelace',
        memory_id: id as string,
        quote: 'My name is Ada Lovelace.',
        trust: 'user',
        since: occurred_at,
        history: [],
      },
    ])
  })

  test('an anchor is the latest value by occurred_at; earlier values are its history', async () => {
    const { client } = await newUser(server.current)
    const [porto, lisbon, again] = await writeAll(
      client,
      { content: 'I live in Porto.', occurred_at: '2025-02-01T00:00:00Z' },
      { content: 'I live in Lisbon.', occurred_at: '2024-01-01T00:00:00Z' },
      { content: 'I live in Porto now.', occurred_at: '2025-03-01T00:00:00Z' },
      { content: 'I work at Siemens.', occurred_at: '2024-01-01T00:00:00Z' },
    )
    expect(await anchorsOf(client)).toMatchObject([
      {
        anchor_key: 'home',
        value: 'Porto',
        memory_id: again,
        since: '2025-02-01T00:00:00.000Z',
        history: [{ value: 'Lisbon', memory_id: lisbon, at: '2024-01-01T00:00:00.000Z' }],
      },
      { anchor_key: 'work.employer', value: 'Siemens', history: [] },
    ])
    await client.call(deleteMemory, { params: { memory_id: again as string }, query: {} })
    expect((await anchorsOf(client))[0]).toMatchObject({ value: 'Porto', memory_id: porto })
    await client.call(deleteMemory, { params: { memory_id: porto as string }, query: {} })
    expect((await anchorsOf(client))[0]).toMatchObject({ value: 'Lisbon', history: [] })
  })

  test('a superseded memory is in the history of an anchor, and its value when its successor is forgotten', async () => {
    const { client } = await newUser(server.current)
    const occurred_at = '2025-02-01T00:00:00Z'
    const [old] = await writeAll(client, { content: 'I live in Lisbon.', occurred_at })
    const [next] = await writeAll(client, {
      content: 'I live in Porto.',
      supersedes: old as string,
    })
    expect(await anchorsOf(client)).toMatchObject([
      { value: 'Porto', memory_id: next, history: [{ value: 'Lisbon', memory_id: old }] },
    ])
    await client.call(deleteMemory, { params: { memory_id: next as string }, query: {} })
    expect(await valuesOf(client)).toEqual({ home: 'Lisbon' })
  })

  test('statements under the display name of the caller count', async () => {
    const { client, accessToken } = await newUser(server.current)
    await request(server.current, 'PUT', '/api/profile', {
      token: accessToken,
      body: { display_name: 'Ada' },
    })
    await writeAll(
      client,
      { content: 'I live in Lisbon.', author: 'Ada' },
      { content: 'I live in Porto.', author: 'Bob' },
    )
    expect(await valuesOf(client)).toEqual({ home: 'Lisbon' })
  })
})

describe('extraction by a model', () => {
  let models: ModelServer
  let modelled: TestServer
  beforeAll(async () => {
    models = await startModelServer()
    modelled = await startServer({ SVC_OPENAI_BASE_URL: models.url, SVC_OPENAI_MODEL: 'reader' })
  })
  afterAll(async () => {
    await modelled.stop()
    await models[Symbol.asyncDispose]()
  })

  const found = (...facts: object[]): Behaviour => says(JSON.stringify({ facts }))
  const boats = {
    memory: 1,
    kind: 'preference',
    subject: 'self',
    key: 'preference.Sailing boats',
    value: 'sailing boats',
    polarity: 'like',
    quote: 'Boats under sail make my day!',
  }
  const CONTENT = 'I live in Lisbon. Boats under sail make my day!'

  const read = async (behaviour: Behaviour, input: string | MemoryInput = CONTENT) => {
    models.reset()
    models.always(behaviour)
    const { client } = await newUser(modelled)
    return factsOf(client, await write(client, input))
  }

  test('facts of the model and of the rules are merged', async () => {
    expect(await read(found(boats))).toMatchObject([
      { key: 'home', value: 'Lisbon', extracted_by: 'rules' },
      { key: 'preference.sailing_boats', value: 'sailing boats', extracted_by: 'reader' },
    ])
    expect(models.calls[0]?.body.messages.at(-1).content).toContain(CONTENT)
  })

  test('a fact of the model replaces that of the rules for the same key', async () => {
    const home = { ...boats, kind: 'home', key: 'home', value: 'Lisbon, Portugal', polarity: null }
    const facts = await read(found({ ...home, quote: 'I live in Lisbon.' }))
    expect(facts).toMatchObject([{ value: 'Lisbon, Portugal', extracted_by: 'reader' }])
  })

  test('the model receives the local time of a memory and returns local times', async () => {
    const call = {
      ...boats,
      kind: 'reminder',
      key: 'reminder.call',
      value: 'call Ada',
      quote: 'Ada should be called.',
    }
    models.reset()
    models.always(found({ ...call, due_at: '2026-03-30T09:00' }))
    const { key } = await newUser(modelled)
    const client = createClient({
      baseUrl: modelled.url,
      credential: key,
      timezone: 'Europe/Berlin',
    })
    const input = { content: call.quote, occurred_at: '2026-03-28T10:00:00Z' }
    // Daylight saving time starts in between.
    expect(await factsOf(client, await write(client, input))).toMatchObject([
      { value: 'call Ada', due_at: '2026-03-30T07:00:00.000Z', extracted_by: 'reader' },
    ])
    expect(JSON.parse(models.calls[0]?.body.messages.at(-1).content)).toMatchObject([
      { said_at: '2026-03-28T11:00+01:00[Europe/Berlin]' },
    ])
  })

  test('a fact about `self` is about the author of the memory', async () => {
    const [fact] = await read(found(boats), { content: boats.quote, author: 'Ada' })
    expect(fact?.subject).toBe('Ada')
  })

  for (const [what, wrong] of Object.entries<object>({
    'a quote that is not in the memory': { quote: 'I adore boats.' },
    'no quote': { quote: '' },
    'a key of another kind': { key: 'home' },
    'an unknown key': { key: 'secrets' },
    'no value': { value: ' ' },
    'the number of another memory': { memory: 2 },
    'a due time before the memory': {
      kind: 'reminder',
      key: 'reminder.boat',
      due_at: '2001-01-01T09:00:00Z',
    },
    'an invalid due time': {
      kind: 'reminder',
      key: 'reminder.boat',
      due_at: 'soon',
    },
  }))
    test(`a fact with ${what} is dropped`, async () => {
      const facts = await read(found({ ...boats, ...wrong }))
      expect(facts.map(({ extracted_by }) => extracted_by)).toEqual(['rules'])
    })

  for (const [what, behaviour] of Object.entries({
    fails: fails(400),
    'returns text in place of JSON': says('I would rather not.'),
  }))
    test(`a model that ${what} leaves extraction to the rules`, async () => {
      expect(await read(behaviour)).toMatchObject([{ key: 'home', extracted_by: 'rules' }])
    })

  test('a model that does not respond does not delay shutdown, and is called again after a restart', async () => {
    // A separate model server: tasks of other tests may call the shared one at any time.
    await using silent = await startModelServer()
    silent.next(() => {})
    silent.always(found(boats))
    await using running = await startRestartable({
      SVC_OPENAI_BASE_URL: silent.url,
      SVC_OPENAI_MODEL: 'reader',
    })
    const { key } = await newUser(running.current)
    const clientNow = () => createClient({ baseUrl: running.current.url, credential: key })
    const id = await write(clientNow(), CONTENT)
    const { disconnected } = await silent.nextCall()
    const restarted = running.restart()
    await disconnected
    await restarted
    const facts = await factsOf(clientNow(), id)
    expect(facts.map(({ extracted_by }) => extracted_by)).toEqual(['rules', 'reader'])
  })
})
