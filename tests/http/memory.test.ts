import { expect, test } from 'bun:test'
import { recall, remember } from '../../shared/contract/index.ts'
import { newUser, useServer } from '../harness/server.ts'

const server = useServer()

test('what is remembered is found by the next recall', async () => {
  const { client } = await newUser(server.current)
  const memory = await client.call(remember, {
    body: { content: 'The spare key is under the blue pot.' },
  })
  const found = await client.call(recall, { body: { query: 'Where is the spare key?' } })
  expect(found.memories[0]?.memory_id).toBe(memory.memory_id)
})
