import { expect, test } from 'bun:test'
import {
  deleteMemory,
  relatedMemories,
  remember,
  rememberBatch,
} from '../../shared/contract/index.ts'
import type { Memory } from '../../shared/contract/memories.ts'
import { eventually } from '../harness/eventually.ts'
import { runSql } from '../harness/http.ts'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const textsOf = (memories: Memory[]) => memories.map((memory) => memory.content_text)

const relatedTo = ({ client }: TestUser, memory_id: string, neighbors?: number) =>
  client.call(relatedMemories, {
    params: { memory_id },
    ...(neighbors !== undefined && { query: { neighbors } }),
  })

test('the neighbors of a memory are the live ones next to it in its thread, in order', async () => {
  const user = await newUser(server.current)
  const contents = ['one', 'two', 'three', 'four', 'five', 'six']
  const { memories } = await user.client.call(rememberBatch, {
    body: { memories: contents.map((content) => ({ content, thread: 'count' })) },
  })
  await user.client.call(remember, { body: { content: 'other', thread: 'other' } })
  const [, , three = '', four = '', five = ''] = memories.map((memory) => memory.memory_id)
  const near = await relatedTo(user, four, 1)
  expect([textsOf(near.before), textsOf(near.after)]).toEqual([['three'], ['five']])

  await user.client.call(deleteMemory, { params: { memory_id: three } })
  await user.client.call(remember, { body: { content: 'cinque', supersedes: five } })
  const live = await relatedTo(user, four, 1)
  expect([textsOf(live.before), textsOf(live.after)]).toEqual([['two'], ['six']])
  const all = await relatedTo(user, four)
  expect([textsOf(all.before), textsOf(all.after)]).toEqual([['one', 'two'], ['six']])
})

test('memories without a thread are not neighbors', async () => {
  const user = await newUser(server.current)
  const { memories } = await user.client.call(rememberBatch, {
    body: { memories: [{ content: 'alone' }, { content: 'apart' }] },
  })
  const { before, after } = await relatedTo(user, memories[0]?.memory_id ?? '')
  expect([before, after]).toEqual([[], []])
})

test('the versions of a memory are listed in both directions along the whole chain', async () => {
  const user = await newUser(server.current)
  const ids: string[] = []
  for (const city of ['Lisbon', 'Porto', 'Faro', 'Braga']) {
    const { memory_id } = await user.client.call(remember, {
      body: { content: `Lena lives in ${city}.`, supersedes: ids.at(-1) ?? null },
    })
    ids.push(memory_id)
  }
  const second = await relatedTo(user, ids[1] ?? '')
  expect(textsOf(second.earlier_versions)).toEqual(['Lena lives in Lisbon.'])
  expect(textsOf(second.later_versions)).toEqual(['Lena lives in Faro.', 'Lena lives in Braga.'])
  const last = await relatedTo(user, ids[3] ?? '')
  expect(textsOf(last.earlier_versions)).toEqual([
    'Lena lives in Faro.',
    'Lena lives in Porto.',
    'Lena lives in Lisbon.',
  ])
})

test('a circular chain of versions, as an import can have, lists each memory once', async () => {
  const user = await newUser(server.current)
  const { memories } = await user.client.call(rememberBatch, {
    body: { memories: ['one', 'two', 'three'].map((content) => ({ content })) },
  })
  const ids = memories.map((memory) => memory.memory_id)
  await runSql(
    server.current.database,
    ...ids.map(
      (id, i) => `update memories set supersedes = '${ids.at(i - 1)}',
        superseded_by = '${ids[(i + 1) % 3]}' where memory_id = '${id}'`,
    ),
  )
  const { earlier_versions, later_versions } = await relatedTo(user, ids[0] ?? '')
  expect([textsOf(earlier_versions), textsOf(later_versions)]).toEqual([
    ['three', 'two'],
    ['two', 'three'],
  ])
})

test('links are listed from both memories, with their kind', async () => {
  const user = await newUser(server.current)
  const { memory_id: named } = await user.client.call(remember, {
    body: { content: 'The target.' },
  })
  const { memory_id: naming } = await user.client.call(remember, {
    body: { content: 'A source.', metadata: { links: [named] } },
  })
  const linksOf = async (id: string) =>
    (await relatedTo(user, id)).links.map(({ memory, kind }) => [memory.memory_id, kind])
  await eventually(async () => (await linksOf(named)).length !== 0)
  expect(await linksOf(named)).toEqual([[naming, 'explicit']])
  expect(await linksOf(naming)).toEqual([[named, 'explicit']])
})

test('the related memories of a deleted memory, or of another user, are not found', async () => {
  const [user, other] = [await newUser(server.current), await newUser(server.current)]
  const { memory_id } = await user.client.call(remember, { body: { content: 'Private.' } })
  const path = `/api/memories/${memory_id}/related`
  expect((await request(server.current, 'GET', path, { token: other.key })).status).toBe(404)
  await user.client.call(deleteMemory, { params: { memory_id } })
  const { status, body } = await request(server.current, 'GET', path, { token: user.key })
  expect([status, body]).toEqual([404, { detail: 'Memory not found' }])
})
