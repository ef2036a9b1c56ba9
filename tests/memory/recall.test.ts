import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Client } from '../../shared/client.ts'
import { deleteMemory, recall, remember, rememberBatch } from '../../shared/contract/index.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()

const newClient = async () => (await newUser(server.current)).client

const contentsFor = async (client: Client, query: string, more: object = {}) =>
  (await client.call(recall, { body: { query, ...more } })).memories.map((m) => m.content_text)

test('a memory is found by other forms of its words', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [{ content: 'We adopted two dogs.' }, { content: 'She went to the mountains.' }],
    },
  })
  expect(await contentsFor(client, 'adopting a dog')).toEqual(['We adopted two dogs.'])
  expect(await contentsFor(client, 'Where did she go?')).toEqual(['She went to the mountains.'])
})

test('the memory that covers more of the question comes first', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'Bread, bread and bread again.' },
        { content: 'Olga bakes rye bread with honey.' },
        { content: 'Honey is in the cupboard.' },
      ],
    },
  })
  expect((await contentsFor(client, 'rye bread with honey'))[0]).toBe(
    'Olga bakes rye bread with honey.',
  )
})

test('an answer that shares no word with the question is found after it in its thread', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'What did the vet say about Rex?', thread: 'pets' },
        { content: 'Nothing broken, only a sprain.', thread: 'pets' },
        { content: 'Nothing new at the office.', thread: 'work' },
      ],
    },
  })
  const found = await contentsFor(client, 'the vet about Rex')
  expect(found[0]).toBe('Nothing broken, only a sprain.')
  expect(found).not.toContain('Nothing new at the office.')
})

test('memories of the author that the question names rank above those of others', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'I love sailing.', author: 'Ben', thread: 'b' },
        { content: 'I love sailing too, honestly.', author: 'Caroline', thread: 'c' },
      ],
    },
  })
  expect((await contentsFor(client, 'Does Caroline love sailing?'))[0]).toBe(
    'I love sailing too, honestly.',
  )
  expect((await contentsFor(client, 'Does Ben love sailing?'))[0]).toBe('I love sailing.')
})

test('the memories of the first of several authors in a question rank highest', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'The garden needs water.', author: 'Ben', thread: 'b' },
        { content: 'The garden needs plants.', author: 'Nora', thread: 'n' },
        { content: 'The garden needs stones.', author: 'Zoe', thread: 'z' },
      ],
    },
  })
  const first = async (question: string) => (await contentsFor(client, question))[0]
  expect(await first('What did Nora tell Ben about the garden?')).toBe('The garden needs plants.')
  expect(await first('What did Ben tell Nora about the garden?')).toBe('The garden needs water.')
})

test('a memory that is not unusually short comes before others that match the question equally', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'Did you book a table?', thread: '1' },
        { content: 'Yes.', thread: '1' },
        { content: 'Did you book a table?', thread: '2' },
        {
          content: 'Yes, at eight, by the window, and they know that it is a birthday.',
          thread: '2',
        },
      ],
    },
  })
  const found = await contentsFor(client, 'Who did book a table?')
  expect(found[0]).toStartWith('Yes, at eight')
  expect(found).toContain('Yes.')
})

test('a memory of the time that the question names comes first', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'Went to a concert.', thread: '1', occurred_at: '2023-03-04' },
        { content: 'Went to a concert with Mia.', thread: '2', occurred_at: '2023-05-20' },
        { content: 'Went to a concert in the rain.', thread: '3', occurred_at: '2022-07-11' },
      ],
    },
  })
  const first = async (question: string) => (await contentsFor(client, question))[0]
  expect(await first('Which concert was in May 2023?')).toBe('Went to a concert with Mia.')
  expect(await first('Which concert was on 4 March?')).toBe('Went to a concert.')
  expect(await first('Which concert was in July?')).toBe('Went to a concert in the rain.')
})

test('a memory of the day that the question names is found without sharing a word', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'We climbed the tower.', thread: 'trip', occurred_at: '2023-08-12T09:00:00Z' },
        { content: 'The ferry was late.', occurred_at: '2023-08-12T23:59:00Z' },
        { content: 'Back at the office.', thread: 'work', occurred_at: '2023-08-13T00:00:00Z' },
      ],
    },
  })
  const found = await contentsFor(client, 'What did Ida see in Lisbon on 12 August 2023?')
  expect(found.toSorted()).toEqual(['The ferry was late.', 'We climbed the tower.'])
  const { memories } = await client.call(recall, {
    body: { query: 'What did Ida see in Lisbon on 12 August 2022?', explain: true },
  })
  expect(memories.filter(({ explanation }) => explanation?.time !== 0)).toEqual([])
  expect(
    await contentsFor(client, 'What happened in August 2023?', { until: '2023-08-12T12:00:00Z' }),
  ).toEqual(['We climbed the tower.'])
})

test('"yesterday" and "last week" are read relative to now', async () => {
  const client = await newClient()
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'Swam in the lake.', thread: 'x', occurred_at: daysAgo(400) },
        { content: 'Swam in the lake again.', thread: 'y', occurred_at: daysAgo(1) },
        { content: 'Swam in the lake at night.', thread: 'z', occurred_at: daysAgo(7) },
      ],
    },
  })
  expect((await contentsFor(client, 'Who swam in the lake yesterday?'))[0]).toBe(
    'Swam in the lake again.',
  )
  // Yesterday can be in last week too, so only the other two are compared.
  const lastWeek = await contentsFor(client, 'Who swam in the lake last week?')
  expect(lastWeek.indexOf('Swam in the lake at night.')).toBeLessThan(
    lastWeek.indexOf('Swam in the lake.'),
  )
})

test('the components of an explanation multiply out to the score', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'Did Ana paint the fence in May?', author: 'Bo', thread: 'f' },
        { content: 'Yes, green.', author: 'Ana', thread: 'f', occurred_at: '2024-05-02' },
        { content: 'The fence fell over.', author: 'Ana', thread: 'g' },
      ],
    },
  })
  const { memories } = await client.call(recall, {
    body: { query: 'What colour did Ana paint the fence in May?', explain: true },
  })
  expect(memories.length).toBe(3)
  for (const { score, explanation } of memories) {
    if (!explanation) throw new Error('no explanation was returned')
    const { words, coverage, semantic, time, fact, ...factors } = explanation
    const product = Object.values(factors).reduce((all, factor) => all * factor, 1)
    expect((words * coverage + semantic + time + fact) * product).toBeCloseTo(score, 9)
  }
  const [first] = memories
  expect(first?.explanation).toMatchObject({ author: 1.5, date: 2 })
  // Ana follows a question in one of her two memories: 1 + 0.2 × (1 - 1/2) / 0.6.
  expect(first?.explanation?.dialogue).toBeCloseTo(7 / 6, 9)
})

test('the explanation is only sent on request', async () => {
  const client = await newClient()
  await client.call(remember, { body: { content: 'Plain.' } })
  const { memories } = await client.call(recall, { body: { query: 'plain' } })
  expect(memories[0]).not.toHaveProperty('explanation')
})

test('filters return exactly the memories that match them', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        {
          content: 'Garden one',
          memory_type: 'episodic',
          tags: ['a', 'b'],
          thread: 't1',
          author: 'Ann',
          agent_slug: 'x',
          occurred_at: '2024-01-10',
        },
        {
          content: 'Garden two',
          tags: ['a'],
          thread: 't2',
          author: 'Bob',
          occurred_at: '2024-02-10',
        },
        { content: 'Garden three' },
      ],
    },
  })
  const only = (filter: object) => contentsFor(client, 'garden', filter)
  expect(await only({ memory_type: 'episodic' })).toEqual(['Garden one'])
  expect((await only({ tags: ['a'] })).sort()).toEqual(['Garden one', 'Garden two'])
  expect(await only({ tags: ['a', 'b'] })).toEqual(['Garden one'])
  expect(await only({ thread: 't2' })).toEqual(['Garden two'])
  expect(await only({ author: 'Bob' })).toEqual(['Garden two'])
  expect(await only({ agent_slug: 'x' })).toEqual(['Garden one'])
  expect(await only({ since: '2024-02-10', until: '2024-02-11' })).toEqual(['Garden two'])
  expect(await only({ until: '2024-02-10' })).toEqual(['Garden one'])
  expect(await only({ thread: 'nowhere' })).toEqual([])
  expect((await only({})).length).toBe(3)
})

test('limit is the number of results, 10 by default', async () => {
  const { client, key } = await newUser(server.current)
  await client.call(rememberBatch, {
    body: { memories: Array.from({ length: 120 }, (_, i) => ({ content: `Sparrow ${i}` })) },
  })
  expect((await contentsFor(client, 'sparrow')).length).toBe(10)
  expect((await contentsFor(client, 'sparrow', { limit: 1 })).length).toBe(1)
  expect((await contentsFor(client, 'sparrow', { limit: 100 })).length).toBe(100)
  for (const limit of [0, 101, 2.5, '5']) {
    const { status } = await request(server.current, 'POST', '/api/recall', {
      token: key,
      body: { query: 'sparrow', limit },
    })
    expect(status).toBe(422)
  }
})

test('a question of only stop words returns an empty list', async () => {
  const client = await newClient()
  await client.call(remember, { body: { content: 'The and of it.' } })
  expect(await client.call(recall, { body: { query: 'what is the of and' } })).toEqual({
    memories: [],
    count: 0,
  })
})

test('a question with only the name of an author finds their memories', async () => {
  const client = await newClient()
  await client.call(remember, { body: { content: 'Ask Zoe about the keys.', author: 'Max' } })
  expect(await contentsFor(client, 'Zoe?')).toEqual(['Ask Zoe about the keys.'])
})

test('unusual questions are answered without an error', async () => {
  const client = await newClient()
  await client.call(remember, { body: { content: 'The needle in the haystack.' } })
  const questions = [
    `needle ${'hay straw grass '.repeat(1200)}`,
    "needle'; drop table memories; --",
    'needle & ! | ( ) <-> :* \\',
    'needle %_$1 {} [] "quoted" <b>',
    'needle 🎈 漢字 ñandú',
  ]
  for (const question of questions)
    expect(await contentsFor(client, question)).toEqual(['The needle in the haystack.'])
})

test.each([{}, { query: '' }, { query: '  ' }, { query: 7 }, { query: 'a'.repeat(32_001) }])(
  'a question such as %# is refused',
  async (body) => {
    const { key } = await newUser(server.current)
    const answer = await request(server.current, 'POST', '/api/recall', { token: key, body })
    expect(answer.status).toBe(422)
    expect(answer.body.detail[0].loc).toEqual(['body', 'query'])
  },
)

/** Okapi BM25 as published, over words that no stemmer changes. */
const referenceBm25 = (documents: string[][], question: string[]) => {
  const k1 = 1.2
  const b = 0.75
  const mean = documents.reduce((sum, words) => sum + words.length, 0) / documents.length
  return documents.map((words) => {
    let score = 0
    for (const term of new Set(question)) {
      const containing = documents.filter((other) => other.includes(term)).length
      const frequency = words.filter((word) => word === term).length
      const idf = Math.log(1 + (documents.length - containing + 0.5) / (containing + 0.5))
      score += (idf * frequency * (k1 + 1)) / (frequency + k1 * (1 - b + (b * words.length) / mean))
    }
    return score
  })
}

const WORDS = ['kumbo', 'tarix', 'velno', 'quzzo', 'pilam', 'drogu', 'fento', 'wixko']
const words = (maxLength: number) =>
  fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength })

test('the words component is exact BM25 on the scale of the best, also after memories were deleted', async () => {
  const corpora = fc.record({
    documents: fc.uniqueArray(words(12), { minLength: 2, maxLength: 25, selector: String }),
    question: words(5),
    forgotten: fc.array(words(12), { maxLength: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(corpora, async ({ documents, question, forgotten }) => {
      const client = await newClient()
      const stale = forgotten.filter((a) => !documents.some((b) => String(a) === String(b)))
      const store = async (contents: string[][]) =>
        (
          await client.call(rememberBatch, {
            body: { memories: contents.map((content) => ({ content: content.join(' ') })) },
          })
        ).memories
      if (stale.length)
        for (const { memory_id } of await store(stale).then((all) =>
          all.filter((m) => !m.deduplicated),
        ))
          await client.call(deleteMemory, { params: { memory_id } })
      const stored = await store(documents)

      const { memories } = await client.call(recall, {
        body: { query: question.join(' '), limit: 100, explain: true },
      })
      const found = new Map(memories.map((m) => [m.memory_id, m.explanation?.words ?? 0]))
      const expected = referenceBm25(documents, question)
      const scale = Math.max(...found.values(), 0) / (Math.max(...expected) || 1)
      for (const [index, { memory_id }] of stored.entries())
        expect(found.get(memory_id) ?? 0).toBeCloseTo((expected[index] ?? 0) * scale, 9)
      expect(found.size).toBe(expected.filter((score) => score > 0).length)
    }),
    { numRuns: 25 },
  )
}, 60_000)

test('a word in very many memories scores by the same formula in each', async () => {
  const client = await newClient()
  const memories = Array.from({ length: 1_000 }, (_, i) => ({ content: `Tea, cup ${i}.` }))
  await client.call(rememberBatch, { body: { memories } })
  await client.call(remember, { body: { content: 'Tea at the harbour.' } })
  const query = { query: 'tea at the harbour', explain: true, limit: 3 }
  const found = await client.call(recall, { body: query })
  expect(found.memories[0]?.content_text).toBe('Tea at the harbour.')
  expect(found.memories[0]?.explanation?.coverage).toBe(1)
  expect(found.memories[1]?.explanation?.words).toBeGreaterThan(0)
})

test('memories in several languages are found by other forms of their words', async () => {
  const client = await newClient()
  await client.call(rememberBatch, {
    body: {
      memories: [
        { content: 'The spare keys are lying under the blue pot in the garden.' },
        { content: 'Die Häuser meiner Großeltern standen nahe am Fluss in Heidelberg.' },
        { content: 'Mis hermanas trabajaban en una panadería cerca de la estación.' },
        { content: 'Мои братья живут в большой квартире недалеко от центра Москвы.' },
        { content: '私は東京の大学で日本の歴史を勉強しています。' },
        { content: '我的姐姐住在北京，她喜欢喝绿茶。' },
      ],
    },
  })
  const first = async (query: string) =>
    (await client.call(recall, { body: { query } })).memories[0]?.content_text.slice(0, 12)
  expect(await first('Where does the spare key lie?')).toBe('The spare ke')
  expect(await first('Wo stand das Haus der Großeltern?')).toBe('Die Häuser m')
  expect(await first('¿Dónde trabaja mi hermana?')).toBe('Mis hermanas')
  expect(await first('Где живёт мой брат? Какая у него квартира?')).toBe('Мои братья ж')
  expect(await first('どこの大学で勉強していますか')).toBe('私は東京の大学で日本の歴')
  expect(await first('谁喜欢绿茶？')).toBe('我的姐姐住在北京，她喜欢')
  expect(await first('Haus')).toBe('Die Häuser m')
})

test.each([
  ['Der Termin beim Zahnarzt ist am Dienstag.', 'Wann war der Zahnarzttermin?'],
  ['Die Versicherungsnummer ist 65 140839 J.', 'Welche Versicherung?'],
  ['The restaurant closes at ten.', 'When does the restuarant close?'],
  ['Samochód stoi w garażu.', 'Gdzie jest samochodem?'],
  ['회의는 세 시에 시작해요.', '회의에서 뭐 했어?'],
  ['הרופא בחופשה', 'מתי לרופא?'],
])('a word that no memory has finds what is like it: %s', async (content, query) => {
  const { client } = await newUser(server.current)
  await client.call(rememberBatch, {
    body: { memories: [{ content }, { content: 'Unrelated: 42 blue chairs.' }] },
  })
  const { memories } = await client.call(recall, { body: { query } })
  expect(memories.map(({ content_text }) => content_text)).toEqual([content])
})

test('the same letters are found in any Unicode form', async () => {
  const client = await newClient()
  await client.call(remember, { body: { content: 'The cafe\u0301 on ﬁfth street closes early.' } })
  const { count } = await client.call(recall, { body: { query: 'caf\u00e9' } })
  expect(count).toBe(1)
  expect((await client.call(recall, { body: { query: 'fifth' } })).count).toBe(1)
})
