import { describe, expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import {
  deleteMemory,
  getMemory,
  listAnchors,
  listConflicts,
  memoryHistory,
  recall,
  resolveConflict,
  updateMemory,
} from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { factsOf, type MemoryInput, write } from '../harness/facts.ts'
import { ISO, newVerifiedUser, UUID } from '../harness/http.ts'
import { newUser, PASSWORD, request, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const conflictsOf = async (client: Client) => (await client.call(listConflicts, {})).conflicts
/** The values in conflict, by key. */
const valuesOf = async (client: Client) =>
  Object.fromEntries(
    (await conflictsOf(client)).map(({ anchor_key, values }) => [
      anchor_key,
      values.map(({ value }) => value),
    ]),
  )
const anchorOf = async (client: Client, key: string) =>
  (await client.call(listAnchors, {})).anchors.find(({ anchor_key }) => anchor_key === key)
const commit = ({ key }: TestUser, body: object) =>
  request(server.current, 'POST', '/api/identity/resolve-conflict/commit', { token: key, body })
const choose = (client: Client, anchor_key: string, chosen_value: unknown) =>
  client.call(resolveConflict, { body: { anchor_key, chosen_value } })
const found = async (client: Client, query: string, as_of?: string) => {
  const { memories } = await client.call(recall, { body: { query, ...(as_of && { as_of }) } })
  return memories.map(({ content_text }) => content_text)
}

describe('conflicts', () => {
  test('two current memories with different values of a single-value key are a conflict', async () => {
    const { client } = await newUser(server.current)
    const [porto, lisbon] = await write(
      client,
      { content: 'I live in Porto.', occurred_at: '2026-01-02T03:04:05Z' },
      { content: 'I live in Lisbon.', occurred_at: '2026-02-03T04:05:06Z' },
      'I love coffee. I love tea.',
    )
    expect(await conflictsOf(client)).toEqual([
      {
        anchor_key: 'home',
        values: [
          {
            value: 'Lisbon',
            memory_id: lisbon as string,
            quote: 'I live in Lisbon.',
            trust: 'user',
            at: '2026-02-03T04:05:06.000Z',
          },
          {
            value: 'Porto',
            memory_id: porto as string,
            quote: 'I live in Porto.',
            trust: 'user',
            at: '2026-01-02T03:04:05.000Z',
          },
        ],
        since: '2026-02-03T04:05:06.000Z',
      },
    ])
    expect(await anchorOf(client, 'home')).toMatchObject({ value: 'Lisbon' })
  })

  for (const [what, contents] of Object.entries<(string | MemoryInput)[]>({
    'compatible values': ['My name is Ada.', 'My name is Ada Lovelace.'],
    'a town and the country that it may be in': ['I live in Munich.', 'I live in Germany.'],
    'a name and its short form': ['My name is Alexander.', 'My name is Alex.'],
    'one wife and another woman': ['My wife Ana works a lot.', 'My sister Eva works a lot.'],
    'a move': ['I live in Porto.', 'I just moved to Lisbon!'],
    'a later statement with "now"': ['I work at Siemens.', 'I work at Bosch now.'],
    'a move reported in German': ['Ich wohne in Porto.', 'Ich wohne jetzt in Lissabon.'],
    'a statement a year later about a value that changes': [
      { content: 'I live in Porto.', occurred_at: '2024-01-01' },
      { content: 'I live in Lisbon.', occurred_at: '2025-01-01' },
    ],
    'statements of other authors': [
      'I live in Porto.',
      { content: 'I live in Lisbon.', author: 'Bob' },
    ],
    'statements about others': ['I live in Porto.', 'Ana lives in Lisbon.'],
  }))
    test(`memories with ${what} have no conflict`, async () => {
      const { client } = await newUser(server.current)
      await write(client, ...contents)
      expect(await conflictsOf(client)).toEqual([])
    })

  for (const [what, key, contents] of [
    [
      'a different name years later',
      'name',
      [
        { content: 'My name is Ada.', occurred_at: '2020-01-01' },
        { content: 'My name is Bea.', occurred_at: '2025-01-01' },
      ],
    ],
    [
      'a move dated before the earlier statement',
      'home',
      [
        { content: 'I live in Porto.', occurred_at: '2026-01-01' },
        { content: 'I moved to Lisbon in 2010.', occurred_at: '2026-02-01' },
      ],
    ],
    ['a place with "new" in its name', 'home', ['I live in Porto.', 'I live in New York.']],
    ['the same in Spanish', 'home', ['Vivo en Madrid.', 'Vivo en Nueva York.']],
    ['a different wife', 'relation.wife', ['My wife is called Ana.', 'My wife Eva works a lot.']],
    ['a different value after a change', 'home', ['I moved to Porto.', 'I live in Lisbon.']],
  ] as [string, string, (string | MemoryInput)[]][])
    test(`memories with ${what} are in conflict`, async () => {
      const { client } = await newUser(server.current)
      await write(client, ...contents)
      expect(await conflictsOf(client)).toMatchObject([{ anchor_key: key }])
    })

  test('a conflict ends when one of its memories is deleted or changed', async () => {
    const { client } = await newUser(server.current)
    const [porto, , faro] = await write(
      client,
      'I live in Porto.',
      'I live in Lisbon.',
      'I live in Faro.',
    )
    expect(await valuesOf(client)).toEqual({ home: ['Faro', 'Lisbon', 'Porto'] })
    await client.call(deleteMemory, { params: { memory_id: porto as string }, query: {} })
    expect(await valuesOf(client)).toEqual({ home: ['Faro', 'Lisbon'] })
    await client.call(updateMemory, {
      params: { memory_id: faro as string },
      body: { content: 'I like Faro.' },
    })
    expect(await valuesOf(client)).toEqual({})
  })

  test('another user can neither list nor resolve a conflict', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    await write(ada.client, 'I live in Porto.', 'I live in Lisbon.')
    expect(await conflictsOf(bob.client)).toEqual([])
    const { status } = await commit(bob, { anchor_key: 'home', chosen_value: 'Porto' })
    expect(status).toBe(404)
    expect(await valuesOf(ada.client)).toEqual({ home: ['Lisbon', 'Porto'] })
    for (const [method, path] of [
      ['GET', '/api/identity/conflicts'],
      ['POST', '/api/identity/resolve-conflict/commit'],
    ] as const)
      expect((await request(server.current, method, path)).status).toBe(401)
  })
})

test('in an organization, conflicts are those of the user, without shared memories', async () => {
  const user = await newVerifiedUser(server.current)
  const { body: org } = await request(server.current, 'POST', '/api/orgs', {
    token: user.accessToken,
    body: { name: 'Analytics' },
  })
  const inOrg = (method: string, path: string, body?: object) =>
    request(server.current, method, path, {
      token: user.accessToken,
      headers: { 'x-org-id': org.id },
      ...(body && { body }),
    })
  await write(user.client, 'I live in Porto.', 'I live in Lisbon.')
  const shared = await inOrg('POST', '/api/remember', { content: 'I live in Faro.' })
  expect(shared.body).toMatchObject({ org_id: org.id })
  await eventually(async () => {
    const { body } = await inOrg('GET', `/api/memories/${shared.body.memory_id}/facts`)
    return !body.pending
  })
  const conflicts = await inOrg('GET', '/api/identity/conflicts')
  expect(conflicts.body).toEqual({ conflicts: await conflictsOf(user.client) })
  expect(await valuesOf(user.client)).toEqual({ home: ['Lisbon', 'Porto'] })
  const intents = await inOrg('GET', '/api/proactive/intents')
  expect(intents.body).toMatchObject([{ title: 'home: Lisbon or Porto?' }])
  const chosen = { anchor_key: 'home', chosen_value: 'Braga' }
  const answer = await inOrg('POST', '/api/identity/resolve-conflict/commit', chosen)
  expect([answer.status, answer.body]).toEqual([200, null])
  expect(await anchorOf(user.client, 'home')).toMatchObject({ value: 'Braga' })
  expect(await found(user.client, 'I live')).toContain('I live in Braga.')
})

describe('resolving a conflict', () => {
  test('the memory with the chosen value supersedes the other', async () => {
    const user = await newUser(server.current)
    const { client } = user
    const [porto, lisbon] = await write(client, 'I live in Porto.', 'I live in Lisbon.')
    const before = new Date().toISOString()
    const { status, text } = await commit(user, { anchor_key: 'home', chosen_value: 'lisbon' })
    expect([status, text]).toEqual([200, 'null'])

    expect(await conflictsOf(client)).toEqual([])
    expect(await anchorOf(client, 'home')).toMatchObject({
      value: 'Lisbon',
      memory_id: lisbon,
      history: [{ value: 'Porto', memory_id: porto }],
    })
    const params = { memory_id: porto as string }
    expect(await client.call(getMemory, { params })).toMatchObject({
      content_text: 'I live in Porto.',
      superseded_by: lisbon,
      valid_to: ISO,
    })
    expect((await client.call(memoryHistory, { params })).at(-1)).toMatchObject({
      action: 'superseded',
      actor: { kind: 'api_key', ref: user.keyId },
    })
    expect(await found(client, 'where do I live')).toEqual(['I live in Lisbon.'])
    expect((await found(client, 'where do I live', before)).toSorted()).toEqual([
      'I live in Lisbon.',
      'I live in Porto.',
    ])
  })

  test('choosing the earlier value supersedes the later memory', async () => {
    const { client } = await newUser(server.current)
    const [porto, lisbon] = await write(
      client,
      { content: 'I live in Porto.', occurred_at: '2026-01-01' },
      { content: 'I live in Lisbon.', occurred_at: '2026-02-01' },
    )
    await choose(client, 'home', 'Porto')
    expect(await anchorOf(client, 'home')).toMatchObject({ value: 'Porto', memory_id: porto })
    expect(await conflictsOf(client)).toEqual([])
    expect(await found(client, 'I live')).toEqual(['I live in Porto.'])
    // Until the conflict was resolved, the statement of February was current.
    expect(await found(client, 'I live Lisbon', '2026-03-01')).toContain('I live in Lisbon.')
    const params = { memory_id: lisbon as string }
    expect(await client.call(getMemory, { params })).toMatchObject({ superseded_by: porto })
  })

  test('the earlier memory stays valid until the time of the later one', async () => {
    const { client } = await newUser(server.current)
    await write(
      client,
      { content: 'I live in Porto.', occurred_at: '2026-01-01' },
      { content: 'I live in Lisbon.', occurred_at: '2026-02-01' },
    )
    await choose(client, 'home', 'Lisbon')
    expect(await found(client, 'I live', '2026-01-15')).toEqual(['I live in Porto.'])
    expect(await found(client, 'I live', '2026-02-15')).toEqual(['I live in Lisbon.'])
  })

  test('a chosen value that no memory states becomes a memory', async () => {
    const { client } = await newUser(server.current)
    const losers = await write(client, 'I live in Porto.', 'I live in Lisbon.')
    await choose(client, 'home', ' praia  da luz ')
    const anchor = await anchorOf(client, 'home')
    expect(anchor).toMatchObject({ value: 'praia da luz', quote: 'I live in praia da luz.' })
    const params = { memory_id: anchor?.memory_id as string }
    expect(await client.call(getMemory, { params })).toMatchObject({
      content_text: 'I live in praia da luz.',
      source: { kind: 'identity', ref: 'home' },
      metadata: { anchor_key: 'home', value: 'praia da luz' },
    })
    for (const memory_id of losers)
      expect(await client.call(getMemory, { params: { memory_id } })).toMatchObject({
        superseded_by: params.memory_id,
      })
    expect(await found(client, 'where do I live')).toEqual(['I live in praia da luz.'])
    // The rules do not read it as a place; the choice is kept by the metadata.
    await client.call(updateMemory, { params, body: { metadata: anchorMetadata, author: 'user' } })
    const facts = await factsOf(client, params.memory_id)
    expect(facts).toMatchObject([
      { fact_id: UUID, key: 'home', value: 'praia da luz', extracted_by: 'choice' },
    ])
  })
  const anchorMetadata = { anchor_key: 'home', value: 'praia da luz' }

  test('a chosen wife is written as a plain sentence', async () => {
    const { client } = await newUser(server.current)
    await write(client, 'My wife Ana cooks.', 'My wife is called Eva.')
    await choose(client, 'relation.wife', 'Ida')
    expect(await anchorOf(client, 'relation.wife')).toMatchObject({
      value: 'Ida',
      quote: 'My wife is called Ida.',
    })
    expect(await conflictsOf(client)).toEqual([])
  })

  test('a value compatible with both others is not listed', async () => {
    const { client } = await newUser(server.current)
    await write(client, 'I live in Munich.', 'I live in Hamburg.', 'I live in Germany.')
    expect(Object.keys((await valuesOf(client)).home ?? {})).toHaveLength(2)
  })

  test('a day may be chosen in words', async () => {
    const { client } = await newUser(server.current)
    await write(client, 'My birthday is 3 May.', 'My birthday is 4 May.')
    await choose(client, 'date.birthday', '5 May 1990')
    expect(await anchorOf(client, 'date.birthday')).toMatchObject({ value: '1990-05-05' })
    await write(client, 'My birthday is 6 May.')
    await choose(client, 'date.birthday', '05-07')
    expect(await anchorOf(client, 'date.birthday')).toMatchObject({
      value: '05-07',
      quote: 'My birthday is on 7 May.',
    })
  })

  test('a chosen number becomes text', async () => {
    const { client } = await newUser(server.current)
    await write(client, 'My favourite number is seven.', 'My favourite number is eight.')
    expect(Object.keys(await valuesOf(client))).toEqual(['favourite.number'])
    await choose(client, 'favourite.number', 42)
    expect(await anchorOf(client, 'favourite.number')).toMatchObject({ value: '42' })
  })

  test('the other facts of a superseded memory are kept in a new memory', async () => {
    const { client } = await newUser(server.current)
    const [long] = await write(
      client,
      {
        content:
          'My name is Ada and I live in Porto with my sister Ana. I work at Siemens. It rains a lot.',
        thread: 'hello',
        tags: ['first'],
      },
      'I live in Lisbon.',
    )
    await choose(client, 'home', 'Lisbon')
    const anchors = (await client.call(listAnchors, {})).anchors
    expect(anchors.map(({ anchor_key, value }) => [anchor_key, value])).toEqual([
      ['home', 'Lisbon'],
      ['name', 'Ada'],
      ['work.employer', 'Siemens'],
    ])
    const rest = anchors.find(({ anchor_key }) => anchor_key === 'name')?.memory_id as string
    const memory = await client.call(getMemory, { params: { memory_id: rest } })
    expect(memory).toMatchObject({
      content_text: 'My name is Ada. My sister is called Ana. I work at Siemens. It rains a lot.',
      thread: 'hello',
      position: 1,
      tags: ['first'],
      source: { kind: 'identity', ref: long },
    })
    const facts = await factsOf(client, rest)
    expect(facts.map(({ key, value }) => `${key} ${value}`)).toEqual([
      'name Ada',
      'relation.sister Ana',
      'work.employer Siemens',
    ])
    expect(await found(client, 'Porto')).toEqual([])
    expect(await found(client, 'does it rain')).toEqual([memory.content_text])
  })

  test('memories before a reported change are not superseded', async () => {
    const { client } = await newUser(server.current)
    const [braga] = await write(
      client,
      'I live in Braga.',
      'I moved to Porto.',
      'I live in Lisbon.',
    )
    expect(await valuesOf(client)).toEqual({ home: ['Lisbon', 'Porto'] })
    await choose(client, 'home', 'Lisbon')
    expect(await valuesOf(client)).toEqual({})
    const params = { memory_id: braga as string }
    expect(await client.call(getMemory, { params })).toMatchObject({ superseded_by: null })
  })

  test('a value from before a reported change can be chosen', async () => {
    const { client } = await newUser(server.current)
    await write(client, 'I live in Braga.', 'I moved to Porto.', 'I live in Lisbon.')
    await choose(client, 'home', 'Braga')
    expect(await anchorOf(client, 'home')).toMatchObject({ value: 'Braga' })
    expect(await conflictsOf(client)).toEqual([])
  })

  test('a new contradiction can be resolved again', async () => {
    const { client } = await newUser(server.current)
    await write(client, 'I live in Porto.', 'I live in Lisbon.')
    await choose(client, 'home', 'Faro')
    await write(client, 'I live in Porto.')
    expect(await valuesOf(client)).toEqual({ home: ['Porto', 'Faro'] })
    await choose(client, 'home', 'Porto')
    expect(await valuesOf(client)).toEqual({})
    expect(await anchorOf(client, 'home')).toMatchObject({ value: 'Porto' })
  })

  test('choosing a value compatible with two contradicting ones ends the conflict of all three', async () => {
    const { client } = await newUser(server.current)
    await write(client, 'My name is Ada Lovelace.', 'My name is Ada King.', 'My name is Ada.')
    await choose(client, 'name', 'Ada')
    expect(await conflictsOf(client)).toEqual([])
    expect(await anchorOf(client, 'name')).toMatchObject({ value: 'Ada' })
  })

  test('one of several concurrent resolutions succeeds', async () => {
    const user = await newUser(server.current)
    await write(user.client, 'I live in Porto.', 'I live in Lisbon.')
    const answers = await Promise.all(
      ['Porto', 'Lisbon', 'Faro', 'Braga'].map((chosen_value) =>
        commit(user, { anchor_key: 'home', chosen_value }),
      ),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404])
    expect(await conflictsOf(user.client)).toEqual([])
    const chosen = ['Porto', 'Lisbon', 'Faro', 'Braga'][
      answers.findIndex(({ status }) => status === 200)
    ]
    expect(await anchorOf(user.client, 'home')).toMatchObject({ value: chosen as string })
  })

  test('resolving succeeds while the memories are changed', async () => {
    const user = await newUser(server.current)
    const { client } = user
    const [porto] = await write(client, 'I live in Porto.', 'I live in Lisbon.')
    const params = { memory_id: porto as string }
    const [{ status }] = await Promise.all([
      commit(user, { anchor_key: 'home', chosen_value: 'Porto' }),
      ...Array.from({ length: 5 }, (_, i) =>
        client.call(updateMemory, { params, body: { importance: i / 10 } }),
      ),
    ])
    expect(status).toBe(200)
    expect(await anchorOf(client, 'home')).toMatchObject({ value: 'Porto' })
    expect(await conflictsOf(client)).toEqual([])
  })

  test('resolving without a conflict returns 404', async () => {
    const user = await newUser(server.current)
    await write(user.client, 'I live in Porto.')
    for (const anchor_key of ['home', 'name', 'no such key'])
      expect(await commit(user, { anchor_key, chosen_value: 'Porto' })).toMatchObject({
        status: 404,
        body: { detail: 'No conflict under that key' },
      })
  })

  for (const [what, chosen_value, type] of [
    ['an object', { value: 'Porto' }, 'string_type'],
    ['a list', ['Porto'], 'string_type'],
    ['null', null, 'string_type'],
    ['true', true, 'string_type'],
    ['nothing but spaces', ' \n ', 'string_too_short'],
    ['too long', 'x'.repeat(201), 'string_too_long'],
    ['left out', undefined, 'missing'],
  ] as const)
    test(`a chosen value that is ${what} returns 422`, async () => {
      const user = await newUser(server.current)
      const { status, body } = await commit(user, { anchor_key: 'home', chosen_value })
      expect([status, body.detail]).toEqual([
        422,
        [{ loc: ['body', 'chosen_value'], type, msg: expect.any(String) }],
      ])
    })

  test('an invalid day returns 422', async () => {
    const user = await newUser(server.current)
    await write(user.client, 'My birthday is 3 May.', 'My birthday is 4 May.')
    const { status, body } = await commit(user, {
      anchor_key: 'date.birthday',
      chosen_value: 'someday',
    })
    expect([status, body.detail[0].type]).toEqual([422, 'datetime_parsing'])
  })
})

test('deleting an account completes while conflicts are resolved and brought up', async () => {
  const answers = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const user = await newVerifiedUser(server.current)
      await write(user.client, 'I live in Porto and I like tea.', 'I live in Lisbon.', 'Who am I?')
      const send = (method: string, path: string, body?: object) =>
        request(server.current, method, path, { token: user.accessToken, ...(body && { body }) })
      const settle = (chosen_value: string) =>
        send('POST', '/api/identity/resolve-conflict/commit', { anchor_key: 'home', chosen_value })
      const bringUp = () => send('GET', '/api/proactive/intents')
      const remove = () => send('DELETE', '/api/auth/delete-account', { password: PASSWORD })
      const all = [bringUp(), settle('Faro'), bringUp(), remove(), settle('Porto'), bringUp()]
      return (await Promise.all(all)).map(({ status }) => status)
    }),
  )
  for (const statuses of answers) {
    expect(statuses[3]).toBe(200)
    for (const status of statuses) expect([200, 401, 404]).toContain(status)
  }
})
