import { expect, test } from 'bun:test'
import {
  deleteMemory,
  forgetMatching,
  memoryChanges,
  remember,
  rememberBatch,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import { runSql } from '../harness/http.ts'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const changesOf = ({ client }: TestUser, cursor?: string) =>
  client.call(memoryChanges, { query: cursor === undefined ? {} : { cursor } })

const storeOne = async ({ client }: TestUser, content: string, supersedes?: string) =>
  (await client.call(remember, { body: { content, ...(supersedes && { supersedes }) } })).memory_id

test('without a cursor, all memories are to be read; with one, only the changes since follow', async () => {
  const user = await newUser(server.current)
  const start = await changesOf(user)
  expect(start).toEqual({ reset: true, memories: [], deleted: [], next_cursor: '0' })
  const id = await storeOne(user, 'The heron is grey.')
  const stored = await changesOf(user, start.next_cursor)
  expect(stored.reset).toBe(false)
  expect(stored.memories.map(({ memory_id }) => memory_id)).toEqual([id])
  expect(await changesOf(user, stored.next_cursor)).toEqual({
    reset: false,
    memories: [],
    deleted: [],
    next_cursor: stored.next_cursor,
  })
})

test('an update, a supersession, a deletion and a restore are changes', async () => {
  const user = await newUser(server.current)
  const { client } = user
  const first = await storeOne(user, 'The heron is grey.')
  const other = await storeOne(user, 'The kiln is hot.')
  let { next_cursor } = await changesOf(user)
  const next = async () => {
    const changes = await changesOf(user, next_cursor)
    next_cursor = changes.next_cursor
    return changes
  }
  const params = { memory_id: first }
  await client.call(updateMemory, { params, body: { tags: ['bird'] } })
  expect((await next()).memories).toMatchObject([{ memory_id: first, tags: ['bird'] }])

  const second = await storeOne(user, 'The heron is white.', first)
  const superseded = (await next()).memories
  expect(superseded.find(({ memory_id }) => memory_id === first)?.superseded_by).toBe(second)
  expect(superseded.some(({ memory_id }) => memory_id === second)).toBe(true)

  // The superseding memory is in the response although it was stored before.
  const update = { params: { memory_id: other }, body: { supersedes: second } }
  await client.call(updateMemory, update)
  expect((await next()).memories.map(({ memory_id }) => memory_id).toSorted()).toEqual(
    [second, other].toSorted(),
  )
  await client.call(deleteMemory, { params: { memory_id: other } })
  // The memory that it superseded is current again, and superseded again after the restore.
  expect(await next()).toMatchObject({
    reset: false,
    memories: [{ memory_id: second, superseded_by: null }],
    deleted: [other],
  })
  await client.call(restoreMemory, { params: { memory_id: other } })
  const restored = (await next()).memories
  expect(restored.find(({ memory_id }) => memory_id === second)?.superseded_by).toBe(other)
  expect(restored.some(({ memory_id }) => memory_id === other)).toBe(true)
  await client.call(deleteMemory, { params: { memory_id: other }, query: { permanent: true } })
  expect((await next()).reset).toBe(true)
})

test('more changes than are known reset the cursor', async () => {
  const user = await newUser(server.current)
  await storeOne(user, 'The heron is grey.')
  const { next_cursor } = await changesOf(user)
  const storeMany = (from: number, count: number) =>
    user.client.call(rememberBatch, {
      body: {
        memories: Array.from({ length: count }, (_, i) => ({ content: `Number ${from + i}.` })),
      },
    })
  await storeMany(0, 63)
  expect((await changesOf(user, next_cursor)).memories).toHaveLength(63)
  await storeMany(63, 1)
  expect((await changesOf(user, next_cursor)).reset).toBe(true)
  const full = await changesOf(user)
  await user.client.call(forgetMatching, { body: { all: true, dry_run: false } })
  expect((await changesOf(user, full.next_cursor)).reset).toBe(true)
})

test('a cursor of another account, of a later time or of another form is not followed', async () => {
  const [user, other] = [await newUser(server.current), await newUser(server.current)]
  await storeOne(user, 'The heron is grey.')
  await storeOne(other, 'The kiln is hot.')
  const { next_cursor } = await changesOf(user)
  for (const cursor of [next_cursor, '999999999999999-1', '0-1', '2'])
    expect((await changesOf(other, cursor)).reset).toBe(true)
  const refused = await request(server.current, 'GET', '/api/memories/changes?cursor=now', {
    token: user.key,
  })
  expect(refused.status).toBe(422)
})

test('changes that were counted before they were listed reset the first cursor', async () => {
  const user = await newUser(server.current)
  const { next_cursor } = await changesOf(user)
  await storeOne(user, 'The heron is grey.')
  // As in a database of a version that only counted them.
  await runSql(server.current.database, `delete from memory_changes where owner_id = '${user.id}'`)
  expect((await changesOf(user, next_cursor)).reset).toBe(true)
})

test('concurrent writers lose no change', async () => {
  const user = await newUser(server.current)
  await storeOne(user, 'The heron is grey.')
  const seen = new Set<string>()
  let { next_cursor } = await changesOf(user)
  const stored = Promise.all(
    Array.from({ length: 40 }, (_, i) => storeOne(user, `Number ${i} of many.`)),
  )
  let isDone = false
  void stored.finally(() => {
    isDone = true
  })
  for (let isLast = false; !isLast; ) {
    isLast = isDone
    const changes = await changesOf(user, next_cursor)
    expect(changes.reset).toBe(false)
    for (const { memory_id } of changes.memories) seen.add(memory_id)
    next_cursor = changes.next_cursor
  }
  expect((await stored).filter((id) => !seen.has(id))).toEqual([])
})
