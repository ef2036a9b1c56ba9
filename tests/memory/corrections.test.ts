import { expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import {
  deleteMemory,
  forgetMatching,
  getMemory,
  importMemories,
  listAnchors,
  listMemories,
  memoryChanges,
  memoryHistory,
  recall,
  remember,
  resolveConflict,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { factsOf, write } from '../harness/facts.ts'
import { runSql } from '../harness/http.ts'
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

const restore = (client: Client, memory_id: string) =>
  client.call(restoreMemory, { params: { memory_id } })

/** Orders in which the memories of a chain of three, by their place, are deleted and restored. */
const ORDERS: [deleted: number[], restored: number[]][] = [
  [[1], [1]],
  [[2], [2]],
  [[0], [0]],
  [
    [1, 2],
    [2, 1],
  ],
  [
    [1, 2],
    [1, 2],
  ],
  [
    [2, 1],
    [2, 1],
  ],
  [
    [2, 1],
    [1, 2],
  ],
  [
    [0, 1],
    [1, 0],
  ],
  [
    [0, 2],
    [0, 2],
  ],
  [
    [2, 1, 0],
    [2, 1, 0],
  ],
  [
    [2, 1, 0],
    [0, 1, 2],
  ],
  [
    [0, 1, 2],
    [1, 0, 2],
  ],
  [
    [1, 2, 0],
    [2, 0, 1],
  ],
]

test.each(ORDERS)(
  'a chain whose memories are deleted in the order %j and restored in the order %j is as before',
  async (deleted, restored) => {
    const { client } = await newUser(server.current)
    const ids = await chain(client, 3)
    for (const place of deleted) await forget(client, ids[place] ?? '')
    for (const [index, place] of restored.entries()) {
      await restore(client, ids[place] ?? '')
      const last = Math.max(
        ...[0, 1, 2].filter((each) => !restored.slice(index + 1).includes(each)),
      )
      // The last of those that are there is the only current one.
      expect(await current(client)).toEqual([`I live in ${CITIES[last]}.`])
    }
    const [first = '', second = '', third = ''] = ids
    expect(await get(client, first)).toMatchObject({ superseded_by: second })
    expect(await get(client, second)).toMatchObject({ supersedes: first, superseded_by: third })
    expect(await get(client, third)).toMatchObject({ supersedes: second, superseded_by: null })
    await expectConsistent(server.current)
  },
)

test('a restored correction leaves alone what was corrected otherwise meanwhile', async () => {
  const { client } = await newUser(server.current)
  const [first = '', second = ''] = await chain(client, 2)
  await forget(client, second)
  const { memory_id } = await client.call(remember, {
    body: { content: 'I live in Faro.', supersedes: first },
  })
  await restore(client, second)
  expect((await get(client, first)).superseded_by).toBe(memory_id)
  expect((await get(client, second)).supersedes).toBe(null)
})

test('both memories that a resolved conflict superseded are current when the choice is forgotten', async () => {
  const { client } = await newUser(server.current)
  await write(client, 'I live in Lisbon.', 'I live in Porto.')
  await client.call(resolveConflict, { body: { anchor_key: 'home', chosen_value: 'Oslo' } })
  const { memories } = await client.call(recall, { body: { query: 'Where do I live?' } })
  const [{ memory_id = '' } = {}] = memories
  await forget(client, memory_id)
  expect(await current(client)).toEqual(['I live in Lisbon.', 'I live in Porto.'])
  await restore(client, memory_id)
  expect(await current(client)).toEqual(['I live in Oslo.'])
})

test('a client that follows the changes is given the links that change when a memory is deleted', async () => {
  const { client } = await newUser(server.current)
  const [first = '', second = '', third = ''] = await chain(client, 3)
  const { next_cursor: cursor } = await client.call(memoryChanges, { query: {} })
  await forget(client, second)
  const { memories, deleted } = await client.call(memoryChanges, { query: { cursor } })
  expect(deleted).toEqual([second])
  expect(memories.find(({ memory_id }) => memory_id === first)?.superseded_by).toBe(third)
  expect(memories.find(({ memory_id }) => memory_id === third)?.supersedes).toBe(first)
})

test('the sweep of the trash after 30 days leaves no memory that names an erased one', async () => {
  const { client, id } = await newUser(server.current)
  const [first = '', second = '', third = ''] = await chain(client, 3)
  await forget(client, third)
  await forget(client, second)
  await runSql(
    server.current.database,
    `update memories set deleted_at = now() - interval '40 days' where owner_id = '${id}' and deleted_at is not null`,
    "insert into jobs.job (name, data) values ('retention', '{}')",
  )
  const count = `select count(*)::int from memories where owner_id = '${id}'`
  await eventually(async () => (await runSql(server.current.database, count))[0]?.count === 1)
  expect(await get(client, first)).toMatchObject({ superseded_by: null, supersedes: null })
})

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

const importFile = ({ key }: User, records: object[]) =>
  request(server.current, importMemories.method, importMemories.path, {
    token: key,
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    headers: { 'content-type': 'application/x-ndjson' },
  })

/** The records of a chain in an export. */
const exportedChain = () => {
  const ids = CITIES.map(() => Bun.randomUUIDv7())
  return CITIES.map((city, place) => ({
    memory_id: ids[place],
    content_text: `I live in ${city}.`,
    supersedes: ids[place - 1] ?? null,
    superseded_by: ids[place + 1] ?? null,
  }))
}

test('a superseded memory that is imported without its correction is current, with its facts', async () => {
  const user = await newUser(server.current)
  await importFile(user, exportedChain().slice(0, 1))
  expect(await current(user.client)).toEqual(['I live in Lisbon.'])
  const [memory] = (await user.client.call(recall, { body: { query: 'Lisbon' } })).memories
  expect(await factsOf(user.client, memory?.memory_id ?? '')).toMatchObject([{ value: 'Lisbon' }])
})

test.each([
  [[[0], [1, 2]]],
  [[[0], [1], [2]]],
  [[[2], [1], [0]]],
  [[[1], [0, 2]]],
  [[[0, 2], [1]]],
  [[[2], [0], [1]]],
])('a chain that is imported in the files %j has one current memory', async (files) => {
  const user = await newUser(server.current)
  const records = exportedChain()
  for (const places of files)
    await importFile(
      user,
      places.map((place) => records[place] ?? {}),
    )
  expect(await current(user.client)).toEqual(['I live in Braga.'])
  await expectConsistent(server.current)
})

test('a file whose memories claim to supersede each other hides at most one of them', async () => {
  const user = await newUser(server.current)
  const [first, second] = exportedChain()
  await importFile(user, [
    { ...first, supersedes: second?.memory_id, superseded_by: null },
    { ...second, superseded_by: null },
  ])
  expect(await current(user.client)).toHaveLength(1)
})

test.each([
  ['each other', [1, 0], 'Porto'],
  ['each other, where a later one names one of them', [1, 0, 1], 'Porto'],
  ['each other in a circle of three', [1, 2, 0], 'Braga'],
  ['themselves', [0], 'Lisbon'],
] as const)(
  'of memories of a file that name %s as superseding, the last is current',
  async (_, next, city) => {
    const user = await newUser(server.current)
    const records = exportedChain()
    await importFile(
      user,
      next.map((successor, place) => ({
        ...records[place],
        supersedes: null,
        superseded_by: records[successor]?.memory_id,
        occurred_at: `2026-01-0${place + 1}T00:00:00Z`,
      })),
    )
    const { memories } = await user.client.call(listMemories)
    expect(memories.filter((each) => each.superseded_by === null)).toMatchObject([
      { content_text: `I live in ${city}.`, valid_to: null },
    ])
    await expectConsistent(server.current)
  },
)

test('an imported memory does not supersede the user’s word', async () => {
  const user = await newUser(server.current)
  const [own] = await chain(user.client, 1)
  const [, second] = exportedChain()
  await importFile(user, [{ ...second, supersedes: own, superseded_by: null }])
  expect(await current(user.client)).toEqual(['I live in Lisbon.', 'I live in Porto.'])
})
