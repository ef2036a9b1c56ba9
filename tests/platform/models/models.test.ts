import { describe, expect, test } from 'bun:test'
import { ModelFailure, modelFailureAnswer } from '../../../server/platform/models/failure.ts'
import { PROVIDERS } from '../../../server/platform/models/types.ts'
import {
  answers,
  type Behaviour,
  breaksOff,
  endsEarly,
  fails,
  hangsUp,
  says,
  sendsRaw,
} from '../../harness/model-server.ts'
import {
  deadUrl,
  KEY,
  local,
  noAbort,
  PRIVATE,
  read,
  request,
  useModels,
} from './models-support.ts'

const suite = useModels()

describe('an answer', () => {
  for (const provider of PROVIDERS)
    test(`${provider} streams an answer piece by piece, with its provider, model and usage`, async () => {
      suite.server.next(says(['Hel', 'lo.'], { prompt_tokens: 40, completion_tokens: 2 }))
      const models = suite.create({ providers: [provider] })
      expect((await read(models.stream(request(), noAbort()))).events).toEqual([
        { type: 'start', provider, model: `${provider}-model` },
        { type: 'text', text: 'Hel' },
        { type: 'text', text: 'lo.' },
        {
          type: 'finish',
          reason: 'stop',
          usage: { input_tokens: 40, output_tokens: 2, estimated: false },
        },
      ])
      const [line] = suite.logged('model answered')
      expect(line).toMatchObject({ provider, model: `${provider}-model`, input_tokens: 40 })
    })

  test('a request contains the model, the key, the system prompt and the earlier messages', async () => {
    const models = suite.create()
    const messages = [
      { role: 'user', content: 'Where is the key?' },
      { role: 'assistant', content: 'Under the pot.' },
      { role: 'user', content: 'Which pot?' },
    ] as const
    const input = { system: 'Be brief.', messages: [...messages], temperature: 0.5 }
    await read(models.stream({ ...input, maxOutputTokens: 100 }, noAbort()))
    const [call] = suite.server.calls
    expect(call?.headers.authorization).toBe(`Bearer ${KEY}`)
    expect(call?.body).toMatchObject({
      model: 'openai-model',
      stream: true,
      temperature: 0.5,
      max_tokens: 100,
      messages: [{ role: 'system', content: 'Be brief.' }, ...messages],
    })
  })

  for (const provider of PROVIDERS)
    test(`a request to ${provider} contains the images themselves`, async () => {
      const models = suite.create({ providers: [provider] })
      const content = [
        { type: 'text', text: 'What is this?' } as const,
        { type: 'image', data: new Uint8Array([1, 2, 3]), mediaType: 'image/png' } as const,
      ]
      await read(models.stream(request({ messages: [{ role: 'user', content }] }), noAbort()))
      expect(suite.server.calls[0]?.body.messages.at(-1).content).toMatchObject([
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } },
      ])
    })

  test('an answer leaves out the reasoning of the model, also where the server does not separate it', async () => {
    suite.server.next(says(['<thi', 'nk>Tea', ' or coffee?</think>\n', '\n', 'Tea.']))
    const { events, text } = await read(suite.create().stream(request(), noAbort()))
    expect(text).toBe('Tea.')
    expect(events.filter(({ type }) => type === 'text')).toHaveLength(1)
  })

  test('usage is estimated where the server reports none', async () => {
    suite.server.next(says('abcdef', null))
    const { events } = await read(suite.create().stream(request(), noAbort()))
    const usage = { input_tokens: expect.any(Number), output_tokens: 2, estimated: true }
    expect(events.at(-1)).toMatchObject({ type: 'finish', usage })
  })

  test('a complete answer has the same text as the streamed one', async () => {
    suite.server.next(says(['Hel', 'lo.']))
    expect(await suite.create().generate(request(), noAbort())).toEqual({
      provider: 'openai',
      model: 'openai-model',
      text: 'Hello.',
      reason: 'stop',
      usage: { input_tokens: 11, output_tokens: 7, estimated: false },
    })
  })
})

describe('the choice of a provider', () => {
  const answeredBy = async (
    configured: (typeof PROVIDERS)[number][],
    provider: string | undefined,
  ): Promise<string> => {
    const models = suite.create({ providers: configured })
    const { events, text } = await read(models.stream(request({ provider, local }), noAbort()))
    const start = events.find(({ type }) => type === 'start')
    if (start?.type !== 'start') throw new Error('no provider answered')
    return start.provider === 'local' ? text : (start.model ?? '')
  }

  test('the requested provider answers', async () => {
    for (const provider of PROVIDERS)
      expect(await answeredBy([...PROVIDERS], provider)).toBe(`${provider}-model`)
    expect(await answeredBy([...PROVIDERS], 'openai-compatible')).toBe('openai-model')
  })

  test('the first configured provider answers for an unconfigured, absent or unknown provider', async () => {
    expect(await answeredBy(['ollama'], 'openrouter')).toBe('ollama-model')
    expect(await answeredBy(['ollama', 'openai'], 'openrouter')).toBe('openai-model')
    expect(await answeredBy(['ollama', 'openai'], undefined)).toBe('openai-model')
    expect(await answeredBy(['ollama', 'openrouter'], 'constructor')).toBe('openrouter-model')
  })

  test('local answers where no provider is configured', async () => {
    expect(await answeredBy([], 'openrouter')).toBe('No model: unconfigured.')
    expect(suite.server.calls).toEqual([])
  })

  test('local answers when it is requested, and costs nothing', async () => {
    expect(await answeredBy([...PROVIDERS], 'local')).toBe('No model: requested.')
    expect(suite.server.calls).toEqual([])
    const answer = await suite.create().generate(request({ provider: 'local', local }), noAbort())
    expect(answer).toMatchObject({ provider: 'local', model: null })
    expect(answer.usage).toEqual({ input_tokens: 0, output_tokens: 0, estimated: false })
  })
})

describe('a provider that fails before its first word', () => {
  const failing: Record<string, { behaviour: Behaviour; kind: string }> = {
    'answers 500': { behaviour: fails(500, {}, PRIVATE), kind: 'unreachable' },
    'answers 504': { behaviour: fails(504), kind: 'timeout' },
    'refuses the key': { behaviour: fails(401, {}, `bad key ${KEY}`), kind: 'refused' },
    'refuses the prompt': { behaviour: fails(400, {}, `too long: ${PRIVATE}`), kind: 'refused' },
    'is rate limited': { behaviour: fails(429, { 'retry-after': '60' }), kind: 'rate_limited' },
    'hangs up': { behaviour: hangsUp, kind: 'unreachable' },
    'ends at once': { behaviour: endsEarly([]), kind: 'malformed' },
    'sends half of a JSON': { behaviour: sendsRaw([`{"${PRIVATE}`]), kind: 'malformed' },
    'sends another JSON': { behaviour: sendsRaw(['{"choices":7}']), kind: 'malformed' },
    'sends an error': {
      behaviour: sendsRaw([JSON.stringify({ error: { message: PRIVATE, code: 502 } })]),
      kind: 'unreachable',
    },
    'answers no stream': { behaviour: answers(`{"text":"${PRIVATE}"}`), kind: 'malformed' },
    'answers a page': { behaviour: answers('<html>', 'text/html'), kind: 'malformed' },
    'says nothing': { behaviour: says(''), kind: 'empty' },
  }
  for (const provider of ['openrouter', 'openai'] as const)
    for (const [what, { behaviour, kind }] of Object.entries(failing))
      test(`${provider} ${what}: the next one answers`, async () => {
        const models = suite.create({ providers: [provider, 'ollama'] })
        suite.server.always((response, call) =>
          (call.body.model === 'ollama-model' ? says('I stand in.') : behaviour)(response, call),
        )
        const { text, who, events } = await read(models.stream(request({ provider }), noAbort()))
        expect({ text, who }).toEqual({ text: 'I stand in.', who: 'ollama' })
        expect(events.filter(({ type }) => type === 'start')).toHaveLength(1)
        expect(suite.logged('model failed')).toMatchObject([{ provider, kind }])
      })

  test('an unreachable provider is followed by the next one', async () => {
    const models = suite.create({
      providers: ['openai', 'ollama'],
      urls: { openai: await deadUrl() },
    })
    expect(await read(models.stream(request(), noAbort()))).toMatchObject({ who: 'ollama' })
    expect(suite.logged('model failed')).toMatchObject([{ kind: 'unreachable' }])
  })

  test('the last failing provider is followed by local', async () => {
    suite.server.always(fails(500))
    const models = suite.create({ providers: ['openai', 'ollama'] })
    const { text } = await read(models.stream(request({ local }), noAbort()))
    expect(text).toBe('No model: failed.')
  })

  test('a failure without a fallback is reported without the text of the provider', async () => {
    suite.server.always(fails(401, {}, `${KEY} ${PRIVATE}`))
    const models = suite.create({ providers: ['openai', 'ollama'], fallsBackToLocal: false })
    const { events, error } = await read(models.stream(request({ local }), noAbort()))
    expect(events).toEqual([])
    expect(error).toBeInstanceOf(ModelFailure)
    expect(error).toMatchObject({ kind: 'refused', details: { provider: 'openai', status: 401 } })
    expect(Bun.inspect(error)).not.toMatch(new RegExp(`${KEY}|${PRIVATE}`))
  })

  test('a failure of a complete answer is followed by the next provider', async () => {
    suite.server.next(fails(401))
    const models = suite.create({ providers: ['openai', 'ollama'] })
    expect(await models.generate(request(), noAbort())).toMatchObject({ provider: 'ollama' })
  })
})

describe('an answer that breaks off', () => {
  const read1 = (behaviour: (after: Promise<void>) => Behaviour) => {
    const firstText = Promise.withResolvers<void>()
    suite.server.next(behaviour(firstText.promise))
    const models = suite.create({ providers: ['openai', 'ollama'] })
    return read(models.stream(request({ local }), noAbort()), ({ type }) => {
      if (type === 'text') firstText.resolve()
    })
  }
  const breaking: Record<string, (after: Promise<void>) => Behaviour> = {
    'because its connection drops': (after) => breaksOff('Half an', after),
    'without a reason': () => endsEarly('Half an'),
    'in a broken event': () => sendsRaw([`{"${PRIVATE}`], 'Half an'),
    'with an error': () => sendsRaw([JSON.stringify({ error: { message: PRIVATE } })], 'Half an'),
  }
  for (const [how, behaviour] of Object.entries(breaking))
    test(`an answer that breaks off ${how} is not continued by another provider`, async () => {
      const { text, who, events, error } = await read1(behaviour)
      expect({ text, who }).toEqual({ text: 'Half an', who: 'openai' })
      expect(error).toBeInstanceOf(ModelFailure)
      expect(events.some(({ type }) => type === 'finish')).toBe(false)
      expect(suite.server.calls).toHaveLength(1)
    })

  test('an answer of OpenRouter that breaks off is an error, although the SDK reports an end', async () => {
    suite.server.next(endsEarly('Half an'))
    const models = suite.create({ providers: ['openrouter'] })
    const { text, error } = await read(models.stream(request(), noAbort()))
    expect(text).toBe('Half an')
    expect(error).toMatchObject({ kind: 'malformed' })
  })

  test('a complete answer that breaks off is dropped, and the next provider answers', async () => {
    suite.server.next(endsEarly('Half an'), says('A whole one.'))
    const models = suite.create({ providers: ['openai', 'ollama'] })
    expect(await models.generate(request({ local }), noAbort())).toMatchObject({
      provider: 'ollama',
      text: 'A whole one.',
    })
    suite.server.next(endsEarly('Half an'), endsEarly('Half an'))
    expect(await models.generate(request({ local }), noAbort())).toMatchObject({
      provider: 'local',
      text: 'No model: failed.',
    })
  })
})

describe('a retry', () => {
  const good = async (first: Behaviour) => {
    suite.server.next(first, says('Now it works.'))
    const { text } = await read(suite.create().stream(request(), noAbort()))
    expect(text).toBe('Now it works.')
    expect(suite.server.calls).toHaveLength(2)
    expect(suite.server.calls[1]?.body).toEqual(suite.server.calls[0]?.body)
    expect(suite.logged('model failed')).toEqual([])
  }
  test('a 500 is retried', () => good(fails(500)))
  test('a dropped connection is retried', () => good(hangsUp))
  test('a 429 is retried after the pause of its Retry-After', () =>
    good(fails(429, { 'retry-after': '0' })))
  test('a 503 with a Retry-After date in the past is retried', () =>
    good(fails(503, { 'retry-after': new Date(0).toUTCString() })))

  const single = async (first: Behaviour) => {
    suite.server.next(first, says('Too late.'))
    const { error } = await read(suite.create().stream(request(), noAbort()))
    expect(suite.server.calls).toHaveLength(1)
    return error
  }
  test('a refusal is not retried', async () => {
    expect(await single(fails(401))).toMatchObject({ kind: 'refused' })
  })
  test('a long Retry-After is reported instead of awaited', async () => {
    const error = await single(fails(429, { 'retry-after': '120' }))
    expect(error).toMatchObject({ kind: 'rate_limited', details: { retryAfterSeconds: 120 } })
    const answer = modelFailureAnswer(error as ModelFailure)
    expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '120' } })
  })
  test('a failed retry is not retried again', async () => {
    suite.server.next(fails(500), fails(500), says('Too late.'))
    const { error } = await read(suite.create().stream(request(), noAbort()))
    expect(error).toMatchObject({ kind: 'unreachable', details: { status: 500 } })
    expect(suite.server.calls).toHaveLength(2)
  })
})

test('each kind of failure has its own error response', () => {
  const statuses = (
    [
      'timeout',
      'unreachable',
      'refused',
      'rate_limited',
      'malformed',
      'empty',
      'unavailable',
    ] as const
  ).map((kind) => modelFailureAnswer(new ModelFailure(kind)).status)
  expect(statuses).toEqual([504, 502, 502, 503, 502, 502, 503])
})
