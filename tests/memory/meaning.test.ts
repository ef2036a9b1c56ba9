import { describe, expect, test } from 'bun:test'
import type { Client } from '../../shared/client.ts'
import {
  deleteMemory,
  memoryGraph,
  recall,
  relatedMemories,
  remember,
  rememberBatch,
  restoreMemory,
  updateMemory,
} from '../../shared/contract/index.ts'
import type { Remember } from '../../shared/contract/memories.ts'
import type { Recall } from '../../shared/contract/recall.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { newUser, startServer, useStarted } from '../harness/server.ts'
import { exportOf, importFile, linesOf } from './transfer-support.ts'

/** On a busy machine the encoder takes longer than a recall waits for it. */
const PATIENT = { recallBudgetMs: 30_000 }
const database = await createDatabase()
const server = useStarted(
  () => startServer({ SVC_EMBEDDING: undefined }, database, PATIENT),
  async (started) => {
    await started.stop()
    await database.drop()
  },
)

/** Waits until all memories have the vectors that they get. */
const untilEncoded = () =>
  eventually(
    async () =>
      (await runSql(database, "select from memory_tasks where engine = 'embedding' limit 1"))
        .length === 0,
  )

const CITIES =
  'Porto Madrid Paris Rome Berlin Vienna Prague Warsaw Oslo Dublin Athens Zurich'.split(' ')

/** It shares no word, in any form, with the memory that it should find. */
const QUESTION = 'Which musical instruments are played?'
const PIANO = 'The piano and the violin are in the hall'
const SHIP = 'The ship left the harbour'

const newClient = async () => (await newUser(server.current)).client

const write = async (client: Client, input: string | (Partial<Remember> & { content: string })) => {
  const body = typeof input === 'string' ? { content: input } : input
  return (await client.call(remember, { body })).memory_id
}

const found = async (client: Client, query = QUESTION, filter: Partial<Recall> = {}) => {
  await untilEncoded()
  const { memories } = await client.call(recall, { body: { query, ...filter } })
  return memories.map(({ content_text }) => content_text)
}

describe('with the built-in encoder', () => {
  test('a memory in other words is linked as alike, also in the graph, and both stay', async () => {
    const { client } = await newVerifiedUser(server.current)
    const content = 'My daughter is allergic to peanuts.'
    const first = await write(client, content)
    await write(client, SHIP)
    const second = await write(client, 'Our girl must not eat peanuts.')
    await untilEncoded()
    const links = () => client.call(relatedMemories, { params: { memory_id: second } })
    await eventually(async () => (await links()).links.some(({ kind }) => kind === 'meaning'))
    const found = (await links()).links.filter(({ kind }) => kind === 'meaning')
    expect(found.map(({ memory }) => memory.content_text)).toEqual([content])
    const { nodes, edges } = await client.call(memoryGraph, {})
    expect(nodes).toHaveLength(3)
    expect(
      edges.filter(({ kind }) => kind === 'meaning').map(({ from, to }) => [from, to].sort()),
    ).toEqual([[first, second].sort()])
  })

  test('a memory that shares no word with the question is found by its meaning', async () => {
    const client = await newClient()
    await write(client, PIANO)
    await write(client, SHIP)
    const body = { query: QUESTION, explain: true }
    await untilEncoded()
    const { memories } = await client.call(recall, { body })
    expect(memories.map(({ content_text }) => content_text)).toEqual([PIANO])
    const { words, semantic } = memories[0]?.explanation ?? {}
    expect(words).toBe(0)
    expect(semantic).toBeGreaterThan(0)
  })

  test('the explanation of a score includes the semantic part', async () => {
    const client = await newClient()
    for (const content of [PIANO, SHIP, 'The instruments of the band are new']) {
      await write(client, content)
    }
    await untilEncoded()
    const { memories } = await client.call(recall, { body: { query: QUESTION, explain: true } })
    const both = memories.find(({ explanation }) => explanation?.semantic && explanation.words)
    expect(both?.content_text).toBe('The instruments of the band are new')
  })

  test('memories of a batch and of an import are found by their meaning', async () => {
    const user = await newUser(server.current)
    await user.client.call(rememberBatch, {
      body: { memories: [{ content: PIANO }, { content: SHIP }] },
    })
    expect(await found(user.client)).toEqual([PIANO])
    const other = await newUser(server.current)
    const file = linesOf(await exportOf(server.current, user))
    expect((await importFile(server.current, other, file)).body).toMatchObject({ imported: 2 })
    expect(await found(other.client)).toEqual([PIANO])
  })

  test('a name of an author in the question does not find other names', async () => {
    const client = await newClient()
    await write(client, { content: PIANO, author: 'Caroline' })
    await write(client, 'Melanie, Jennifer and Rebecca left early')
    const question = 'Which musical instruments does Caroline play?'
    // After the first question the server knows her name; the second one uses it.
    for (let i = 0; i < 2; i++) expect(await found(client, question)).toEqual([PIANO])
  })

  test('memories of another user are never found', async () => {
    await write(await newClient(), PIANO)
    const client = await newClient()
    await write(client, SHIP)
    expect(await found(client)).toEqual([])
  })

  test('filters apply to memories found by their meaning', async () => {
    const client = await newClient()
    await write(client, { content: PIANO, tags: ['a'], thread: 't1', occurred_at: '2024-01-10' })
    await write(client, { content: 'She practises the violin', tags: ['b'], agent_slug: 'x' })
    expect((await found(client)).length).toBe(2)
    expect(await found(client, QUESTION, { tags: ['a'] })).toEqual([PIANO])
    expect(await found(client, QUESTION, { thread: 't1' })).toEqual([PIANO])
    expect(await found(client, QUESTION, { until: '2024-02-01' })).toEqual([PIANO])
    expect(await found(client, QUESTION, { agent_slug: 'x' })).toEqual(['She practises the violin'])
    expect(await found(client, QUESTION, { scope: 'personal' })).toEqual([PIANO])
    expect(await found(client, QUESTION, { author: 'Stranger' })).toEqual([])
  })

  test('a changed memory is found by its new meaning only', async () => {
    const client = await newClient()
    const memory_id = await write(client, PIANO)
    const change = (content: string) =>
      client.call(updateMemory, { params: { memory_id }, body: { content } })
    await change(SHIP)
    expect(await found(client)).toEqual([])
    await change(PIANO)
    expect(await found(client)).toEqual([PIANO])
    await client.call(updateMemory, { params: { memory_id }, body: { importance: 0.9 } })
    expect(await found(client)).toEqual([PIANO])
  })

  test('a deleted memory is not found by its meaning, a restored one is', async () => {
    const client = await newClient()
    const memory_id = await write(client, PIANO)
    await client.call(deleteMemory, { params: { memory_id }, query: {} })
    expect(await found(client)).toEqual([])
    await client.call(restoreMemory, { params: { memory_id } })
    expect(await found(client)).toEqual([PIANO])
    await client.call(deleteMemory, { params: { memory_id }, query: { permanent: true } })
    expect(await found(client)).toEqual([])
  })

  test('a superseded memory is found by its meaning as of a time when it was valid', async () => {
    const client = await newClient()
    const supersedes = await write(client, { content: PIANO, occurred_at: '2024-01-01' })
    await untilEncoded()
    await write(client, { content: SHIP, occurred_at: '2024-06-01', supersedes })
    expect(await found(client)).toEqual([])
    expect(await found(client, QUESTION, { as_of: '2024-03-01' })).toEqual([PIANO])
  })

  test('memories in another language are found by their words only', async () => {
    const client = await newClient()
    for (const content of [SHIP, 'Bread and butter are on the table']) await write(client, content)
    const italian = 'Il piano e la tromba sono nel teatro per il concerto'
    await write(client, italian)
    expect(await found(client)).toEqual([])
    expect(await found(client, 'Dove sono il piano e la tromba?')).toEqual([italian])
  })
})

test('the vector of a turn goes with the text of the turn before, of which it is made', async () => {
  const client = await newClient()
  const [first = ''] = [
    await write(client, { content: PIANO, thread: 'music', author: 'Ann' }),
    await write(client, { content: 'They are old', thread: 'music', author: 'Ben' }),
  ]
  await untilEncoded()
  const vectors = async () =>
    (
      await runSql(
        database,
        `select from memory_vectors v join memories m on m.seq = v.seq where m.thread_no =
          (select thread_no from memories where memory_id = '${first}')`,
      )
    ).length
  const before = [await found(client), await vectors()]
  await client.call(deleteMemory, { params: { memory_id: first }, query: {} })
  const after = [await found(client), await vectors()]
  expect([before, after]).toEqual([
    [[PIANO, 'They are old'], 2],
    [[], 0],
  ])
})

describe('unusual input', () => {
  test.each([
    ['one word 32,000 characters long', 'a'.repeat(32_000)],
    ['one word repeated to 32,000 characters', 'piano '.repeat(5_300)],
    ['no known word', 'zorblax quimfrob plonkvat'],
    ['mixed scripts', 'piano пианино ピアノ 钢琴 بيانو πιάνο'],
    ['emoji alone', '🎹🎻🎺'],
    ['lone surrogates', 'piano \ud800 violin \udfff'.toWellFormed()],
    ['stop words alone', 'and the of or who was it'],
  ])('a memory of %s is stored, and is found by itself or not at all', async (_, content) => {
    const client = await newClient()
    await write(client, content)
    await write(client, SHIP)
    expect(await found(client, 'ship harbour')).toEqual([SHIP])
    const own = await found(client, content.slice(0, 4_000))
    expect([[], [content]]).toContainEqual(own)
  })

  test('a question of 32,000 characters finds a memory by its meaning', async () => {
    const client = await newClient()
    await write(client, PIANO)
    await write(client, SHIP)
    expect((await found(client, 'musical instruments '.repeat(1_600)))[0]).toBe(PIANO)
  })

  test('a single word does not find every other word of its kind', async () => {
    const client = await newClient()
    for (const city of CITIES) await write(client, `Lena was in ${city}.`)
    expect((await found(client, 'Lisbon')).length).toBeLessThan(CITIES.length / 4)
  })
})
