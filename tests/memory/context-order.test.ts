import { describe, expect, test } from 'bun:test'
import { type Client, createClient } from '../../shared/client.ts'
import { chat, context, recall, remember, rememberBatch } from '../../shared/contract/index.ts'
import { signedInMachine } from '../cli/svc.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { connectHttp, textOf } from '../mcp/client.ts'

const server = useSharedServer()

/** Changes of mind within a day: the question, and the statements in their order. */
const CHANGES: [language: string, question: string, statements: string[]][] = [
  [
    'English',
    'How many replicas does the harbour service get?',
    [
      'The harbour service gets 2 replicas.',
      'The harbour service gets 4 replicas, after all.',
      'Make that 5: how many replicas the harbour service gets is settled, it gets 5 replicas.',
    ],
  ],
  [
    'English',
    'Which database does the harbour service use?',
    [
      'Which database the harbour service will use: the harbour service uses the database MySQL.',
      'No, the harbour service uses SQLite as its database.',
      'Final: PostgreSQL is the database of the harbour service.',
    ],
  ],
  [
    'English',
    'When does the crane arrive?',
    ['The crane arrives on Monday.', 'The crane arrives on Tuesday, when the ship arrives.'],
  ],
  [
    'German',
    'Wie viele Gäste kommen zur Feier am Hafen?',
    [
      'Wie viele Gäste zur Feier am Hafen kommen: zwei Gäste.',
      'So viele Gäste kommen doch zur Feier am Hafen: vier.',
      'Jetzt steht fest, wie viele Gäste zur Feier am Hafen kommen: fünf Gäste.',
    ],
  ],
  [
    'German',
    'Welche Farbe bekommt der Kran?',
    [
      'Welche Farbe der Kran bekommt: der Kran bekommt die Farbe Rot.',
      'Welche Farbe bekommt der Kran? Der Kran bekommt doch Blau.',
    ],
  ],
  [
    'French',
    'Combien de places a la salle du port ?',
    ['La salle du port a dix places.', 'Finalement, la salle du port a vingt places.'],
  ],
  [
    'Spanish',
    '¿Cuántas grúas tiene el puerto?',
    ['El puerto tiene dos grúas.', 'Al final, el puerto tiene cuatro grúas.'],
  ],
  [
    'Italian',
    'Quante gru ha il porto?',
    ['Il porto ha due gru.', 'Alla fine il porto ha quattro gru.'],
  ],
  ['Chinese', '港口有几台起重机？', ['港口有两台起重机。', '港口后来有四台起重机。']],
  [
    'Japanese',
    '港にクレーンは何台ありますか？',
    ['港にクレーンは二台あります。', '港にクレーンは四台あります、最終です。'],
  ],
]

const hour = (index: number) => 8 + 3 * index
const store = async (client: Client, statements: string[]) => {
  const memories = statements.map((content, index) => ({
    content,
    occurred_at: `2026-03-06T${String(hour(index)).padStart(2, '0')}:15:00Z`,
  }))
  // The last one is stored first: the time of the event counts.
  for (const body of memories.toReversed()) await client.call(remember, { body })
}
const write = async (statements: string[]) => {
  const { client } = await newUser(server.current)
  await store(client, statements)
  return client
}
const clock = (index: number) => `${String(hour(index)).padStart(2, '0')}:15`
const linesOf = (text: string) => text.split('\n').filter((line) => line.startsWith('- '))
const expectedLines = (statements: string[]) =>
  statements.map(
    (content, index) => `- 2026-03-06 ${String(hour(index)).padStart(2, '0')}:15: ${content}`,
  )

describe('statements of one day are given in their order, with the times', () => {
  for (const [language, query, statements] of CHANGES) {
    test(`in a context: ${language}, “${query}”`, async () => {
      const client = await write(statements)
      const { text } = await client.call(context, { body: { query } })
      expect(linesOf(text)).toEqual(expectedLines(statements))
    })

    test(`in a recall as text: ${language}, “${query}”`, async () => {
      const client = await write(statements)
      const { text = '' } = await client.call(recall, { body: { query, format: 'text' } })
      expect(linesOf(text)).toEqual(expectedLines(statements))
    })
  }

  test.each(['recall', 'list'])('in the MCP tool %s, with the times', async (tool) => {
    const [, query = '', statements = []] = CHANGES[0] ?? []
    const { client, key } = await newUser(server.current)
    await store(client, statements)
    await using mcp = await connectHttp(server.current, key)
    const text = textOf(await mcp.call(tool, tool === 'recall' ? { query } : {}))
    for (const [index, content] of statements.entries())
      expect(text).toContain(`semantic; 2026-03-06 ${clock(index)} UTC)\n   ${content}`)
  })

  test('in the output of svc recall, with the times', async () => {
    const [, query = '', statements = []] = CHANGES[0] ?? []
    const user = await newUser(server.current)
    await store(user.client, statements)
    const { machine } = await signedInMachine(server.current, undefined, user)
    const { stdout } = await machine.svc(['recall', query])
    for (const [index, content] of statements.entries())
      expect(stdout).toContain(`${content}\n2026-03-06 ${clock(index)} UTC · score`)
  })

  test('in an answer from memories alone, with the times', async () => {
    const [, query = '', statements = []] = CHANGES[0] ?? []
    const { key } = await newVerifiedUser(server.current)
    const client = createClient({ baseUrl: server.current.url, credential: key })
    await store(client, statements)
    const { message } = await client.call(chat, { body: { message: query, provider: 'local' } })
    for (const [index, content] of statements.entries())
      expect(message.content).toContain(
        `> ${content}\n> — 2026-03-06 ${String(hour(index)).padStart(2, '0')}:15`,
      )
  })
})

test('memories that are written together stand in the order of writing', async () => {
  const [, query = '', statements = []] = CHANGES[0] ?? []
  const { client } = await newUser(server.current)
  const memories = statements.map((content) => ({ content }))
  await client.call(rememberBatch, { body: { memories } })
  const { text } = await client.call(context, { body: { query } })
  expect(linesOf(text).map((line) => line.replace(/^- [\d-]+ [\d:]+: /, ''))).toEqual(statements)
})

test('memories of different days show no time, and the best is first', async () => {
  const { client } = await newUser(server.current)
  for (const [content, occurred_at] of [
    ['The harbour crane was painted blue.', '2026-03-06T08:15:00Z'],
    ['The harbour crane was painted red.', '2026-03-07T08:15:00Z'],
  ] as const)
    await client.call(remember, { body: { content, occurred_at } })
  const query = 'Was the harbour crane painted red?'
  const { text } = await client.call(context, { body: { query } })
  expect(linesOf(text)).toEqual([
    '- 2026-03-07: The harbour crane was painted red.',
    '- 2026-03-06: The harbour crane was painted blue.',
  ])
})

test('a day without an hour shows none, and begins the day', async () => {
  const { client } = await newUser(server.current)
  for (const [content, occurred_at] of [
    ['The harbour crane is red.', '2026-03-06T08:15:00Z'],
    ['The harbour crane is blue.', '2026-03-06'],
  ] as const)
    await client.call(remember, { body: { content, occurred_at } })
  const query = 'Which color is the harbour crane?'
  const { text = '' } = await client.call(recall, { body: { query, format: 'text' } })
  expect(linesOf(text)).toEqual([
    '- 2026-03-06: The harbour crane is blue.',
    '- 2026-03-06 08:15: The harbour crane is red.',
  ])
})
