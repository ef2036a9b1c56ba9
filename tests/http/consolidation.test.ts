import { expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import { getMemory, memoryHistory, recall, remember } from '../../shared/contract/index.ts'
import type { Remember } from '../../shared/schemas/memory.ts'
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
    await Bun.sleep(50)
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
