import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { ModelTool } from '../../../server/platform/models/types.ts'
import {
  type Behaviour,
  calls,
  endsEarly,
  fails,
  type ModelCall,
  says,
  saysAndCalls,
} from '../../harness/model-server.ts'
import { local, noAbort, read, request, useModels } from './models-support.ts'

const suite = useModels()

const Sum = Type.Object({ a: Type.Integer(), b: Type.Integer({ default: 1 }) })

/** A tool that adds, with the inputs it received. */
const adder = () => {
  const inputs: unknown[] = []
  const tool: ModelTool<typeof Sum> = {
    name: 'add',
    description: 'Adds two numbers.',
    input: Sum,
    async run(input) {
      inputs.push(input)
      if (input.a < 0) throw new Error('a must not be negative')
      return { sum: input.a + input.b }
    },
  }
  return { tools: [tool as ModelTool], inputs }
}

/** A schema without TypeBox's symbols. */
const asSent = (schema: unknown) => JSON.parse(JSON.stringify(schema))

/** The last message that the model received, with its role. */
const lastMessage = (call: ModelCall | undefined) => call?.body.messages.at(-1)

describe('a tool', () => {
  for (const provider of ['openai', 'openrouter'] as const)
    test(`a tool is offered to a model of ${provider}, runs, and its result reaches the model`, async () => {
      const { tools, inputs } = adder()
      suite.server.next(calls(['add', { a: 2, b: 3 }]), says('It is 5.'))
      const models = suite.create({ providers: [provider] })
      const { events } = await read(models.stream(request({ tools }), noAbort()))
      const call = { type: 'tool', id: 'call_0_add', name: 'add', input: { a: 2, b: 3 } }
      expect(events).toEqual([
        { type: 'start', provider, model: `${provider}-model` },
        { ...call, state: 'running' },
        { ...call, state: 'done', output: { sum: 5 } },
        { type: 'text', text: 'It is 5.' },
        {
          type: 'finish',
          reason: 'stop',
          usage: { input_tokens: 22, output_tokens: 14, estimated: false },
        },
      ] as typeof events)
      expect(inputs).toEqual([{ a: 2, b: 3 }])
      const [first, second] = suite.server.calls
      expect(first?.body.tools).toMatchObject([
        { function: { name: 'add', description: 'Adds two numbers.', parameters: asSent(Sum) } },
      ])
      expect(lastMessage(second)).toMatchObject({ role: 'tool', content: '{"sum":5}' })
    })

  test('a tool receives its input converted to its schema', async () => {
    const { tools, inputs } = adder()
    suite.server.next(calls(['add', { a: '2', unknown: true }]), says('It is 3.'))
    await read(suite.create().stream(request({ tools }), noAbort()))
    expect(inputs).toEqual([{ a: 2, b: 1 }])
  })

  const mistakes: Record<string, { made: [string, unknown]; expected: RegExp; runs: number }> = {
    'a wrong input': { made: ['add', { a: 'two' }], expected: /\/a: Expected integer/, runs: 0 },
    'half of the input': { made: ['add', '{"a":'], expected: /JSON/, runs: 0 },
    'an unknown tool': { made: ['subtract', {}], expected: /subtract/, runs: 0 },
    'a failure of the tool': {
      made: ['add', { a: -1 }],
      expected: /must not be negative/,
      runs: 1,
    },
  }
  for (const [what, { made, expected, runs }] of Object.entries(mistakes))
    test(`a tool call that fails for ${what} is reported to the model, which continues`, async () => {
      const { tools, inputs } = adder()
      suite.server.next(calls(made), says('Never mind.'))
      const { events, text } = await read(suite.create().stream(request({ tools }), noAbort()))
      expect(text).toBe('Never mind.')
      const states = events.flatMap((event) => (event.type === 'tool' ? [event.state] : []))
      expect(states).toEqual(['running', 'failed'])
      expect(inputs).toHaveLength(runs)
      expect(lastMessage(suite.server.calls[1])).toMatchObject({ role: 'tool' })
      expect(lastMessage(suite.server.calls[1]).content).toMatch(expected)
    })

  test('two tool calls of one step run in parallel', async () => {
    const { tools } = adder()
    suite.server.next(calls(['add', { a: 1 }], ['add', { a: 2 }]), says('2 and 3.'))
    const { events } = await read(suite.create().stream(request({ tools }), noAbort()))
    const outputs = events.flatMap((event) =>
      event.type === 'tool' && event.state === 'done' ? [event.output] : [],
    )
    expect(outputs).toEqual([{ sum: 2 }, { sum: 3 }])
  })

  test('tool calls are limited: the last step must produce text', async () => {
    const { tools, inputs } = adder()
    suite.server.next(calls(['add', { a: 1 }]), calls(['add', { a: 2 }]), says('Enough.'))
    const limited = request({ tools, maxSteps: 3 })
    expect(await read(suite.create().stream(limited, noAbort()))).toMatchObject({ text: 'Enough.' })
    expect(inputs).toHaveLength(2)
    expect(suite.server.calls.map(({ body }) => body.tool_choice)).toEqual(['auto', 'auto', 'none'])
  })

  test('tool calls are limited also for a model that ignores tool_choice', async () => {
    const { tools, inputs } = adder()
    suite.server.always(calls(['add', { a: 1 }]))
    const { events } = await read(suite.create().stream(request({ tools, maxSteps: 3 }), noAbort()))
    expect(events.at(-1)).toMatchObject({ type: 'finish', reason: 'tool_calls' })
    expect(suite.server.calls).toHaveLength(3)
    expect(inputs.length).toBeLessThanOrEqual(3)
  })

  test('a tool that has run is not run again by another provider', async () => {
    const { tools, inputs } = adder()
    suite.server.next(calls(['add', { a: 1 }]))
    suite.server.always(fails(401))
    const models = suite.create({ providers: ['openai', 'ollama'] })
    const { error } = await read(models.stream(request({ tools, local }), noAbort()))
    expect(error).toMatchObject({ kind: 'refused', details: { provider: 'openai' } })

    suite.server.next(calls(['add', { a: 1 }]), endsEarly('Half an'))
    await expect(models.generate(request({ tools, local }), noAbort())).rejects.toMatchObject({
      kind: 'malformed',
    })
    expect(inputs).toHaveLength(2)
  })

  test('text after a tool call starts a new paragraph', async () => {
    const { tools } = adder()
    suite.server.next(saysAndCalls('Let me see.', ['add', { a: 1 }]), says(['It', ' is 2.']))
    const { text } = await read(suite.create().stream(request({ tools }), noAbort()))
    expect(text).toBe('Let me see.\n\nIt is 2.')
  })
})

describe('a model without support for tools or images', () => {
  const objecting =
    (status: number, objects: (body: ModelCall['body']) => boolean): Behaviour =>
    (response, call) =>
      (objects(call.body) ? fails(status) : says('Fine.'))(response, call)
  const picture = { type: 'image', data: new Uint8Array([1]), mediaType: 'image/png' } as const
  const seen = request({
    messages: [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, picture] }],
  })

  test('a model that refuses tools answers without them', async () => {
    suite.server.always(objecting(400, (body) => body.tools))
    const { text } = await read(suite.create().stream(request(adder()), noAbort()))
    expect(text).toBe('Fine.')
    expect(suite.server.calls).toHaveLength(2)
  })

  test('a model that refuses images receives a note in place of the image', async () => {
    const hasPicture = (body: ModelCall['body']) => JSON.stringify(body).includes('image_url')
    suite.server.always(objecting(404, hasPicture))
    const { text } = await read(suite.create().stream({ ...seen, ...adder() }, noAbort()))
    expect(text).toBe('Fine.')
    expect(JSON.stringify(lastMessage(suite.server.calls.at(-1)))).toContain(
      'picture that this model',
    )
  })

  test('a refusal after a tool has run is not retried without tools', async () => {
    suite.server.next(calls(['add', { a: 1 }]))
    suite.server.always(fails(400))
    const { error, events } = await read(suite.create().stream(request(adder()), noAbort()))
    expect(error).toMatchObject({ kind: 'refused' })
    expect(events).toHaveLength(3)
    expect(suite.server.calls).toHaveLength(2)
  })

  test('a refusal for another reason is not retried without tools or images', async () => {
    suite.server.always(fails(401))
    const models = suite.create()
    await read(models.stream({ ...seen, ...adder() }, noAbort()))
    expect(suite.server.calls).toHaveLength(1)
  })
})
