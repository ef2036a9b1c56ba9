import { expect, test } from 'bun:test'
import postgres from 'postgres'
import type { Client } from '../../shared/client.ts'
import {
  getMemory,
  memoryHistory,
  recall,
  remember,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { Remember } from '../../shared/contract/memories.ts'
import { isCluster } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newUser, useServer } from '../harness/server.ts'

const server = useServer()
const newClient = async () => (await newUser(server.current)).client

type MemoryInput = Partial<Remember> & { content: string }
const write = async (client: Client, body: MemoryInput) =>
  (await client.call(remember, { body })).memory_id

/** Waits until the engine has processed all earlier memories, which it does in order. */
const consolidated = async (client: Client) => {
  const marks = ['A mark for the engine', 'a mark, for the engine!']
  const [first = ''] = [await write(client, { content: marks[0] ?? '' })]
  await write(client, { content: marks[1] ?? '' })
  const params = { memory_id: first }
  await eventually(async () => (await client.call(getMemory, { params })).superseded_by)
}

const successorOf = async (client: Client, memory_id: string) =>
  (await client.call(getMemory, { params: { memory_id } })).superseded_by

test('a memory with the same words supersedes the earlier one', async () => {
  const client = await newClient()
  const first = await write(client, { content: 'The spare key is under the blue pot.' })
  const second = await write(client, { content: 'the spare key is under the blue pot' })
  const third = await write(client, { content: '  “The spare key” is under: the BLUE pot!' })
  await consolidated(client)
  expect(await successorOf(client, first)).toBe(second)
  expect(await successorOf(client, second)).toBe(third)
  expect(await successorOf(client, third)).toBeNull()

  const { memories } = await client.call(recall, { body: { query: 'Where is the spare key?' } })
  expect(memories.map(({ memory_id }) => memory_id)).toEqual([third])
  const history = await client.call(memoryHistory, { params: { memory_id: first } })
  expect(history.at(-1)).toMatchObject({
    action: 'superseded',
    actor: { kind: 'engine', ref: 'consolidation' },
  })
})

test('a memory that differs in a word, sign, type, author, agent or thread supersedes none', async () => {
  const client = await newClient()
  const kept: MemoryInput[] = [
    { content: 'Ada codes in C' },
    { content: 'Ada codes in C++' },
    { content: 'Ada coded in C' },
    { content: 'Ada codes in C?' },
    { content: 'ada codes in c', memory_type: 'preference' },
    { content: 'ada codes in c', author: 'Ben' },
    { content: 'ada codes in c', agent_slug: 'coder' },
    { content: 'ada codes in c', thread: 'languages' },
    { content: 'Not Ada codes in C' },
  ]
  const ids: string[] = []
  for (const body of kept)
    ids.push(await write(client, { ...body, content: `${body.content}${' '.repeat(ids.length)}` }))
  await consolidated(client)
  const successors = await Promise.all(ids.map((id) => successorOf(client, id)))
  expect(successors).toEqual(kept.map(() => null))
})

test('episodic memories with the same words are both kept', async () => {
  const client = await newClient()
  const ids = [
    await write(client, { content: 'Thanks a lot, Ben', thread: 't', memory_type: 'episodic' }),
    await write(client, { content: 'Thanks a lot, Ben!', thread: 't', memory_type: 'episodic' }),
  ]
  await consolidated(client)
  expect(await Promise.all(ids.map((id) => successorOf(client, id)))).toEqual([null, null])
})

/** Waits until `count` statements of the server wait for a lock. */
const waiting = (sql: postgres.Sql, count: number) =>
  eventually(async () => {
    const [row] = await sql`select count(*)::int from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    return row?.count >= count
  })

// On a cluster a worker waits for the lock, and the coordinator does not list it.
test.skipIf(isCluster)('a memory that changes during consolidation is not superseded', async () => {
  const client = await newClient()
  await using sql = Object.assign(
    postgres(server.current.database.env.SVC_DATABASE_URL, { max: 2 }),
    { [Symbol.asyncDispose]: () => sql.end() },
  )
  const params = { memory_id: await write(client, { content: 'The cat is called Tom' }) }
  let change: Promise<unknown> | undefined
  await sql.begin(async (lock) => {
    await lock`select from memories where memory_id = ${params.memory_id} for update`
    change = client.call(updateMemory, { params, body: { content: 'The dog is called Rex' } })
    await waiting(sql, 1)
    // The engine reads the memory before the change, and waits for its lock.
    await write(client, { content: 'the cat is called Tom!' })
    await waiting(sql, 2)
  })
  await change
  await consolidated(client)
  expect(await successorOf(client, params.memory_id)).toBeNull()
  const { memories } = await client.call(recall, { body: { query: 'What is the dog called?' } })
  expect(memories[0]?.content_text).toBe('The dog is called Rex')
})
