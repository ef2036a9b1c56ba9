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
import type { Remember } from '../../shared/schemas/memory.ts'
import { factsOf } from '../harness/facts.ts'
import {
  type Behaviour,
  fails,
  type ModelServer,
  says,
  startModelServer,
} from '../harness/model-server.ts'
import { newUser, request, startServer, type TestServer, useServer } from '../harness/server.ts'
import { startRestartable } from './support.ts'

const server = useServer()

type Given = Partial<Remember> & { content: string }

const write = async (client: Client, given: string | Given) => {
  const body = typeof given === 'string' ? { content: given } : given
  return (await client.call(remember, { body })).memory_id
}

/** Writes memories one after the other, and waits until all of them were read. */
const writeAll = async (client: Client, ...given: (string | Given)[]) => {
  const ids: string[] = []
  for (const each of given) ids.push(await write(client, each))
  for (const id of ids) await factsOf(client, id)
  return ids
}

const anchorsOf = async (client: Client) => (await client.call(listAnchors, {})).anchors
const valuesOf = async (client: Client) =>
  Object.fromEntries((await anchorsOf(client)).map(({ anchor_key, value }) => [anchor_key, value]))

describe('the facts of a memory', () => {
  test('are what it plainly says, with the words that say so', async () => {
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

  test('are about its author, where it has one', async () => {
    const { client } = await newUser(server.current)
    const id = await write(client, { content: 'My sister Ana is a nurse.', author: 'Ada' })
    expect(await factsOf(client, id)).toMatchObject([
      { subject: 'Ada', key: 'relation.sister', value: 'Ana' },
      { subject: 'Ana', key: 'work.title', value: 'nurse' },
    ])
  })

  test('have days that are reckoned from when it happened', async () => {
    const { client } = await newUser(server.current)
    const id = await write(client, {
      content: 'Remind me on Friday to call the bank.',
      occurred_at: '2026-03-04T10:00:00Z',
    })
    expect(await factsOf(client, id)).toMatchObject([
      { kind: 'reminder', value: 'call the bank', due_at: '2026-03-06T09:00:00.000Z' },
    ])
  })

  test('are none where it leaves doubt', async () => {
    const { client } = await newUser(server.current)
    for (const content of ['Do I live in Lisbon?', 'I wish I lived in Lisbon.', 'It rains.'])
      expect(await factsOf(client, await write(client, content))).toEqual([])
  })

  test('follow a change of it, and those that stay keep their ids', async () => {
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

  test('follow a change of who said it, and of when', async () => {
    const { client } = await newUser(server.current)
    const { memory_id } = await client.call(remember, {
      body: { content: 'My exam is tomorrow.', author: 'Ada', occurred_at: '2024-03-03' },
    })
    const said = async () =>
      (await factsOf(client, memory_id)).map(({ subject, value }) => [subject, value])
    expect(await said()).toEqual([['Ada', '2024-03-04']])
    const params = { memory_id }
    await client.call(updateMemory, { params, body: { author: 'Ben' } })
    expect(await said()).toEqual([['Ben', '2024-03-04']])
    await client.call(updateMemory, { params, body: { occurred_at: '2025-05-05' } })
    expect(await said()).toEqual([['Ben', '2025-05-06']])
  })

  test('are read once and the same when it is looked at again', async () => {
    const { client } = await newUser(server.current)
    const id = await write(client, 'I live in Lisbon. My dog Rex loves me.')
    const before = await factsOf(client, id)
    await client.call(updateMemory, { params: { memory_id: id }, body: { tags: ['again'] } })
    expect(await factsOf(client, id)).toEqual(before)
  })

  test('go with it, and come back with it', async () => {
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

  test('of a batch are all read', async () => {
    const { client } = await newUser(server.current)
    const memories = Array.from({ length: 250 }, (_, i) => ({ content: `I love tea number${i}.` }))
    const stored = await client.call(rememberBatch, { body: { memories } })
    for (const [i, { memory_id }] of stored.memories.entries())
      expect((await factsOf(client, memory_id)).map(({ value }) => value)).toEqual([
        `tea number${i}`,
      ])
  })

  test('are nobody else’s to see', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    const id = await write(ada.client, 'My name is Ada.')
    await factsOf(ada.client, id)
    const path = `/api/memories/${id}/facts`
    const { status, body } = await request(server.current, 'GET', path, { token: bob.key })
    expect([status, body]).toEqual([404, { detail: 'Memory not found' }])
    expect(await anchorsOf(bob.client)).toEqual([])
    const nobody = await request(server.current, 'GET', '/api/identity/anchors')
    expect(nobody.status).toBe(401)
  })
})

describe('an anchor', () => {
  test('is what the memories say of the caller, with where it comes from', async () => {
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
        since: occurred_at,
        history: [],
      },
    ])
  })

  test('is the latest by when things were said, with what was before', async () => {
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

  test('is not what a superseded memory says, which stays in its history', async () => {
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
    expect(await valuesOf(client)).toEqual({})
  })

  test('is also what the caller says under their own name', async () => {
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

describe('with a model', () => {
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

  const read = async (behaviour: Behaviour, given: string | Given = CONTENT) => {
    models.reset()
    models.always(behaviour)
    const { client } = await newUser(modelled)
    return factsOf(client, await write(client, given))
  }

  test('facts are what it reads, and what the rules read besides', async () => {
    expect(await read(found(boats))).toMatchObject([
      { key: 'home', value: 'Lisbon', extracted_by: 'rules' },
      { key: 'preference.sailing_boats', value: 'sailing boats', extracted_by: 'reader' },
    ])
    expect(models.calls[0]?.body.messages.at(-1).content).toContain(CONTENT)
  })

  test('what it says of a sentence counts more than what the rules say', async () => {
    const home = { ...boats, kind: 'home', key: 'home', value: 'Lisbon, Portugal', polarity: null }
    const facts = await read(found({ ...home, quote: 'I live in Lisbon.' }))
    expect(facts).toMatchObject([{ value: 'Lisbon, Portugal', extracted_by: 'reader' }])
  })

  test('it is told when and where something was said, and means the hours of there', async () => {
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
    const given = { content: call.quote, occurred_at: '2026-03-28T10:00:00Z' }
    // The clocks went forward in between.
    expect(await factsOf(client, await write(client, given))).toMatchObject([
      { value: 'call Ada', due_at: '2026-03-30T07:00:00.000Z', extracted_by: 'reader' },
    ])
    expect(JSON.parse(models.calls[0]?.body.messages.at(-1).content)).toMatchObject([
      { said_at: '2026-03-28T11:00+01:00[Europe/Berlin]' },
    ])
  })

  test('what it says in the first person is about the author', async () => {
    const [fact] = await read(found(boats), { content: boats.quote, author: 'Ada' })
    expect(fact?.subject).toBe('Ada')
  })

  for (const [what, wrong] of Object.entries<object>({
    'a quote that does not stand in the memory': { quote: 'I adore boats.' },
    'no quote': { quote: '' },
    'a key of another kind': { key: 'home' },
    'a key that there is not': { key: 'secrets' },
    'no value': { value: ' ' },
    'a memory that it was not given': { memory: 2 },
    'a reminder that was due before it was asked for': {
      kind: 'reminder',
      key: 'reminder.boat',
      due_at: '2001-01-01T09:00:00Z',
    },
    'a reminder due at no time there is': {
      kind: 'reminder',
      key: 'reminder.boat',
      due_at: 'soon',
    },
  }))
    test(`a fact with ${what} is not kept`, async () => {
      const facts = await read(found({ ...boats, ...wrong }))
      expect(facts.map(({ extracted_by }) => extracted_by)).toEqual(['rules'])
    })

  for (const [what, behaviour] of Object.entries({
    fails: fails(400),
    'answers something else': says('I would rather not.'),
  }))
    test(`one that ${what} leaves it to the rules`, async () => {
      expect(await read(behaviour)).toMatchObject([{ key: 'home', extracted_by: 'rules' }])
    })

  test('one that never answers does not keep the server from stopping, and is asked again', async () => {
    // A model of its own: what other tests left is asked about again at any time.
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
    const { left } = await silent.nextCall()
    const restarted = running.restart()
    await left
    await restarted
    const facts = await factsOf(clientNow(), id)
    expect(facts.map(({ extracted_by }) => extracted_by)).toEqual(['rules', 'reader'])
  })
})
