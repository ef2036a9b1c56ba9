import { describe, expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import {
  deleteMemory,
  getMemory,
  memoryHistory,
  recall,
  remember,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { startRestartable } from '../harness/http.ts'
import { newUser, request, useServer } from '../harness/server.ts'
import { expectConsistent } from './consistency.ts'

const server = useServer()

const found = async (client: Client, query: string) =>
  (await client.call(recall, { body: { query } })).memories.map((m) => m.content_text)

test('a changed memory is found by its new words and not by its old ones', async () => {
  const { client } = await newUser(server.current)
  const { memory_id } = await client.call(remember, { body: { content: 'Lena lives in Lisbon.' } })
  const changed = await client.call(updateMemory, {
    params: { memory_id },
    body: { content: 'Lena lives in Porto.' },
  })
  expect(changed).toMatchObject({ memory_id, content_text: 'Lena lives in Porto.' })
  expect(Date.parse(changed.updated_at)).toBeGreaterThanOrEqual(Date.parse(changed.created_at))
  expect(await found(client, 'Porto')).toEqual(['Lena lives in Porto.'])
  expect(await found(client, 'Lisbon')).toEqual([])
})

test('an update changes only the fields in its body, and null clears a field', async () => {
  const { client } = await newUser(server.current)
  const before = await client.call(remember, {
    body: {
      content: 'As it was.',
      memory_type: 'episodic',
      importance: 0.9,
      tags: ['a'],
      thread: 't',
      author: 'Ann',
      agent_slug: 'x',
      occurred_at: '2024-01-01',
      metadata: { k: 1 },
    },
  })
  const { memory_id } = before
  const change = (body: object) => client.call(updateMemory, { params: { memory_id }, body })
  const { deduplicated: _, updated_at: __, ...kept } = before
  expect(await change({})).toMatchObject(kept)
  expect(await change({ tags: ['b', 'b', 'c'] })).toMatchObject({ ...kept, tags: ['b', 'c'] })
  expect(await change({ author: null, occurred_at: null, agent_slug: null })).toMatchObject({
    author: null,
    occurred_at: null,
    agent_slug: null,
    importance: 0.9,
    metadata: { k: 1 },
    thread: 't',
    position: 1,
  })
  expect(await change({ thread: null })).toMatchObject({ thread: null, position: null })
  expect(await change({ thread: 'u', importance: 0 })).toMatchObject({
    thread: 'u',
    position: 1,
    importance: 0,
  })
})

test('a memory that moves to another thread is last there', async () => {
  const { client } = await newUser(server.current)
  for (const content of ['one', 'two'])
    await client.call(remember, { body: { content, thread: 'long' } })
  const { memory_id } = await client.call(remember, { body: { content: 'guest' } })
  const moved = await client.call(updateMemory, { params: { memory_id }, body: { thread: 'long' } })
  expect(moved.position).toBe(3)
})

test('an update to content that the thread already has is refused and changes nothing', async () => {
  const { client, key } = await newUser(server.current)
  await client.call(remember, { body: { content: 'Taken.' } })
  const { memory_id } = await client.call(remember, { body: { content: 'Free.' } })
  const { status, body } = await request(server.current, 'PATCH', `/api/memories/${memory_id}`, {
    token: key,
    body: { content: 'Taken.' },
  })
  expect([status, body]).toEqual([409, { detail: 'The same content is remembered already' }])
  expect(await found(client, 'free')).toEqual(['Free.'])
})

test.each([
  [{ content: '' }, 'string_too_short'],
  [{ importance: 2 }, 'less_than_equal'],
  [{ content: null }, 'string_type'],
])('an update to %j is refused', async (body, type) => {
  const { client, key } = await newUser(server.current)
  const { memory_id } = await client.call(remember, { body: { content: 'Steady.' } })
  const answer = await request(server.current, 'PATCH', `/api/memories/${memory_id}`, {
    token: key,
    body,
  })
  expect([answer.status, answer.body.detail[0].type]).toEqual([422, type])
})

test('concurrent updates of one memory are all applied, one after the other', async () => {
  const { client } = await newUser(server.current)
  const { memory_id } = await client.call(remember, { body: { content: 'Version start.' } })
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      client.call(updateMemory, { params: { memory_id }, body: { content: `Version v${i}x.` } }),
    ),
  )
  const { content_text } = await client.call(getMemory, { params: { memory_id } })
  const history = await client.call(memoryHistory, { params: { memory_id } })
  const versions = [...history.map(({ before }) => before?.content_text), content_text]
  expect(new Set(versions).size).toBe(22)
  expect(await found(client, 'version')).toEqual([content_text])
})

test('the history lists each change with its actor and the values before', async () => {
  const user = await newUser(server.current)
  const { client } = user
  const { memory_id } = await client.call(remember, {
    body: { content: 'First.', tags: ['x'], occurred_at: '2024-02-03T04:05:06.007Z' },
  })
  await request(server.current, 'PATCH', `/api/memories/${memory_id}`, {
    token: user.accessToken,
    body: { content: 'Second.' },
  })
  await client.call(deleteMemory, { params: { memory_id } })
  await client.call(restoreMemory, { params: { memory_id } })
  const history = await client.call(memoryHistory, { params: { memory_id } })
  expect(history.map(({ action, actor }) => [action, actor.kind])).toEqual([
    ['created', 'api_key'],
    ['updated', 'session'],
    ['deleted', 'api_key'],
    ['restored', 'api_key'],
  ])
  expect(history[0]?.actor.ref).toBe(user.keyId)
  expect(history.map(({ before }) => before?.content_text)).toEqual([
    undefined,
    'First.',
    undefined,
    undefined,
  ])
  expect(history[1]?.before).toEqual({
    content_text: 'First.',
    memory_type: 'semantic',
    importance: 0.5,
    tags: ['x'],
    thread: null,
    position: null,
    author: null,
    agent_slug: null,
    project: null,
    metadata: {},
    occurred_at: '2024-02-03T04:05:06.007Z',
  })
})

test('a restored memory has all its fields again and is recalled', async () => {
  const { client } = await newUser(server.current)
  const body = { content: 'Back again.', thread: 't', author: 'Ann', tags: ['x'] }
  const before = await client.call(remember, { body })
  const params = { memory_id: before.memory_id }
  await client.call(deleteMemory, { params })
  expect(await found(client, 'back again')).toEqual([])
  const { deduplicated: _, updated_at: __, ...kept } = before
  expect(await client.call(restoreMemory, { params })).toMatchObject(kept)
  expect(await found(client, 'back again')).toEqual(['Back again.'])
})

test('restoring a memory that is not deleted returns it, so that a retry succeeds', async () => {
  const { client } = await newUser(server.current)
  const { deduplicated: _, ...kept } = await client.call(remember, { body: { content: 'Here.' } })
  const params = { memory_id: kept.memory_id }
  expect(await client.call(restoreMemory, { params })).toEqual(kept)
  await client.call(deleteMemory, { params })
  const restored = await client.call(restoreMemory, { params })
  expect(await client.call(restoreMemory, { params })).toEqual(restored)
  const history = await client.call(memoryHistory, { params })
  expect(history.map(({ action }) => action)).toEqual(['created', 'deleted', 'restored'])
})

test('a memory that was remembered again or erased cannot be restored', async () => {
  const { client, key } = await newUser(server.current)
  const { memory_id } = await client.call(remember, { body: { content: 'Here.' } })
  const restore = () =>
    request(server.current, 'POST', `/api/memories/${memory_id}/restore`, { token: key })
  await client.call(deleteMemory, { params: { memory_id } })
  await client.call(remember, { body: { content: 'Here.' } })
  expect((await restore()).status).toBe(409)
  await client.call(deleteMemory, { params: { memory_id }, query: { permanent: true } })
  expect((await restore()).status).toBe(404)
  const history = await request(server.current, 'GET', `/api/memories/${memory_id}/history`, {
    token: key,
  })
  expect(history.status).toBe(404)
})

test('a memory of another user cannot be changed or restored, nor its history read', async () => {
  const owner = await newUser(server.current)
  const otherUser = await newUser(server.current)
  const { memory_id } = await owner.client.call(remember, { body: { content: 'Private.' } })
  const path = `/api/memories/${memory_id}`
  for (const [method, at, body] of [
    ['PATCH', path, { content: 'Changed.' }],
    ['GET', `${path}/history`, undefined],
    ['POST', `${path}/restore`, undefined],
  ] as const) {
    const answer = await request(server.current, method, at, { token: otherUser.key, body })
    expect([answer.status, answer.body]).toEqual([404, { detail: 'Memory not found' }])
  }
  expect(await found(owner.client, 'private')).toEqual(['Private.'])
})

test('metadata keeps any JSON object unchanged', async () => {
  const { client } = await newUser(server.current)
  const metadata = { 'a\nb': 1, '': [null], __proto__x: { 'ü 🎈': false } }
  const { memory_id } = await client.call(remember, { body: { content: 'Meta.', metadata } })
  const memory = await client.call(getMemory, { params: { memory_id } })
  expect(memory.metadata).toEqual(metadata)
})

const supersede = async (client: Client) => {
  const first = await client.call(remember, {
    body: { content: 'Noor lives in Cairo.', thread: 'homes', occurred_at: '2020-01-01' },
  })
  const second = await client.call(remember, {
    body: {
      content: 'Noor lives in Oslo.',
      thread: 'homes',
      occurred_at: '2023-06-01',
      supersedes: first.memory_id,
    },
  })
  return { first, second }
}

test('a memory that supersedes another is recalled instead of it', async () => {
  const { client } = await newUser(server.current)
  const { first, second } = await supersede(client)
  expect(second).toMatchObject({
    supersedes: first.memory_id,
    superseded_by: null,
    valid_from: '2023-06-01T00:00:00.000Z',
    valid_to: null,
  })
  const before = await client.call(getMemory, { params: { memory_id: first.memory_id } })
  expect(before).toMatchObject({
    superseded_by: second.memory_id,
    valid_to: '2023-06-01T00:00:00.000Z',
  })
  expect(await found(client, 'Where does Noor live?')).toEqual(['Noor lives in Oslo.'])
  expect(await found(client, 'Cairo')).toEqual([])
})

test('a recall as of an earlier time finds the memory that was valid then', async () => {
  const { client } = await newUser(server.current)
  await supersede(client)
  await client.call(remember, { body: { content: 'Noor lives well.' } })
  const asOf = async (as_of: string) => {
    const { memories } = await client.call(recall, { body: { query: 'Noor lives', as_of } })
    return memories.map((m) => m.content_text).sort()
  }
  expect(await asOf('2022-05-05')).toEqual(['Noor lives in Cairo.', 'Noor lives well.'])
  expect(await asOf('2023-06-01')).toEqual(['Noor lives in Oslo.', 'Noor lives well.'])
  expect(await asOf('2019-01-01')).toEqual(['Noor lives well.'])
})

test('a memory that supersedes a second one stays valid from the first supersession on', async () => {
  const { client } = await newUser(server.current)
  const home = (content: string, supersedes?: string) =>
    client.call(remember, { body: { content, ...(supersedes && { supersedes }) } })
  const cairo = await home('Noor lives in Cairo.')
  const oslo = await home('Noor lives in Oslo.', cairo.memory_id)
  const town = await home('Noor lives in a town.')
  const again = await home('Noor lives in Oslo.', town.memory_id)
  expect(again).toMatchObject({ memory_id: oslo.memory_id, valid_from: oslo.valid_from })
  const params = { memory_id: town.memory_id }
  const { valid_to } = await client.call(getMemory, { params })
  expect(Date.parse(valid_to ?? '')).toBeGreaterThanOrEqual(Date.parse(town.created_at))
  const body = { query: 'Oslo', as_of: oslo.valid_from }
  expect((await client.call(recall, { body })).count).toBe(1)
})

test('a superseded memory is still found as of the past after it is deleted and restored', async () => {
  const { client } = await newUser(server.current)
  const { first } = await supersede(client)
  const params = { memory_id: first.memory_id }
  const past = () => client.call(recall, { body: { query: 'Cairo', as_of: '2021-01-01' } })
  await client.call(deleteMemory, { params })
  expect((await past()).count).toBe(0)
  await client.call(restoreMemory, { params })
  expect((await past()).count).toBe(1)
  expect(await found(client, 'Cairo')).toEqual([])
  const history = await client.call(memoryHistory, { params })
  expect(history.map(({ action }) => action)).toEqual([
    'created',
    'superseded',
    'deleted',
    'restored',
  ])
})

test('restoring a superseded memory makes it current again, beside its successor', async () => {
  const { client } = await newUser(server.current)
  const { first, second } = await supersede(client)
  const params = { memory_id: first.memory_id }
  const restored = await client.call(restoreMemory, { params })
  expect(restored).toMatchObject({ superseded_by: null, valid_to: null })
  expect((await found(client, 'Cairo')).toSorted()).toEqual([
    first.content_text,
    second.content_text,
  ])
  const successor = await client.call(getMemory, { params: { memory_id: second.memory_id } })
  expect(successor.supersedes).toBeNull()
  expect(await client.call(restoreMemory, { params })).toEqual(restored)
  await expectConsistent(server.current)
  // It can be superseded again.
  await client.call(remember, { body: { content: 'The end.', supersedes: first.memory_id } })
  expect(await found(client, 'Cairo')).not.toContain(first.content_text)
  await expectConsistent(server.current)
})

test('a superseded memory whose words were remembered again cannot be restored', async () => {
  const { client, key } = await newUser(server.current)
  const { first } = await supersede(client)
  await client.call(remember, { body: { content: first.content_text, thread: 'homes' } })
  const path = `/api/memories/${first.memory_id}/restore`
  expect((await request(server.current, 'POST', path, { token: key })).status).toBe(409)
})

test('superseding a memory that is missing or superseded is refused and writes nothing', async () => {
  const { client, key } = await newUser(server.current)
  const otherUser = await newUser(server.current)
  const theirs = await otherUser.client.call(remember, { body: { content: 'Not yours.' } })
  const { first, second } = await supersede(client)
  const send = (supersedes: string, content = 'Noor lives in Rome.') =>
    request(server.current, 'POST', '/api/remember', { token: key, body: { content, supersedes } })
  const missing = [404, { detail: 'The memory to supersede does not exist' }]
  for (const id of [crypto.randomUUID(), theirs.memory_id]) {
    const { status, body } = await send(id)
    expect([status, body]).toEqual(missing as [number, object])
  }
  expect((await send(first.memory_id)).status).toBe(409)
  const itself = await request(server.current, 'POST', '/api/remember', {
    token: key,
    body: { content: 'Noor lives in Oslo.', thread: 'homes', supersedes: second.memory_id },
  })
  expect([itself.status, itself.body]).toEqual([
    409,
    { detail: 'A memory cannot supersede itself' },
  ])
  expect(await found(client, 'Rome')).toEqual([])
  expect(await found(client, 'Oslo')).toEqual(['Noor lives in Oslo.'])
})

test('one of several memories that supersede one memory at once succeeds', async () => {
  const { client, key } = await newUser(server.current)
  const { memory_id } = await client.call(remember, { body: { content: 'The capital is here.' } })
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      request(server.current, 'POST', '/api/remember', {
        token: key,
        body: { content: `The capital moved to place${i}.`, supersedes: memory_id },
      }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)])
  expect((await found(client, 'capital')).length).toBe(1)
})

test('an id in capitals supersedes its memory, and a batch can supersede a memory only once', async () => {
  const { client, key } = await newUser(server.current)
  const { memory_id } = await client.call(remember, { body: { content: 'The shop is open.' } })
  const capitals = memory_id.toUpperCase()
  const memories = [
    { content: 'The shop is closed.', supersedes: memory_id },
    { content: 'The shop is gone.', supersedes: capitals },
  ]
  const twice = await request(server.current, 'POST', '/api/remember/batch', {
    token: key,
    body: { memories },
  })
  expect(twice.status).toBe(409)
  const body = { content: 'The shop is closed.', supersedes: capitals }
  const second = await client.call(remember, { body })
  expect(second.supersedes).toBe(memory_id)
  expect(await found(client, 'shop')).toEqual(['The shop is closed.'])
})

test('updating a superseded memory is refused', async () => {
  const { client, key } = await newUser(server.current)
  const { first } = await supersede(client)
  const { status, body } = await request(
    server.current,
    'PATCH',
    `/api/memories/${first.memory_id}`,
    { token: key, body: { importance: 1 } },
  )
  expect([status, body]).toEqual([
    409,
    { detail: 'The memory is superseded; change the memory in superseded_by' },
  ])
})

test('the nightly purge erases memories deleted more than 30 days ago with their history, and no others', async () => {
  await using restartable = await startRestartable()
  const { client, key } = await newUser(restartable.current)
  const forget = async (content: string) => {
    const { memory_id } = await client.call(remember, { body: { content } })
    await client.call(deleteMemory, { params: { memory_id } })
    return memory_id
  }
  const [old, recent] = [await forget('Old.'), await forget('Recent.')]
  const status = async (id: string) => {
    const path = `/api/memories/${id}/history`
    return (await request(restartable.current, 'GET', path, { token: key })).status
  }
  expect(await status(old)).toBe(200)

  const age = (id: string, days: number) =>
    `update memories set deleted_at = now() - interval '${days} days' where memory_id = '${id}'`
  await restartable.restart(age(old, 31), age(recent, 29))
  await eventually(async () => (await status(old)) !== 200)
  expect([await status(old), await status(recent)]).toEqual([404, 200])
})

describe('supersedes in an update', () => {
  const setUp = async () => {
    const user = await newUser(server.current)
    const content = ['Noor lives in Cairo.', 'Noor lives in Oslo.', 'Noor lives in Lima.']
    const [cairo, oslo, lima] = await Promise.all(
      content.map((text) => user.client.call(remember, { body: { content: text } })),
    )
    const patch = (memory_id = '', body: object = {}) =>
      request(server.current, 'PATCH', `/api/memories/${memory_id}`, { token: user.key, body })
    return { ...user, ids: [cairo, oslo, lima].map((memory) => memory?.memory_id ?? ''), patch }
  }

  test('supersedes in an update lets the memory supersede the other, and a retry changes nothing', async () => {
    const { client, ids, patch } = await setUp()
    const [cairo = '', oslo = ''] = ids
    const body = { supersedes: cairo.toUpperCase(), tags: ['home'] }
    for (const answer of [await patch(oslo, body), await patch(oslo, body)])
      expect([answer.status, answer.body]).toMatchObject([
        200,
        { memory_id: oslo, supersedes: cairo, superseded_by: null, tags: ['home'] },
      ])
    const before = await client.call(getMemory, { params: { memory_id: cairo } })
    expect(before).toMatchObject({ superseded_by: oslo, valid_to: expect.any(String) })
    expect((await found(client, 'Where does Noor live?')).toSorted()).toEqual([
      'Noor lives in Lima.',
      'Noor lives in Oslo.',
    ])
    const history = await client.call(memoryHistory, { params: { memory_id: cairo } })
    expect(history.map(({ action }) => action)).toEqual(['created', 'superseded'])
  })

  test('supersedes in an update is refused with the rest of the update when the other cannot be superseded', async () => {
    const { ids, patch } = await setUp()
    const [cairo = '', oslo = '', lima = ''] = ids
    await patch(oslo, { supersedes: cairo })
    const otherUser = await setUp()
    for (const [id, supersedes, status] of [
      [lima, lima, 409],
      [lima, cairo, 409],
      [cairo, lima, 409],
      [lima, otherUser.ids[0], 404],
      [lima, crypto.randomUUID(), 404],
      [crypto.randomUUID(), lima, 404],
      [lima, 'no id', 422],
      [lima, null, 422],
    ] as const) {
      const answer = await patch(id, { supersedes, content: 'Noor has moved.' })
      expect([supersedes, answer.status]).toEqual([supersedes, status])
    }
    const kept = await patch(lima, { importance: 0.5 })
    expect(kept.body).toMatchObject({ content_text: 'Noor lives in Lima.', supersedes: null })
  })

  test('supersedes in an update succeeds for one of twenty concurrent updates', async () => {
    const { ids, patch, client } = await setUp()
    const [cairo = ''] = ids
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        client.call(remember, { body: { content: `Noor lives in city ${i}.` } }),
      ),
    )
    const answers = await Promise.all(
      others.map(({ memory_id }) => patch(memory_id, { supersedes: cairo })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)])
  })
})
