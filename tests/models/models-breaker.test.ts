import { describe, expect, test } from 'bun:test'
import type { Models } from '../../server/platform/models/types.ts'
import { modelParts } from '../../server/system/health/parts.ts'
import { createHealthService } from '../../server/system/health/service.ts'
import { type Behaviour, endsEarly, fails, says, stalls } from '../harness/model-server.ts'
import { request as http, startServer } from '../harness/server.ts'
import {
  KEY,
  local,
  type ModelsOptions,
  patient,
  read,
  request,
  useModels,
} from './models-support.ts'

const suite = useModels()

const FAILURES = 3

/** Asks as often as it takes to open a breaker. */
const askOften = async (models: Models) => {
  for (let time = 0; time < FAILURES; time++)
    await read(models.stream(request({ local }), patient()))
}

describe('a provider that fails again and again', () => {
  test('is left alone: those who ask go straight to the next', async () => {
    const models = suite.create({ providers: ['openrouter', 'ollama'] })
    suite.server.always((response, call) =>
      (call.body.model === 'ollama-model' ? says('I stand in.') : fails(401))(response, call),
    )
    await askOften(models)
    expect(models.states()).toEqual([
      { provider: 'openrouter', model: 'openrouter-model', state: 'open' },
      { provider: 'ollama', model: 'ollama-model', state: 'closed' },
    ])
    expect(suite.logged('model provider')).toMatchObject([
      { provider: 'openrouter', state: 'open' },
    ])
    const before = suite.server.calls.length
    expect(await read(models.stream(request(), patient()))).toMatchObject({ who: 'ollama' })
    expect(suite.server.calls).toHaveLength(before + 1)
  })

  const counting: Record<string, Behaviour> = {
    'errors of its own': fails(500),
    'rate limits': fails(429, { 'retry-after': '60' }),
    'an unknown model': fails(404),
    'answers that break off': endsEarly('Half an'),
  }
  for (const [what, behaviour] of Object.entries(counting))
    test(`is left alone after ${what}`, async () => {
      suite.server.always(behaviour)
      const models = suite.create()
      await askOften(models)
      expect(models.states()).toMatchObject([{ state: 'open' }])
    })

  const others: Record<string, Behaviour> = {
    'refuses a prompt': fails(400),
    'finds a prompt too large': fails(413),
    'has nothing to say': says(''),
  }
  for (const [what, behaviour] of Object.entries(others))
    test(`is asked on when it ${what}: one asker cannot close it to the rest`, async () => {
      suite.server.always(behaviour)
      const models = suite.create()
      await askOften(models)
      await askOften(models)
      expect(models.states()).toMatchObject([{ state: 'closed' }])
    })

  test('is asked on when its askers leave', async () => {
    suite.server.always(stalls('Half an'))
    const models = suite.create()
    for (let time = 0; time < 2 * FAILURES; time++)
      await read(models.stream(request(), patient()), ({ type }) => type === 'text')
    expect(models.states()).toMatchObject([{ state: 'closed' }])
  })

  test('is asked on when it answers in between', async () => {
    suite.server.next(fails(401), fails(401), says('Fine.'), fails(401), fails(401))
    const models = suite.create()
    for (let time = 0; time < 5; time++) await read(models.stream(request({ local }), patient()))
    expect(models.states()).toMatchObject([{ state: 'closed' }])
  })
})

describe('a provider that was left alone for long enough', () => {
  const coolDown = { coolDownMs: 0, maxCoolDownMs: 60_000 }

  test('is back with its first word', async () => {
    suite.server.always(fails(401))
    const models = suite.create({ breaker: coolDown })
    await askOften(models)
    expect(models.states()).toMatchObject([{ state: 'half_open' }])

    suite.server.next(stalls('I am'), says('So am I.'))
    const { promise: heard, resolve: hear } = Promise.withResolvers<void>()
    const asker = new AbortController()
    const trial = read(models.stream(request(), asker.signal), ({ type }) => {
      if (type === 'text') hear()
    })
    await heard
    expect(models.states()).toMatchObject([{ state: 'closed' }])
    expect(await read(models.stream(request(), patient()))).toMatchObject({ text: 'So am I.' })
    asker.abort()
    await trial
  })

  test('keeps others away while it is being tried', async () => {
    suite.server.always(fails(401))
    const models = suite.create({ breaker: coolDown })
    await askOften(models)
    suite.server.reset()
    suite.server.always(stalls())
    const asker = new AbortController()
    const trial = read(models.stream(request(), asker.signal))
    const call = await suite.server.nextCall()
    expect(await read(models.stream(request({ local }), patient()))).toMatchObject({ who: 'local' })
    expect(suite.server.calls).toHaveLength(1)
    // A trial whose asker leaves decides nothing: the next one tries.
    asker.abort()
    await call.left
    await trial
    suite.server.always(says('I am back.'))
    expect(await read(models.stream(request(), patient()))).toMatchObject({ text: 'I am back.' })
    expect(models.states()).toMatchObject([{ state: 'closed' }])
  })
})

describe('readiness', () => {
  const healthOf = (models: Models) => createHealthService(modelParts(models), '1')

  test('stays where local answers, and the report tells which provider is left alone', async () => {
    suite.server.always(fails(401))
    const models = suite.create()
    const health = healthOf(models)
    expect(await health.ready()).toEqual({ status: 'ready', parts: { models: 'ok' } })
    expect(await health.detail()).toMatchObject({
      status: 'ok',
      parts: { models: { state: 'ok' }, 'models.openai': { state: 'ok', note: 'in use' } },
    })
    await askOften(models)
    expect(await health.ready()).toMatchObject({ status: 'ready' })
    expect(await health.detail()).toMatchObject({
      status: 'degraded',
      parts: { models: { state: 'ok' }, 'models.openai': { state: 'down' } },
    })
  })

  test('ends where local may not answer and every provider is left alone, until one may be tried', async () => {
    suite.server.always(fails(401))
    const strict: ModelsOptions = { providers: ['openai', 'ollama'], fallsBackToLocal: false }
    const models = suite.create(strict)
    const health = healthOf(models)
    expect(await health.ready()).toMatchObject({ status: 'ready' })
    await askOften(models)
    await expect(health.ready()).rejects.toMatchObject({
      status: 503,
      detail: 'Not ready: models down',
    })
    await expect(health.detail()).rejects.toMatchObject({ status: 503 })

    const cooled = suite.create({ ...strict, breaker: { coolDownMs: 0 } })
    await askOften(cooled)
    expect(await healthOf(cooled).ready()).toMatchObject({ status: 'ready' })
  })

  test('is there without any provider', async () => {
    const health = healthOf(suite.create({ providers: [] }))
    expect((await health.detail()).parts).toMatchObject({ models: { state: 'ok', note: 'local' } })
  })
})

test('a server with a provider that has not failed is ready, and names it in its report', async () => {
  await using server = await startServer({
    SVC_OPENAI_BASE_URL: suite.server.url,
    SVC_OPENAI_API_KEY: KEY,
    SVC_CHAT_MODEL: 'a-model',
    SVC_CHAT_FALLBACK: 'none',
  })
  const ready = await http(server, 'GET', '/api/ready')
  expect(ready).toMatchObject({ status: 200, body: { parts: { models: 'ok' } } })
  const report = await http(server, 'GET', '/api/health/detail')
  expect(JSON.stringify(report.body)).toContain('"models.openai":{"state":"ok"')
  expect(server.log.join('')).not.toContain(KEY)
  // Nobody was asked: that would cost, at every look.
  expect(suite.server.calls).toEqual([])
}, 60_000)
