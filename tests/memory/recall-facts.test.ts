import { expect, test } from 'bun:test'
import { recall, remember } from '../../shared/contract/index.ts'
import { factsOf } from '../harness/facts.ts'
import { newUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

test.each([
  ['Where do I live?', 'I moved to Porto in May 2023.', 'I live in Lisbon now.'],
  ['Wo wohne ich?', 'Ich wohne in Bremen.', 'Ich bin nach Leipzig gezogen.'],
  ['¿Dónde vivo?', 'Vivo en Sevilla.', 'Me he mudado a Granada.'],
  ['Où est-ce que j’habite ?', 'J’habite à Lyon.', 'J’habite à Nantes.'],
  ['我住在哪里？', '我住在北京。', '我搬到了上海。'],
  ['私はどこに住んでいますか？', '私は大阪に住んでいます。', '私は東京に引っ越しました。'],
])('a question for a fact finds its latest value first: %s', async (question, before, now) => {
  const { client } = await newUser(server.current)
  const write = async (content: string, occurred_at: string) => {
    const { memory_id } = await client.call(remember, { body: { content, occurred_at } })
    await factsOf(client, memory_id)
  }
  await write(before, '2023-05-02T10:00:00Z')
  await write(now, '2024-03-02T10:00:00Z')
  await write('The weather is fine.', '2024-04-02T10:00:00Z')
  const { memories } = await client.call(recall, { body: { query: question, explain: true } })
  expect(memories[0]?.content_text).toBe(now)
  expect(memories[0]?.explanation?.fact).toBeGreaterThan(0)
  expect(memories.map((m) => m.content_text)).not.toContain('The weather is fine.')
})
