import { expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import {
  deleteMemory,
  forgetMatching,
  getMemory,
  importMemories,
  listAnchors,
  memoryHistory,
  recall,
  remember,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import { factsOf } from '../harness/facts.ts'
import { newUser, request, useServer } from '../harness/server.ts'
import { connectHttp } from '../mcp/client.ts'
import { expectConsistent } from './consistency.ts'

const server = useServer()

const CITIES = ['Lisbon', 'Porto', 'Braga']

/** Remembers homes, each superseding the one before. */
const chain = async (client: Client, length: number): Promise<string[]> => {
  const ids: string[] = []
  for (const city of CITIES.slice(0, length)) {
    const supersedes = ids.at(-1) ?? null
    const body = { content: `I live in ${city}.`, tags: [city], ...(supersedes && { supersedes }) }
    const { memory_id } = await client.call(remember, { body })
    await factsOf(client, memory_id)
    ids.push(memory_id)
  }
  return ids
}

const current = async (client: Client): Promise<string[]> =>
  (await client.call(recall, { body: { query: 'Where do I live?' } })).memories
    .map(({ content_text }) => content_text)
    .toSorted()

const homeOf = async (client: Client) => (await client.call(listAnchors)).anchors[0]?.value
const get = (client: Client, memory_id: string) => client.call(getMemory, { params: { memory_id } })
const forget = (client: Client, memory_id: string, permanent = false) =>
  client.call(deleteMemory, { params: { memory_id }, query: { permanent } })

type User = Awaited<ReturnType<typeof newUser>>
const WAYS: Record<string, (user: User, memoryId: string) => Promise<unknown>> = {
  'a delete': ({ client }, id) => forget(client, id),
  'a permanent delete': ({ client }, id) => forget(client, id, true),
  'a delete and then a permanent one': async ({ client }, id) => {
    await forget(client, id)
    await forget(client, id, true)
  },
  'forgetting its tag': ({ client }, id) =>
    get(client, id).then(({ tags: [tag = ''] }) => client.call(forgetMatching, { body: { tag } })),
  'the MCP tool forget': async (user, id) => {
    await using mcp = await connectHttp(server.current, user.key)
    await mcp.call('forget', { memory_id: id })
  },
}

for (const [way, forgetBy] of Object.entries(WAYS)) {
  test(`${way} of a correction makes the memory before it current again`, async () => {
    const user = await newUser(server.current)
    const { client } = user
    const [first = '', second = ''] = await chain(client, 2)
    await forgetBy(user, second)
    expect(await current(client)).toEqual(['I live in Lisbon.'])
    expect(await homeOf(client)).toBe('Lisbon')
    expect(await get(client, first)).toMatchObject({ superseded_by: null, valid_to: null })
    const events = await client.call(memoryHistory, { params: { memory_id: first } })
    expect(events.at(-1)).toMatchObject({
      action: 'restored',
      actor: { kind: 'successor', ref: second },
    })
    await expectConsistent(server.current)
  })

  test(`${way} of the middle of a chain lets the first name the last`, async () => {
    const user = await newUser(server.current)
    const { client } = user
    const [first = '', second = '', third = ''] = await chain(client, 3)
    await forgetBy(user, second)
    expect(await current(client)).toEqual(['I live in Braga.'])
    expect((await get(client, first)).superseded_by).toBe(third)
    await forgetBy(user, third)
    expect(await current(client)).toEqual(['I live in Lisbon.'])
    await expectConsistent(server.current)
  })
}

test('a correction that is restored supersedes again', async () => {
  const { client } = await newUser(server.current)
  const [first = '', second = ''] = await chain(client, 2)
  await forget(client, second)
  await client.call(restoreMemory, { params: { memory_id: second } })
  expect(await current(client)).toEqual(['I live in Porto.'])
  expect((await get(client, first)).superseded_by).toBe(second)
  await expectConsistent(server.current)
})

test('a memory that is restored after its correction was forgotten is current', async () => {
  const { client } = await newUser(server.current)
  const [first = '', second = ''] = await chain(client, 2)
  await forget(client, first)
  await forget(client, second, true)
  await client.call(restoreMemory, { params: { memory_id: first } })
  expect(await current(client)).toEqual(['I live in Lisbon.'])
  await expectConsistent(server.current)
})

test('a memory whose words were remembered again stays superseded, by those', async () => {
  const { client } = await newUser(server.current)
  const [first = '', second = ''] = await chain(client, 2)
  const again = await client.call(remember, { body: { content: 'I live in Lisbon.' } })
  await forget(client, second)
  expect((await get(client, first)).superseded_by).toBe(again.memory_id)
  expect(await current(client)).toEqual(['I live in Lisbon.'])
})

test('a correction made by an update can be forgotten', async () => {
  const { client } = await newUser(server.current)
  const [first = ''] = await chain(client, 1)
  const { memory_id } = await client.call(remember, { body: { content: 'I live in Braga.' } })
  await client.call(updateMemory, { params: { memory_id }, body: { supersedes: first } })
  await forget(client, memory_id)
  expect(await current(client)).toEqual(['I live in Lisbon.'])
})

test('a superseded memory that is imported without its correction is current', async () => {
  const { client, key } = await newUser(server.current)
  const superseded_by = Bun.randomUUIDv7()
  await request(server.current, importMemories.method, importMemories.path, {
    token: key,
    body: JSON.stringify({
      content_text: 'I live in Lisbon.',
      memory_id: Bun.randomUUIDv7(),
      superseded_by,
    }),
    headers: { 'content-type': 'application/x-ndjson' },
  })
  expect(await current(client)).toEqual(['I live in Lisbon.'])
})
