import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { ModelTool } from '../../../server/platform/models/types.ts'
import { calls, fails, onlyComments, repeats, says, stalls } from '../../harness/model-server.ts'
import { local, noAbort, read, request, useModels } from './models-support.ts'

const suite = useModels()

describe('the time limits of a model', () => {
  test('a model that does not begin in time is aborted, and the next one answers', async () => {
    suite.server.always((response, call) =>
      (call.body.model === 'ollama-model' ? says('I was quicker.') : stalls())(response, call),
    )
    const models = suite.create({
      providers: ['openai', 'ollama'],
      timeouts: { firstTokenMs: 300 },
    })
    const answer = await read(models.stream(request(), noAbort()))
    expect(answer).toMatchObject({ text: 'I was quicker.', who: 'ollama' })
    await suite.server.calls.find(({ body }) => body.model === 'openai-model')?.disconnected
    expect(suite.logged('model failed')).toMatchObject([{ provider: 'openai', kind: 'timeout' }])
  })

  test('a model that does not begin in time is aborted although it sends keep-alive comments', async () => {
    suite.server.next(onlyComments)
    const models = suite.create({ timeouts: { firstTokenMs: 300 } })
    expect(await read(models.stream(request({ local }), noAbort()))).toMatchObject({
      who: 'local',
    })
    await suite.server.calls[0]?.disconnected
  })

  test('a model that pauses too long is aborted, and its text is kept', async () => {
    suite.server.next(stalls('Half an'))
    const models = suite.create({ timeouts: { betweenTokensMs: 1_000 } })
    const { text, error } = await read(models.stream(request({ local }), noAbort()))
    expect(text).toBe('Half an')
    expect(error).toMatchObject({ kind: 'timeout', details: { provider: 'openai' } })
    await suite.server.calls[0]?.disconnected
  })

  test('a model that never ends its answer is stopped', async () => {
    suite.server.next(repeats('And so on. '))
    const models = suite.create({ timeouts: { totalMs: 200 } })
    const { error } = await read(models.stream(request(), noAbort()))
    expect(error).toMatchObject({ kind: 'timeout' })
    await suite.server.calls[0]?.disconnected
  })

  test('a slow reader does not count against the model', async () => {
    suite.server.next(says(['One ', 'two ', 'three.']))
    const models = suite.create({ timeouts: { betweenTokensMs: 1_000 } })
    const { text, error } = await read(models.stream(request(), noAbort()), async ({ type }) => {
      if (type === 'text') await Bun.sleep(1_200)
    })
    expect({ text, error }).toEqual({ text: 'One two three.', error: undefined })
  })

  test('a tool call does not count against the model, but has a time limit of its own', async () => {
    const slow = (run: ModelTool['run']): ModelTool[] => [
      { name: 'wait', description: 'Waits.', input: Type.Object({}), run },
    ]
    suite.server.next(calls(['wait', {}]), says('Waited.'))
    const short = { firstTokenMs: 2_000, betweenTokensMs: 2_000 }
    const models = suite.create({ timeouts: short })
    const tools = slow(() => Bun.sleep(2_300))
    expect(await read(models.stream(request({ tools }), noAbort()))).toMatchObject({
      text: 'Waited.',
    })

    suite.server.next(calls(['wait', {}]))
    const shortTimeout = suite.create({ timeouts: { toolMs: 50 } })
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    const endless = slow((_, signal) => {
      signal.addEventListener('abort', () => resolve())
      return new Promise(() => {})
    })
    const { error } = await read(shortTimeout.stream(request({ tools: endless }), noAbort()))
    expect(error).toMatchObject({ kind: 'timeout' })
    await stopped
  })
})

describe('a caller that disconnects', () => {
  test('a disconnect before the first word ends the request, and no other model is called', async () => {
    suite.server.next(stalls())
    const caller = new AbortController()
    const models = suite.create({ providers: ['openai', 'ollama'] })
    const answer = read(models.stream(request({ local }), caller.signal))
    const call = await suite.server.nextCall()
    caller.abort(new Error('gone'))
    await call.disconnected
    expect(await answer).toMatchObject({ events: [], error: new Error('gone') })
    expect(suite.server.calls).toHaveLength(1)
    expect(suite.logged('model failed')).toEqual([])
  })

  for (const provider of ['openai', 'openrouter'] as const) {
    test(`a disconnect within the answer ends the request to ${provider}`, async () => {
      suite.server.next(stalls('Half an'))
      const caller = new AbortController()
      const models = suite.create({ providers: [provider] })
      const answer = await read(models.stream(request({ local }), caller.signal), ({ type }) => {
        if (type === 'text') caller.abort(new Error('gone'))
      })
      expect(answer).toMatchObject({ text: 'Half an', error: new Error('gone') })
      await suite.server.calls[0]?.disconnected
    })

    test(`a caller that stops reading ends the request to ${provider}`, async () => {
      suite.server.next(stalls('Half an'))
      const models = suite.create({ providers: [provider] })
      const isText = ({ type }: { type: string }) => type === 'text'
      const answer = await read(models.stream(request(), noAbort()), isText)
      expect(answer).toMatchObject({ text: 'Half an', error: undefined })
      await suite.server.calls[0]?.disconnected
    })
  }

  test('a disconnect during the pause before a retry cancels the retry', async () => {
    suite.server.next(fails(503))
    const caller = new AbortController()
    const models = suite.create({ retry: { pauseMs: 60_000, maxPauseMs: 60_000 } })
    const answer = read(models.stream(request({ local }), caller.signal))
    await suite.server.nextCall()
    caller.abort(new Error('gone'))
    expect(await answer).toMatchObject({ events: [], error: new Error('gone') })
    expect(suite.server.calls).toHaveLength(1)
  })

  test('a disconnect while a tool runs stops the tool', async () => {
    suite.server.next(calls(['wait', {}]))
    const caller = new AbortController()
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    const tools: ModelTool[] = [
      {
        name: 'wait',
        description: 'Waits.',
        input: Type.Object({}),
        run(_, signal) {
          signal.addEventListener('abort', () => resolve())
          caller.abort(new Error('gone'))
          return new Promise(() => {})
        },
      },
    ]
    const { error } = await read(suite.create().stream(request({ tools }), caller.signal))
    await stopped
    expect(error).toEqual(new Error('gone'))
  })

  test('a signal that is already aborted calls no model', async () => {
    const aborted = AbortSignal.abort(new Error('gone'))
    const models = suite.create()
    for (const router of [models, suite.create({ providers: [] })])
      expect(await read(router.stream(request({ local }), aborted))).toMatchObject({
        events: [],
        error: new Error('gone'),
      })
    await expect(models.generate(request({ local }), aborted)).rejects.toThrow('gone')
    expect(suite.server.calls).toEqual([])
  })

  test('a disconnect stops an answer of local', async () => {
    const caller = new AbortController()
    const endless = function* () {
      while (true) yield 'And so on. '
    }
    const { text, error } = await read(
      suite.create({ providers: [] }).stream(request({ local: endless }), caller.signal),
      ({ type }) => type === 'text' && caller.abort(new Error('gone')),
    )
    expect({ text, error }).toEqual({ text: 'And so on. ', error: new Error('gone') })
  })
})
