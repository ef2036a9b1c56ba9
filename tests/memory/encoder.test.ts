import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createEncoder } from '../../server/memory/engines/embedding/encoder/encoder.ts'
import { SAMPLES } from '../../server/memory/engines/embedding/model.ts'
import { normalize, type Purpose } from '../../server/memory/engines/embedding/source.ts'
import { createClient } from '../../shared/client.ts'
import { recall, remember } from '../../shared/contract/index.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { DIMENSIONS, tokenVector, writeEncoder } from '../harness/encoder-model.ts'
import { eventually } from '../harness/eventually.ts'
import {
  BOOL,
  externalFloats,
  FLOAT,
  floats,
  graph,
  INT64,
  input,
  integers,
  model,
  node,
  output,
  truth,
} from '../harness/onnx.ts'
import { newUser, request, startServer, type TestServer } from '../harness/server.ts'

setDefaultTimeout(180_000)

const root = mkdtempSync(join(tmpdir(), 'svc-test-encoder-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const newDirectory = (name = 'model') => join(mkdtempSync(join(root, 'model-')), name)

const SYNONYMS = [['doctor', 'medikus']]
const WORDS = ['ulla', 'saw', 'the', 'tomatoes', 'are', 'ripe', 'query', 'passage', ':']

/** The vectors of texts by the model of a directory, in an own process. */
const encode = async (
  directory: string,
  texts: string[],
  purpose: Purpose = 'memory',
  limits: Parameters<typeof createEncoder>[1] = {},
) => {
  const encoder = createEncoder({ model: 'tested', directory }, limits)
  try {
    return await encoder.embed(texts, purpose, AbortSignal.timeout(120_000))
  } finally {
    await encoder.stop()
  }
}

const plus = (a: number[], b: number[]) => a.map((value, i) => value + (b[i] ?? 0))

/** The vector that follows from the definition of the model and of pooling. */
const expectedVector = (words: string[], pooling: 'mean' | 'cls', hasTokenTypes: boolean) => {
  const type = hasTokenTypes ? tokenVector('type 0') : new Array(DIMENSIONS).fill(0)
  const tokens = ['[CLS]', ...words, '[SEP]'].map((word) => plus(tokenVector(word), type))
  const sum = tokens.reduce(plus)
  const own = pooling === 'cls' ? (tokens[0] ?? []) : sum.map((value) => value / tokens.length)
  return normalize(plus(own, sum)) ?? []
}

describe.each([
  ['WordPiece', 'mean', true],
  ['WordPiece', 'cls', false],
  ['Unigram', 'mean', false],
  ['Unigram', 'cls', true],
] as const)('%s, %s pooling, token types %p', (tokenizer, pooling, hasTokenTypes) => {
  test('vectors are those that the files of the model define', async () => {
    const directory = newDirectory()
    writeEncoder(directory, { tokenizer, pooling, hasTokenTypes, synonyms: SYNONYMS, words: WORDS })
    const texts = ['Ulla saw the medikus', 'the tomatoes', 'qqqq']
    const vectors = await encode(directory, texts)
    for (const [i, words] of [
      ['ulla', 'saw', 'the', 'doctor'],
      ['the', 'tomatoes'],
      ['[UNK]'],
    ].entries()) {
      const expected = expectedVector(words, pooling, hasTokenTypes)
      expect(vectors[i]).toHaveLength(DIMENSIONS)
      for (const [at, value] of (vectors[i] ?? []).entries())
        expect(value).toBeCloseTo(expected[at] ?? Number.NaN, 4)
    }
  })
})

test('E5 reads its prefixes before questions and memories', async () => {
  const directory = newDirectory('multilingual-e5-small')
  writeEncoder(directory, { words: WORDS })
  const [question] = await encode(directory, ['tomatoes'], 'question')
  const [memory] = await encode(directory, ['tomatoes'])
  for (const [vector, prefix] of [
    [question, 'query'],
    [memory, 'passage'],
  ] as const) {
    const expected = expectedVector([prefix, ':', 'tomatoes'], 'mean', true)
    expect(vector?.[0]).toBeCloseTo(expected[0] ?? Number.NaN, 4)
  }
})

test('a long text is cut to what the model reads', async () => {
  const directory = newDirectory()
  writeEncoder(directory, { words: WORDS })
  writeFileSync(join(directory, 'sentence_bert_config.json'), '{"max_seq_length": 4}')
  const [cut, short] = await encode(directory, ['ulla saw the tomatoes', 'ulla saw'])
  expect(cut).toEqual(short)
})

test('a question is answered before the memories that wait', async () => {
  const directory = newDirectory()
  writeEncoder(directory, { words: WORDS })
  const encoder = createEncoder({ model: 'tested', directory })
  try {
    const order: string[] = []
    const signal = AbortSignal.timeout(120_000)
    const memories = Array.from({ length: 20 }, () => 'ripe tomatoes '.repeat(70))
    const storing = encoder.embed(memories, 'memory', signal).then(() => order.push('memories'))
    const asking = encoder.embed(['ripe'], 'question', signal).then(() => order.push('question'))
    await Promise.all([storing, asking])
    expect(order).toEqual(['question', 'memories'])
  } finally {
    await encoder.stop()
  }
})

const TOKENS = input('input_ids', INT64, ['batch', 'sequence'])
const OUTPUT = output('last_hidden_state', FLOAT, ['batch', 'sequence', 'dimensions'])

/** A loop that never ends. */
const ENDLESS = model([
  TOKENS,
  integers('most', [Number.MAX_SAFE_INTEGER], []),
  truth('always'),
  node('Cast', ['input_ids'], ['start'], { to: FLOAT }),
  node('Loop', ['most', 'always', 'start'], ['last_hidden_state'], {
    body: graph([
      input('i', INT64, []),
      input('goes', BOOL, []),
      input('value', FLOAT, ['batch', 'sequence']),
      node('Identity', ['goes'], ['goesOn']),
      node('Sin', ['value'], ['next']),
      output('goesOn', BOOL, []),
      output('next', FLOAT, ['batch', 'sequence']),
    ]),
  }),
  OUTPUT,
])

/** 3.2 GB of zeros. */
const BOMB = model([
  TOKENS,
  integers('size', [1, 800_000_000, 1]),
  node('ConstantOfShape', ['size'], ['last_hidden_state']),
  OUTPUT,
])

type Broken = [name: string, break_: (directory: string) => void, problem: RegExp, cpuMs?: number]

const BROKEN: Broken[] = [
  ['a missing model', (directory) => rmSync(directory, { recursive: true }), /is not installed/],
  ['no ONNX file', (d) => rmSync(join(d, 'onnx/model.onnx')), /no onnx\/model.onnx/],
  ['an ONNX file cut short', (d) => truncateSync(join(d, 'onnx/model.onnx'), 700), /protobuf/i],
  [
    'an ONNX file too large',
    (d) => truncateSync(join(d, 'onnx/model.onnx'), 2 ** 31),
    /larger than 768 MB/,
  ],
  ['no tokenizer', (d) => rmSync(join(d, 'tokenizer.json')), /tokenizer.json is missing/],
  [
    'a damaged tokenizer',
    (d) => writeFileSync(join(d, 'tokenizer.json'), '{"model":'),
    /tokenizer.json is not JSON/,
  ],
  [
    'an unknown pooling',
    (d) => writeFileSync(join(d, '1_Pooling/config.json'), '{"pooling_mode_max_tokens":true}'),
    /other than mean or CLS/,
  ],
  [
    'a dense layer',
    (d) =>
      writeFileSync(join(d, 'modules.json'), '[{"type":"sentence_transformers.models.Dense"}]'),
    /needs sentence_transformers.models.Dense/,
  ],
  [
    'an unknown input',
    (d) =>
      writeFileSync(
        join(d, 'onnx/model.onnx'),
        model([
          input('pixels', FLOAT, [1]),
          node('Identity', ['pixels'], ['y']),
          output('y', FLOAT, [1]),
        ]),
      ),
    /unknown input pixels/,
  ],
  [
    'values in a file elsewhere',
    (d) =>
      writeFileSync(
        join(d, 'onnx/model.onnx'),
        model([
          TOKENS,
          externalFloats('words', [4, 4], '../../../../../etc/passwd'),
          node('Gather', ['words', 'input_ids'], ['last_hidden_state']),
          OUTPUT,
        ]),
      ),
    /external data/i,
  ],
  [
    'a tensor that declares more values than the file has',
    (d) =>
      writeFileSync(
        join(d, 'onnx/model.onnx'),
        model([
          TOKENS,
          floats('words', [2 ** 40, 4], [1]),
          node('Gather', ['words', 'input_ids'], ['last_hidden_state']),
          OUTPUT,
        ]),
      ),
    /tensor|size|overflow/i,
  ],
  ['a memory bomb', (d) => writeFileSync(join(d, 'onnx/model.onnx'), BOMB), /memory|alloc/i],
  [
    'an endless loop',
    (d) => writeFileSync(join(d, 'onnx/model.onnx'), ENDLESS),
    /takes too long/,
    1_500,
  ],
]

test.each(BROKEN)('%s is reported', async (_, break_, problem, cpuMs = 5_000) => {
  const directory = newDirectory()
  writeEncoder(directory, { words: WORDS })
  break_(directory)
  const limits = { cpuMs, memory: 1024 ** 3 }
  await expect(encode(directory, ['ripe'], 'memory', limits)).rejects.toThrow(problem)
})

/** Those of the texts that show which similarity is usual, too. */
const KNOWN_WORDS = [
  ...new Set([
    ...WORDS,
    ...(SAMPLES.join(' ')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []),
  ]),
]

describe('a server with an encoder', () => {
  const start = (directory: string, database?: TestDatabase): Promise<TestServer> =>
    startServer({ SVC_EMBEDDING: `onnx:${directory}` }, database, { recallBudgetMs: 20_000 })

  const embeddingPart = async (server: TestServer) =>
    (await request(server, 'GET', '/api/health/detail')).body.parts?.embedding

  test('finds a memory that shares no word with the question', async () => {
    const directory = newDirectory()
    writeEncoder(directory, { synonyms: SYNONYMS, words: KNOWN_WORDS })
    await using server = await start(directory)
    const { client } = await newUser(server)
    for (const content of ['The tomatoes are ripe', 'Ulla saw the doctor'])
      await client.call(remember, { body: { content } })
    const first = await eventually(async () => {
      const body = { query: 'the medikus', explain: true }
      const [found] = (await client.call(recall, { body })).memories
      return found?.explanation?.semantic && found
    })
    expect(first.content_text).toBe('Ulla saw the doctor')
    expect(first.explanation).toMatchObject({ words: 0 })
    const part = await eventually(async () => {
      const found = await embeddingPart(server)
      return !found?.note.includes('wait for their vectors') && found
    })
    expect(part).toMatchObject({
      state: 'ok',
      note: `${directory}, ${DIMENSIONS} dimensions`,
    })
  })

  test('shares the vectors with another server process of the database', async () => {
    const directory = newDirectory()
    writeEncoder(directory, { synonyms: SYNONYMS, words: KNOWN_WORDS })
    const database = await createDatabase()
    try {
      await using one = await start(directory, database)
      await using other = await start(directory, database)
      const { client, key } = await newUser(one)
      await client.call(remember, { body: { content: 'Ulla saw the doctor' } })
      const elsewhere = createClient({ baseUrl: other.url, credential: key })
      const found = await eventually(async () => {
        const body = { query: 'the medikus', explain: true }
        const [first] = (await elsewhere.call(recall, { body })).memories
        return first?.explanation?.semantic && first
      })
      expect(found.content_text).toBe('Ulla saw the doctor')
    } finally {
      await database.drop()
    }
  })

  test('recalls by words while the encoder does not work, and by vectors once it is repaired', async () => {
    const directory = newDirectory()
    await using server = await start(directory)
    const { client } = await newUser(server)
    await client.call(remember, { body: { content: 'The tomatoes are ripe' } })
    const { note } = await eventually(async () => {
      const part = await embeddingPart(server)
      return part?.state === 'down' && part
    })
    expect(note).toBe(`recall searches by words alone: ${directory}: it is not installed`)
    const { memories } = await client.call(recall, { body: { query: 'tomatoes' } })
    expect(memories[0]?.content_text).toBe('The tomatoes are ripe')
    writeEncoder(directory, { words: WORDS })
    await eventually(async () => (await embeddingPart(server))?.state === 'ok')
  })
})
