import { describe, expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'
import { Type } from '@sinclair/typebox'
import { budgets } from '../../../server/platform/budgets.ts'
import type { ModelTool } from '../../../server/platform/models/types.ts'
import {
  type Behaviour,
  calls,
  eventOf,
  fails,
  floods,
  repeats,
  says,
} from '../../harness/model-server.ts'
import { noAbort, read, request, useModels } from './models-support.ts'

const suite = useModels()

const Notes = Type.Object({ notes: Type.Array(Type.String()) })

const pieces = (text: string, size: number) =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  )

const noteTool = (run: (text: string) => void): ModelTool[] => [
  {
    name: 'note',
    description: 'Notes.',
    input: Type.Object({ text: Type.String() }),
    run: async (input) => run((input as { text: string }).text),
  },
]

describe('an answer within the limits is read whole', () => {
  test('JSON of 100,000 characters in pieces of three is read in linear time', async () => {
    const notes = Array.from({ length: 1_000 }, (_, i) => `${i} `.padEnd(97, 'tea '))
    suite.server.next(says(pieces(JSON.stringify({ notes }), 3)))
    const { value } = await suite.create().object(Notes, request(), noAbort())
    expect(value).toEqual({ notes })
  }, 30_000)

  test('a text just below the limit stays whole', async () => {
    const text = 'And so on. '.repeat(50_000).slice(0, budgets.modelAnswer.characters)
    suite.server.next(says(pieces(text, 1_000)))
    const answer = await read(suite.create().stream(request(), noAbort()))
    expect(answer.text === text).toBe(true)
    expect(answer.events.at(-1)).toMatchObject({ reason: 'stop' })
  })

  test('reasoning of 60,000 characters in the text is removed', async () => {
    suite.server.next(says(['<think>', ...pieces('so '.repeat(20_000), 4), '</think>', 'Tea.']))
    expect(await read(suite.create().stream(request(), noAbort()))).toMatchObject({ text: 'Tea.' })
  })
})

const call = (argument: string) =>
  eventOf({
    tool_calls: [
      { index: 0, id: 'call', type: 'function', function: { name: 'note', arguments: argument } },
    ],
  })

describe('an endless response ends with a failure', () => {
  const endless: Record<string, Behaviour> = {
    'reasoning in a field': floods(eventOf({ reasoning: 'so on and '.repeat(100) })),
    'reasoning in the text': floods(eventOf({ content: '<think> so on and '.repeat(50) })),
    'tool arguments': floods(call('{"text":"and so on')),
    'a line': floods('data: {"choices": ['.repeat(100)),
    'a line of carriage returns': floods('\r'.repeat(10_000)),
    comments: floods(': still working\n\n'.repeat(1_000)),
    'empty events': floods(`data: ${JSON.stringify({ choices: [] })}\n\n`.repeat(100)),
  }
  for (const provider of ['openai', 'openrouter'] as const)
    for (const [what, behaviour] of Object.entries(endless))
      test(`${what} without an end from ${provider}`, async () => {
        suite.server.next(behaviour)
        const tools = noteTool(() => {
          throw new Error('the call is incomplete')
        })
        const models = suite.create({ providers: [provider] })
        const { text, error } = await read(models.stream(request({ tools }), noAbort()))
        expect([text, error]).toMatchObject(['', { kind: 'too_long', details: { provider } }])
        await suite.server.calls[0]?.disconnected
        expect(models.states()).toMatchObject([{ state: 'closed' }])
      })

  test('a text without an end is kept up to the limit', async () => {
    suite.server.next(repeats('And so on. '.repeat(1_000)))
    const { text, events } = await read(suite.create().stream(request(), noAbort()))
    expect(text.length).toBeGreaterThanOrEqual(budgets.modelAnswer.characters)
    expect(events.at(-1)).toMatchObject({ reason: 'length', usage: { estimated: true } })
    await suite.server.calls[0]?.disconnected
  })

  test('an error response without an end is reported by its status', async () => {
    suite.server.next(floods('{"error": '.repeat(1_000), { status: 400, type: 'application/json' }))
    const { error } = await read(suite.create().stream(request(), noAbort()))
    expect(error).toMatchObject({ kind: 'refused', details: { status: 400 } })
    await suite.server.calls[0]?.disconnected
  })

  test('JSON without an end is not requested again', async () => {
    suite.server.next(floods(eventOf({ content: '{"notes":["and so on' })))
    const answer = suite.create().object(Notes, request(), noAbort())
    await expect(answer).rejects.toMatchObject({ kind: 'too_long' })
    expect(suite.server.calls).toHaveLength(1)
  })

  test('a model that is too long is followed by the next one', async () => {
    suite.server.next(floods(eventOf({ reasoning: 'so on and '.repeat(100) })), says('Tea.'))
    const models = suite.create({ providers: ['openai', 'ollama'] })
    expect(await read(models.stream(request(), noAbort()))).toMatchObject({
      text: 'Tea.',
      who: 'ollama',
    })
  })
})

test('32 of a hundred tool calls in one completion run, and the model answers', async () => {
  suite.server.next(
    calls(
      ...Array.from({ length: 100 }, (_, i) => ['note', { text: `${i}` }] as [string, unknown]),
    ),
    says('Noted.'),
  )
  const noted: string[] = []
  const tools = noteTool((text) => noted.push(text))
  const { text, events } = await read(suite.create().stream(request({ tools }), noAbort()))
  expect(noted).toHaveLength(budgets.modelToolCalls.count)
  expect(text).toBe('Noted.')
  const states = events.flatMap((event) => (event.type === 'tool' ? [event.state] : []))
  expect(states.filter((state) => state === 'failed')).toHaveLength(
    100 - budgets.modelToolCalls.count,
  )
})

test('a response is requested without compression, and a compressed one is refused', async () => {
  suite.server.always((response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    response.end(gzipSync(eventOf({ content: 'Hello.' })))
  })
  const { error } = await read(suite.create().stream(request(), noAbort()))
  expect(error).toMatchObject({ kind: 'malformed' })
  expect(suite.server.calls[0]?.headers['accept-encoding']).toBe('identity')
})

describe('the limit of tokens', () => {
  const limits = () => suite.server.calls.map(({ body }) => body.max_tokens)

  test('every request has one, which fits into the window', async () => {
    const models = suite.create({ contextTokens: 100_000 })
    await read(models.stream(request(), noAbort()))
    await read(models.stream(request({ maxOutputTokens: 200 }), noAbort()))
    const content = 'word '.repeat(58_000)
    await read(models.stream(request({ messages: [{ role: 'user', content }] }), noAbort()))
    const [usual, wanted, left] = limits()
    expect([usual, wanted]).toEqual([budgets.modelTokens.count, 200])
    expect(left).toBeLessThan(4_000)
  })

  for (const message of [
    "Unsupported parameter: 'max_tokens' is not supported with this model.",
    'max_tokens is too large: 16384. This model supports at most 4096 completion tokens.',
  ])
    test(`a request is repeated without a limit that the server refuses: ${message}`, async () => {
      suite.server.next(fails(400, {}, message), says('{"notes":[]}'))
      const { value } = await suite.create().object(Notes, request(), noAbort())
      expect(value).toEqual({ notes: [] })
      expect(limits()).toEqual([1_024, undefined])
      expect(suite.server.calls[1]?.body.response_format).toBeDefined()
    })
})
