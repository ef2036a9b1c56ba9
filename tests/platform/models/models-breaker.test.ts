import { describe, expect, test } from 'bun:test'
import type { Models } from '../../../server/platform/models/types.ts'
import { modelParts } from '../../../server/system/health/parts.ts'
import { createHealthService } from '../../../server/system/health/service.ts'
import { featureStates } from '../../../shared/features.ts'
import { type Behaviour, endsEarly, fails, says, stalls } from '../../harness/model-server.ts'
import { request as http, startServer } from '../../harness/server.ts'
import {
  KEY,
  local,
  type ModelsOptions,
  noAbort,
  read,
  request,
  useModels,
} from './models-support.ts'

const suite = useModels()

const FAILURES = 3

/** Three failures open a breaker. */
const sendThreeRequests = async (models: Models) => {
  for (let time = 0; time < FAILURES; time++)
    await read(models.stream(request({ local }), noAbort()))
}

describe('a provider that fails repeatedly', () => {
  test('repeated failures open the breaker, and requests go straight to the next provider', async () => {
    const models = suite.create({ providers: ['openrouter', 'ollama'] })
    suite.server.always((response, call) =>
      (call.body.model === 'ollama-model' ? says('I stand in.') : fails(401))(response, call),
    )
    await sendThreeRequests(models)
    expect(models.states()).toEqual([
      { provider: 'openrouter', model: 'openrouter-model', state: 'open' },
      { provider: 'ollama', model: 'ollama-model', state: 'closed' },
    ])
    expect(suite.logged('model provider')).toMatchObject([
      { provider: 'openrouter', state: 'open' },
    ])
    const before = suite.server.calls.length
    expect(await read(models.stream(request(), noAbort()))).toMatchObject({ who: 'ollama' })
    expect(suite.server.calls).toHaveLength(before + 1)
  })

  const counting: Record<string, Behaviour> = {
    'server errors': fails(500),
    'rate limits': fails(429, { 'retry-after': '60' }),
    'an unknown model': fails(404),
    'answers that break off': endsEarly('Half an'),
  }
  for (const [what, behaviour] of Object.entries(counting))
    test(`the breaker opens after ${what}`, async () => {
      suite.server.always(behaviour)
      const models = suite.create()
      await sendThreeRequests(models)
      expect(models.states()).toMatchObject([{ state: 'open' }])
    })

  const others: Record<string, Behaviour> = {
    'refuses a prompt': fails(400),
    'finds a prompt too large': fails(413),
    'answers nothing': says(''),
  }
  for (const [what, behaviour] of Object.entries(others))
    test(`a provider that ${what} keeps its breaker closed: one caller cannot open it for all`, async () => {
      suite.server.always(behaviour)
      const models = suite.create()
      await sendThreeRequests(models)
      await sendThreeRequests(models)
      expect(models.states()).toMatchObject([{ state: 'closed' }])
    })

  test('callers that disconnect do not open the breaker', async () => {
    suite.server.always(stalls('Half an'))
    const models = suite.create()
    for (let time = 0; time < 2 * FAILURES; time++)
      await read(models.stream(request(), noAbort()), ({ type }) => type === 'text')
    expect(models.states()).toMatchObject([{ state: 'closed' }])
  })

  test('a success between failures keeps the breaker closed', async () => {
    suite.server.next(fails(401), fails(401), says('Fine.'), fails(401), fails(401))
    const models = suite.create()
    for (let time = 0; time < 5; time++) await read(models.stream(request({ local }), noAbort()))
    expect(models.states()).toMatchObject([{ state: 'closed' }])
  })
})

describe('a provider whose breaker is half-open', () => {
  const coolDown = { coolDownMs: 0, maxCoolDownMs: 60_000 }

  test('the first word of the trial request closes the breaker', async () => {
    suite.server.always(fails(401))
    const models = suite.create({ breaker: coolDown })
    await sendThreeRequests(models)
    expect(models.states()).toMatchObject([{ state: 'half_open' }])

    suite.server.next(stalls('I am'), says('So am I.'))
    const { promise: firstText, resolve: onFirstText } = Promise.withResolvers<void>()
    const caller = new AbortController()
    const trial = read(models.stream(request(), caller.signal), ({ type }) => {
      if (type === 'text') onFirstText()
    })
    await firstText
    expect(models.states()).toMatchObject([{ state: 'closed' }])
    expect(await read(models.stream(request(), noAbort()))).toMatchObject({ text: 'So am I.' })
    caller.abort()
    await trial
  })

  test('other requests skip the provider during the trial', async () => {
    suite.server.always(fails(401))
    const models = suite.create({ breaker: coolDown })
    await sendThreeRequests(models)
    suite.server.reset()
    suite.server.always(stalls())
    const caller = new AbortController()
    const trial = read(models.stream(request(), caller.signal))
    const call = await suite.server.nextCall()
    expect(await read(models.stream(request({ local }), noAbort()))).toMatchObject({ who: 'local' })
    expect(suite.server.calls).toHaveLength(1)
    // A trial whose caller disconnects decides nothing: the next request is the trial.
    caller.abort()
    await call.disconnected
    await trial
    suite.server.always(says('I am back.'))
    expect(await read(models.stream(request(), noAbort()))).toMatchObject({ text: 'I am back.' })
    expect(models.states()).toMatchObject([{ state: 'closed' }])
  })
})

describe('readiness', () => {
  const healthOf = (models: Models) =>
    createHealthService(() => modelParts(models), {
      version: '1',
      role: 'all',
      features: featureStates(new Set()),
      isDraining: () => false,
    })

  test('the server stays ready while local answers, and the report names the open breaker', async () => {
    suite.server.always(fails(401))
    const models = suite.create()
    const health = healthOf(models)
    expect(await health.ready()).toEqual({ status: 'ready', parts: { models: 'ok' } })
    expect(await health.detail()).toMatchObject({
      status: 'ok',
      parts: { models: { state: 'ok' }, 'models.openai': { state: 'ok', note: 'in use' } },
    })
    await sendThreeRequests(models)
    expect(await health.ready()).toMatchObject({ status: 'ready' })
    expect(await health.detail()).toMatchObject({
      status: 'degraded',
      parts: { models: { state: 'ok' }, 'models.openai': { state: 'down' } },
    })
  })

  test('the server is not ready while every breaker is open and local is disabled, until a trial is due', async () => {
    suite.server.always(fails(401))
    const strict: ModelsOptions = { providers: ['openai', 'ollama'], fallsBackToLocal: false }
    const models = suite.create(strict)
    const health = healthOf(models)
    expect(await health.ready()).toMatchObject({ status: 'ready' })
    await sendThreeRequests(models)
    await expect(health.ready()).rejects.toMatchObject({
      status: 503,
      detail: 'Not ready: models down',
    })
    await expect(health.detail()).rejects.toMatchObject({ status: 503 })

    const cooled = suite.create({ ...strict, breaker: { coolDownMs: 0 } })
    await sendThreeRequests(cooled)
    expect(await healthOf(cooled).ready()).toMatchObject({ status: 'ready' })
  })

  test('a server without providers is ready', async () => {
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
  // Health checks do not call the model: each call costs.
  expect(suite.server.calls).toEqual([])
}, 60_000)
