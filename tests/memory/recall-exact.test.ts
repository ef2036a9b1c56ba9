import { expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import { recall, rememberBatch, updateMemory } from '../../shared/contract/index.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const newClient = async () => (await newUser(server.current)).client

const contentsFor = async (client: Client, query: string) =>
  (await client.call(recall, { body: { query } })).memories.map((m) => m.content_text)

const remember = (client: Client, contents: string[]) =>
  client.call(rememberBatch, { body: { memories: contents.map((content) => ({ content })) } })

const EXACT: [question: string, content: string][] = [
  ['What broke in v2.10.3-rc1?', 'Sync fails since (v2.10.3-rc1).'],
  ['Was steht in /etc/svc/hosts.conf?', 'Die Namen liegen in "/etc/svc/hosts.conf".'],
  ['¿De quién es ana.ruiz@example.org?', 'Escríbeme a ana.ruiz@example.org, por favor.'],
  ['Où est la pièce AB-77/X?', 'Le colis AB-77/X; il est arrivé.'],
  ['订单 A-4711 在哪里？', '订单号是A-4711，明天送到。'],
  ['🎈', 'A party with 🎈🎈 and cake.'],
  ['C++', 'Ported it to C++, at last.'],
]

test.each(EXACT)(
  'a code, path, address or emoji is found in its exact form: %s',
  async (question, content) => {
    const client = await newClient()
    await remember(client, [content, 'Something else, in v2.10.4 of AB-78.'])
    expect((await contentsFor(client, question))[0]).toBe(content)
  },
)

test.each([
  ['The Who', 'We saw The Who in Leeds.'],
  ['Wir sind', 'Das Album heißt "Wir sind".'],
  ['Él y yo', 'La película se llama Él y yo.'],
  ['Nous', 'Le café s’appelle Nous.'],
  ['什么的', '他说了什么的话。'],
])('a question of only stop words finds their exact text: %s', async (question, content) => {
  const client = await newClient()
  await remember(client, [content, 'Rain again.'])
  expect(await contentsFor(client, question)).toEqual([content])
})

test('a changed memory is found by its new code and not by its old one', async () => {
  const client = await newClient()
  const { memories } = await remember(client, ['The door code is K9-22.', 'Rain again.'])
  const memory_id = memories[0]?.memory_id ?? ''
  await client.call(updateMemory, { params: { memory_id }, body: { content: 'It is Q1-33 now.' } })
  expect(await contentsFor(client, 'Q1-33')).toEqual(['It is Q1-33 now.'])
  expect(await contentsFor(client, 'K9-22')).toEqual([])
})

const refused = async (query: string) => {
  const { key } = await newUser(server.current)
  const { status } = await request(server.current, 'POST', '/api/recall', {
    token: key,
    body: { query },
  })
  return status
}

test('memories with one repeated word, unknown words or mixed scripts are found', async () => {
  const client = await newClient()
  const repeated = 'kumquat '.repeat(3_999).trim()
  const mixed = 'Встреча mit José 在北京 at 7:30 ☕'
  await remember(client, [repeated, 'qzx vvkp wrrt', mixed])
  expect((await contentsFor(client, 'kumquat'))[0]).toBe(repeated)
  expect((await contentsFor(client, 'vvkp'))[0]).toBe('qzx vvkp wrrt')
  expect((await contentsFor(client, 'встреча'))[0]).toBe(mixed)
  expect((await contentsFor(client, '北京'))[0]).toBe(mixed)
  expect((await contentsFor(client, '☕'))[0]).toBe(mixed)
})

test('a query of 32,000 characters is accepted and a longer one refused', async () => {
  expect(await refused('kumquat '.repeat(4_000))).toBe(200)
  expect(await refused('1-'.repeat(16_000))).toBe(200)
  expect(await refused('x'.repeat(32_001))).toBe(422)
})

test('a message is found although all messages of its author are questions', async () => {
  const client = await newClient()
  const memories = Array.from({ length: 30 }, (_, i) => ({
    content: `Shall we paint room ${i} in colour ${i * 7}?`,
    author: 'Quentin',
    thread: 'rooms',
  }))
  await client.call(rememberBatch, { body: { memories } })
  const found = await contentsFor(client, 'What is to be painted in room 12?')
  expect(found.slice(0, 2)).toContain('Shall we paint room 12 in colour 84?')
})

test('a memory is found by its words among memories of 10,000 authors', async () => {
  const client = await newClient()
  for (let start = 0; start < 10_000; start += 1_000)
    await client.call(rememberBatch, {
      body: {
        memories: Array.from({ length: 1_000 }, (_, i) => ({
          content: `I keep bees, hive ${start + i}.`,
          author: `Keeper${start + i}`,
        })),
      },
    })
  const [found] = await contentsFor(client, 'Who keeps bees in hive 4321?')
  // A recall that fails inside returns no memories, and logs why.
  const failures = server.current.log.filter((line) => line.includes('recall failed'))
  expect([found, failures]).toEqual(['I keep bees, hive 4321.', []])
}, 120_000)
