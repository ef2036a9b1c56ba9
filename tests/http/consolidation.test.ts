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
import type { Remember } from '../../shared/schemas/memory.ts'
import { databaseKind } from '../harness/database.ts'
import { newUser, useServer } from '../harness/server.ts'

const server = useServer()
const newClient = async () => (await newUser(server.current)).client

type Given = Partial<Remember> & { content: string }
const write = async (client: Client, body: Given) =>
  (await client.call(remember, { body })).memory_id

/** Waits until the engine has looked at all that was written before: it goes by their order. */
const consolidated = async (client: Client) => {
  const marks = ['A mark for the engine', 'a mark, for the engine!']
  const [first = ''] = [await write(client, { content: marks[0] ?? '' })]
  await write(client, { content: marks[1] ?? '' })
  for (;;) {
    const memory = await client.call(getMemory, { params: { memory_id: first } })
    if (memory.superseded_by) return
    await Bun.sleep(100)
  }
}

const stand = async (client: Client, memory_id: string) =>
  (await client.call(getMemory, { params: { memory_id } })).superseded_by

test('what says the same in the same words takes the place of the earlier', async () => {
  const client = await newClient()
  const first = await write(client, { content: 'The spare key is under the blue pot.' })
  const second = await write(client, { content: 'the spare key is under the blue pot' })
  const third = await write(client, { content: '  “The spare key” is under: the BLUE pot!' })
  await consolidated(client)
  expect(await stand(client, first)).toBe(second)
  expect(await stand(client, second)).toBe(third)
  expect(await stand(client, third)).toBeNull()

  const { memories } = await client.call(recall, { body: { query: 'Where is the spare key?' } })
  expect(memories.map(({ memory_id }) => memory_id)).toEqual([third])
  const history = await client.call(memoryHistory, { params: { memory_id: first } })
  expect(history.at(-1)).toMatchObject({
    action: 'superseded',
    actor: { kind: 'engine', ref: 'consolidation' },
  })
})

test('what differs in a word, a sign, a kind, an author, an agent or a thread is kept beside', async () => {
  const client = await newClient()
  const kept: Given[] = [
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
  const standing = await Promise.all(ids.map((id) => stand(client, id)))
  expect(standing).toEqual(kept.map(() => null))
})

test('the same thing that happened twice happened twice', async () => {
  const client = await newClient()
  const ids = [
    await write(client, { content: 'Thanks a lot, Ben', thread: 't', memory_type: 'episodic' }),
    await write(client, { content: 'Thanks a lot, Ben!', thread: 't', memory_type: 'episodic' }),
  ]
  await consolidated(client)
  expect(await Promise.all(ids.map((id) => stand(client, id)))).toEqual([null, null])
})

/** So many statements of the server wait for a row that somebody else has locked. */
const waiting = async (sql: postgres.Sql, count: number) => {
  for (;;) {
    const [row] = await sql`select count(*)::int from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`
    if (row?.count >= count) return
    await Bun.sleep(20)
  }
}

test.skipIf(databaseKind !== 'postgres')(
  'what is changed while it is looked at keeps its place, and is found',
  async () => {
    const client = await newClient()
    await using sql = Object.assign(
      postgres(server.current.database.env.SVC_DATABASE_URL ?? '', { max: 2 }),
      { [Symbol.asyncDispose]: () => sql.end() },
    )
    const params = { memory_id: await write(client, { content: 'The cat is called Tom' }) }
    let change: Promise<unknown> | undefined
    await sql.begin(async (lock) => {
      await lock`select from memories where memory_id = ${params.memory_id} for update`
      change = client.call(updateMemory, { params, body: { content: 'The dog is called Rex' } })
      await waiting(sql, 1)
      // The engine finds what was there before the change, and waits behind it.
      await write(client, { content: 'the cat is called Tom!' })
      await waiting(sql, 2)
    })
    await change
    await consolidated(client)
    expect(await stand(client, params.memory_id)).toBeNull()
    const { memories } = await client.call(recall, { body: { query: 'What is the dog called?' } })
    expect(memories[0]?.content_text).toBe('The dog is called Rex')
  },
)
