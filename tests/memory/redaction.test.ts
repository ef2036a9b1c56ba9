import { describe, expect, test } from 'bun:test'
import { capture, listMemories, remember, updateMemory } from '../../shared/contract/index.ts'
import { newUser, startServer, useSharedServer } from '../harness/server.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const TEXT = `The token is ${TOKEN}.`
const REDACTED = 'The token is [redacted: GitHub token].'

/** The text and the kinds of a memory that was captured, remembered, and changed. */
const writeAll = async (server: Parameters<typeof newUser>[0]) => {
  const { client } = await newUser(server)
  const messages = [{ turn: '1', role: 'user' as const, content: TEXT }]
  await client.call(capture, { body: { client: 'codex', channel: 'hook', session: 's', messages } })
  const plain = await client.call(remember, { body: { content: TEXT } })
  const changed = await client.call(remember, { body: { content: 'Another text.', thread: 'a' } })
  const body = { content: TEXT, metadata: { a: 1 } }
  await client.call(updateMemory, { params: { memory_id: changed.memory_id }, body })
  const { memories } = await client.call(listMemories, {})
  const of = (id: string) => memories.find(({ memory_id }) => memory_id === id)
  const captured = memories.find(({ thread }) => thread === 'codex:s')
  return [captured, of(plain.memory_id), of(changed.memory_id)].map((memory) => [
    memory?.content_text,
    memory?.metadata.redacted,
  ])
}

const kept = [TEXT, undefined]
const redacted = [REDACTED, ['GitHub token']]

describe('by default', () => {
  const server = useSharedServer()
  test('captured conversations are redacted, other memories are not', async () => {
    expect(await writeAll(server.current)).toEqual([redacted, kept, kept])
  })
})

const PASSWORD = 'X9y8z7w6'

/** All that a memory shows of what was written. */
test('with SVC_REDACT=on all fields of a memory are redacted, by their names too', async () => {
  await using server = await startServer({ SVC_REDACT: 'on' })
  const { client } = await newUser(server)
  const fields = {
    thread: `run ${TOKEN}`,
    tags: ['plain', `token ${TOKEN}`],
    author: `bot password=${PASSWORD}`,
    metadata: {
      password: PASSWORD,
      args: { command: `mysql -p${PASSWORD}`, env: [{ API_TOKEN: TOKEN }], note: 'plain' },
      result: `{"password": "${PASSWORD}"}`,
      count: 7,
    },
  }
  const { memory_id } = await client.call(remember, { body: { content: 'It ran.', ...fields } })
  const written = await client.call(remember, { body: { content: 'Another one.' } })
  await client.call(updateMemory, {
    params: { memory_id: written.memory_id },
    body: { tags: fields.tags, metadata: fields.metadata },
  })
  const { memories } = await client.call(listMemories, {})
  for (const memory of memories) {
    expect(JSON.stringify(memory)).not.toMatch(new RegExp(`${PASSWORD}|${TOKEN}`))
    expect(memory.metadata).toMatchObject({ args: { note: 'plain' }, count: 7 })
    expect(memory.metadata.redacted).toContain('GitHub token')
  }
  const first = memories.find((memory) => memory.memory_id === memory_id)
  expect([first?.content_text, first?.tags]).toEqual([
    'It ran.',
    ['plain', 'token [redacted: GitHub token]'],
  ])
})

test('the project of a captured conversation has no credential of its remote', async () => {
  await using server = await startServer()
  const { client } = await newUser(server)
  const project = `https://ada:${PASSWORD}@example.org/shop.git`
  const messages = [{ turn: '1', role: 'user' as const, content: 'Deploy it.' }]
  await client.call(capture, {
    body: { client: 'codex', channel: 'hook', session: 's', project, messages },
  })
  const { memories } = await client.call(listMemories, {})
  expect(memories).toHaveLength(1)
  expect(JSON.stringify(memories)).not.toContain(PASSWORD)
})

test.each([
  ['off', [kept, kept, kept]],
  ['on', [redacted, redacted, redacted]],
])('with SVC_REDACT=%s', async (mode, written) => {
  await using server = await startServer({ SVC_REDACT: mode })
  expect(await writeAll(server)).toEqual(written)
})
