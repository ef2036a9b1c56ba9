import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import type { ModelTool } from '../../server/platform/models/types.ts'
import { calls, fails, onlyComments, repeats, says, stalls } from '../harness/model-server.ts'
import { local, patient, read, request, useModels } from './models-support.ts'

const suite = useModels()

describe('a model that takes too long', () => {
  test('to begin is left, and the next one answers', async () => {
    suite.server.always((response, call) =>
      (call.body.model === 'ollama-model' ? says('I was quicker.') : stalls())(response, call),
    )
    const models = suite.create({
      providers: ['openai', 'ollama'],
      patience: { firstTokenMs: 300 },
    })
    const answer = await read(models.stream(request(), patient()))
    expect(answer).toMatchObject({ text: 'I was quicker.', who: 'ollama' })
    await suite.server.calls.find(({ body }) => body.model === 'openai-model')?.left
    expect(suite.logged('model failed')).toMatchObject([{ provider: 'openai', kind: 'timeout' }])
  })

  test('to begin is left, also when it keeps the connection alive', async () => {
    suite.server.next(onlyComments)
    const models = suite.create({ patience: { firstTokenMs: 300 } })
    expect(await read(models.stream(request({ local }), patient()))).toMatchObject({
      who: 'local',
    })
    await suite.server.calls[0]?.left
  })

  test('to go on is left, and what it said is kept', async () => {
    suite.server.next(stalls('Half an'))
    const models = suite.create({ patience: { betweenTokensMs: 1_000 } })
    const { text, error } = await read(models.stream(request({ local }), patient()))
    expect(text).toBe('Half an')
    expect(error).toMatchObject({ kind: 'timeout', details: { provider: 'openai' } })
    await suite.server.calls[0]?.left
  })

  test('because it never comes to an end is stopped', async () => {
    suite.server.next(repeats('And so on. '.repeat(1_000)))
    const { text, events } = await read(suite.create().stream(request(), patient()))
    expect(text.length).toBeGreaterThan(500_000)
    expect(events.at(-1)).toMatchObject({ reason: 'length', usage: { estimated: true } })
    await suite.server.calls[0]?.left

    suite.server.next(repeats('And so on. '))
    const models = suite.create({ patience: { totalMs: 200 } })
    const { error } = await read(models.stream(request(), patient()))
    expect(error).toMatchObject({ kind: 'timeout' })
    await suite.server.calls[1]?.left
  })

  test('is not one whose reader takes long', async () => {
    suite.server.next(says(['One ', 'two ', 'three.']))
    const models = suite.create({ patience: { betweenTokensMs: 1_000 } })
    const { text, error } = await read(models.stream(request(), patient()), async ({ type }) => {
      if (type === 'text') await Bun.sleep(1_200)
    })
    expect({ text, error }).toEqual({ text: 'One two three.', error: undefined })
  })

  test('is not one that waits for a tool, but a tool may take too long as well', async () => {
    const slow = (run: ModelTool['run']): ModelTool[] => [
      { name: 'wait', description: 'Waits.', input: Type.Object({}), run },
    ]
    suite.server.next(calls(['wait', {}]), says('Waited.'))
    const short = { firstTokenMs: 2_000, betweenTokensMs: 2_000 }
    const models = suite.create({ patience: short })
    const tools = slow(() => Bun.sleep(2_300))
    expect(await read(models.stream(request({ tools }), patient()))).toMatchObject({
      text: 'Waited.',
    })

    suite.server.next(calls(['wait', {}]))
    const hasty = suite.create({ patience: { toolMs: 50 } })
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    const endless = slow((_, signal) => {
      signal.addEventListener('abort', () => resolve())
      return new Promise(() => {})
    })
    const { error } = await read(hasty.stream(request({ tools: endless }), patient()))
    expect(error).toMatchObject({ kind: 'timeout' })
    await stopped
  })
})

describe('an asker who leaves', () => {
  test('before the first word ends the request, and nobody else is asked', async () => {
    suite.server.next(stalls())
    const asker = new AbortController()
    const models = suite.create({ providers: ['openai', 'ollama'] })
    const answer = read(models.stream(request({ local }), asker.signal))
    const call = await suite.server.nextCall()
    asker.abort(new Error('gone'))
    await call.left
    expect(await answer).toMatchObject({ events: [], error: new Error('gone') })
    expect(suite.server.calls).toHaveLength(1)
    expect(suite.logged('model failed')).toEqual([])
  })

  for (const provider of ['openai', 'openrouter'] as const) {
    test(`in the middle ends the request to ${provider}`, async () => {
      suite.server.next(stalls('Half an'))
      const asker = new AbortController()
      const models = suite.create({ providers: [provider] })
      const answer = await read(models.stream(request({ local }), asker.signal), ({ type }) => {
        if (type === 'text') asker.abort(new Error('gone'))
      })
      expect(answer).toMatchObject({ text: 'Half an', error: new Error('gone') })
      await suite.server.calls[0]?.left
    })

    test(`by reading no further ends the request to ${provider}`, async () => {
      suite.server.next(stalls('Half an'))
      const models = suite.create({ providers: [provider] })
      const isText = ({ type }: { type: string }) => type === 'text'
      const answer = await read(models.stream(request(), patient()), isText)
      expect(answer).toMatchObject({ text: 'Half an', error: undefined })
      await suite.server.calls[0]?.left
    })
  }

  test('during the pause before a second try is not kept', async () => {
    suite.server.next(fails(503))
    const asker = new AbortController()
    const models = suite.create({ retry: { pauseMs: 60_000, maxPauseMs: 60_000 } })
    const answer = read(models.stream(request({ local }), asker.signal))
    await suite.server.nextCall()
    asker.abort(new Error('gone'))
    expect(await answer).toMatchObject({ events: [], error: new Error('gone') })
    expect(suite.server.calls).toHaveLength(1)
  })

  test('while a tool runs stops the tool', async () => {
    suite.server.next(calls(['wait', {}]))
    const asker = new AbortController()
    const { promise: stopped, resolve } = Promise.withResolvers<void>()
    const tools: ModelTool[] = [
      {
        name: 'wait',
        description: 'Waits.',
        input: Type.Object({}),
        run(_, signal) {
          signal.addEventListener('abort', () => resolve())
          asker.abort(new Error('gone'))
          return new Promise(() => {})
        },
      },
    ]
    const { error } = await read(suite.create().stream(request({ tools }), asker.signal))
    await stopped
    expect(error).toEqual(new Error('gone'))
  })

  test('before asking asks nobody', async () => {
    const gone = AbortSignal.abort(new Error('gone'))
    const models = suite.create()
    for (const asked of [models, suite.create({ providers: [] })])
      expect(await read(asked.stream(request({ local }), gone))).toMatchObject({
        events: [],
        error: new Error('gone'),
      })
    await expect(models.generate(request({ local }), gone)).rejects.toThrow('gone')
    expect(suite.server.calls).toEqual([])
  })

  test('while local answers stops it', async () => {
    const asker = new AbortController()
    const endless = function* () {
      while (true) yield 'And so on. '
    }
    const { text, error } = await read(
      suite.create({ providers: [] }).stream(request({ local: endless }), asker.signal),
      ({ type }) => type === 'text' && asker.abort(new Error('gone')),
    )
    expect({ text, error }).toEqual({ text: 'And so on. ', error: new Error('gone') })
  })
})
