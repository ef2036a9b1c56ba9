import { afterAll, describe, expect, test } from 'bun:test'
import { eventsIn, namesOf, openSocket, useConversation } from '../conversation/support.ts'
import { newVerifiedUser, startRestartable } from '../harness/http.ts'
import { type Behaviour, breaksOff, fails, says, stalls } from '../harness/model-server.ts'
import { request, startServer, type TestUser } from '../harness/server.ts'
import { startTranscriptionServer } from '../harness/transcription-server.ts'
import {
  billingOf,
  creditsBought,
  deliver,
  refunded,
  STRIPE,
  subscriptionOf,
  tiersFile,
} from './support.ts'

const MESSAGES = 12
const transcription = startTranscriptionServer()
afterAll(() => transcription[Symbol.asyncDispose]())

const env = {
  ...STRIPE,
  SVC_CHAT_FALLBACK: 'none',
  SVC_TRANSCRIBE_URL: transcription.url,
  SVC_TIERS: tiersFile({
    amnesiac: { quotas: { messages: MESSAGES, urls: 2, transcriptions: 2 } },
    awakened: { quotas: { messages: 100 } },
    payg: { prices_micro_usd: { messages: 10_000, urls: 0 } },
  }),
}
const suite = useConversation(env)

const usageOf = async (user: TestUser) => (await billingOf(suite.server, user, 'usage')).usage
const used = async (user: TestUser) => (await usageOf(user)).messages.used
const talk = (user: TestUser, body: object = {}) =>
  suite.post('/api/talk', { message: 'Hello', ...body }, user)
const use = async (user: TestUser, count: number) => {
  for (let i = 0; i < count; i++) expect((await talk(user)).status).toBe(200)
}
const subscribe = (user: TestUser, tier: string) =>
  deliver(suite.server, subscriptionOf(user, tier).created(1, 'active'))
const payAsTheyGo = (user: TestUser, usd: number) =>
  deliver(suite.server, creditsBought(user, usd, { metadata: { user_id: user.id, tier: 'payg' } }))

const EXCEEDED = {
  error: 'quota_exceeded',
  message: expect.stringContaining(`${MESSAGES} messages`),
  quota: { used: MESSAGES, limit: MESSAGES, remaining: 0 },
  current_tier: 'amnesiac',
  recommended_tier: 'awakened',
  upgrade_url: expect.stringMatching(/^http.*\/pricing$/),
}

describe('message quota', () => {
  test('chat, talk, their streams and regenerate each count one message', async () => {
    const user = await suite.newUser()
    const { session_id } = (await suite.post('/api/chat', { message: 'Hi' }, user)).body
    await suite.post('/api/chat/stream', { message: 'Hi', session_id }, user)
    await suite.post('/api/chat/regenerate', { message: 'Hi', session_id }, user)
    await suite.post('/api/talk', { message: 'Hi' }, user)
    await suite.post('/api/talk/stream', { message: 'Hi' }, user)
    expect(await usageOf(user)).toEqual({
      messages: { used: 5, limit: MESSAGES, remaining: MESSAGES - 5 },
      urls: { used: 0, limit: 2, remaining: 2 },
      emails: { used: 0, limit: 20, remaining: 20 },
      transcriptions: { used: 0, limit: 2, remaining: 2 },
    })
  })

  test('fifty concurrent requests consume exactly the quota and the others get 429', async () => {
    const user = await suite.newUser()
    await use(user, 2)
    const answers = await Promise.all(Array.from({ length: 50 }, () => talk(user)))
    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(50 - (MESSAGES - 2))
    for (const { status, body, headers } of refused) {
      expect([status, body]).toEqual([429, { detail: EXCEEDED }])
      expect(headers.has('retry-after')).toBe(false)
    }
    expect(await used(user)).toBe(MESSAGES)

    const calls = suite.model.calls.length
    for (const path of ['/api/chat', '/api/chat/stream', '/api/talk', '/api/talk/stream']) {
      const { status, body, headers } = await suite.post(path, { message: 'Hi' }, user)
      expect([path, status, body]).toEqual([path, 429, { detail: EXCEEDED }])
      expect(headers.get('content-type')).toBe('application/json')
    }
    expect(suite.model.calls.length).toBe(calls)
    expect((await suite.get('/api/sessions', user)).body).toEqual([])
    // The quota is per user.
    expect((await talk(await suite.newUser())).status).toBe(200)
  })

  test('remember and recall work after the message quota is used up', async () => {
    const user = await suite.newUser()
    await Promise.all(Array.from({ length: MESSAGES }, () => talk(user)))
    const remembered = await suite.post('/api/remember', { content: 'I live in Lisbon' }, user)
    const recalled = await suite.post('/api/recall', { query: 'Lisbon' }, user)
    expect([remembered.status, recalled.status, recalled.body.count]).toEqual([201, 200, 1])
  })

  test('requests that are invalid, not found or not answered do not count', async () => {
    const user = await suite.newUser()
    const missingId = crypto.randomUUID()
    expect((await suite.post('/api/chat', { message: '' }, user)).status).toBe(422)
    expect((await suite.post('/api/talk', {}, user)).status).toBe(422)
    expect(
      (await suite.post('/api/chat', { message: 'x', session_id: missingId }, user)).status,
    ).toBe(404)
    expect(
      (await suite.post('/api/chat', { message: 'x', file_ids: [missingId] }, user)).status,
    ).toBe(404)
    for (const path of ['/api/chat', '/api/chat/stream', '/api/talk', '/api/talk/stream']) {
      suite.model.always(fails(400))
      expect((await suite.post(path, { message: 'Hi' }, user)).status).toBeGreaterThanOrEqual(500)
    }
    expect(await used(user)).toBe(0)
  })

  test('a disconnect counts a message only after the model was called', async () => {
    const model = { SVC_OPENAI_BASE_URL: suite.model.url, SVC_CHAT_MODEL: 'a-model' }
    await using place = await startRestartable({ ...env, ...model }, suite.web)
    const user = await newVerifiedUser(place.current)
    const chat = (path: string, message = 'Hi') =>
      openSocket(place.current.url, path, user.key, { message })

    suite.model.next(stalls(['Once upon a time']))
    const reading = await chat('/api/talk/stream')
    const received = Promise.withResolvers<void>()
    let text = ''
    reading.on('data', (data) => {
      text += data
      if (text.includes('event: delta')) received.resolve()
    })
    await received.promise
    reading.destroy()
    await (await suite.model.nextCall()).disconnected

    for (const path of ['/api/chat/stream', '/api/talk/stream', '/api/chat']) {
      suite.model.next(stalls())
      const waiting = await chat(path)
      const { disconnected } = await suite.model.nextCall()
      waiting.destroy()
      await disconnected
    }

    await request(place.current, 'PUT', '/api/preferences/auto_fetch_urls', {
      token: user.key,
      body: { value: 'always' },
    })
    const page = Promise.withResolvers<Response>()
    const fetched = Promise.withResolvers<void>()
    const host = suite.web.site(() => {
      fetched.resolve()
      return page.promise
    })
    const early = await chat('/api/chat/stream', `What costs http://${host}/?`)
    await fetched.promise
    early.destroy()
    // By the end of another request the server has noticed the disconnect.
    await request(place.current, 'GET', '/api/me', { token: user.key })
    page.resolve(new Response('Nothing', { headers: { 'content-type': 'text/plain' } }))

    // A stopped server has settled its streams.
    await place.restart()
    const { usage } = await billingOf(place.current, user, 'usage')
    expect([usage.messages.used, usage.urls.used]).toEqual([4, 0])
    expect(suite.model.calls).toHaveLength(4)
  })

  test('an answer that breaks off after its first part counts', async () => {
    const user = await suite.newUser()
    const hasPart = Promise.withResolvers<void>()
    suite.model.next(breaksOff(['As I was ', 'saying'], hasPart.promise))
    const { body } = await fetch(new URL('/api/chat/stream', suite.server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'Go on' }),
    })
    const decoder = new TextDecoder()
    let text = ''
    for await (const part of body as ReadableStream<Uint8Array>) {
      text += decoder.decode(part, { stream: true })
      if (text.includes('event: delta')) hasPart.resolve()
    }
    expect(namesOf(eventsIn(text)).at(-1)).toBe('error')
    expect(await used(user)).toBe(1)
  })

  test('two servers on one database count together', async () => {
    // Before the other server starts, which might send the verification email.
    const user = await newVerifiedUser(suite.server)
    await using other = await startServer(
      { ...env, SVC_CHAT_FALLBACK: 'local' },
      suite.server.database,
    )
    suite.model.always(says('Hello.'))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        request(i % 2 ? suite.server : other, 'POST', '/api/talk', {
          token: user.key,
          body: { message: 'Hi' },
        }),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(MESSAGES)
    expect(await used(user)).toBe(MESSAGES)
  })

  test('an upgrade raises the quota at once and keeps the used count', async () => {
    const user = await suite.newUser()
    await Promise.all(Array.from({ length: MESSAGES }, () => talk(user)))
    expect((await talk(user)).status).toBe(429)
    await subscribe(user, 'awakened')
    expect((await talk(user)).status).toBe(200)
    expect((await usageOf(user)).messages).toEqual({
      used: MESSAGES + 1,
      limit: 100,
      remaining: 99 - MESSAGES,
    })
  })
})

describe('page and transcription quotas', () => {
  const page = () =>
    `http://${suite.web.site(() => new Response('Some text', { headers: { 'content-type': 'text/plain' } }))}/`
  const read = (user: TestUser, url: string) => suite.post('/api/url', { url }, user)
  const transcribe = async (user: TestUser) => {
    const form = new FormData()
    form.set('file', new Blob(['audio'], { type: 'audio/webm' }), 'a.webm')
    const response = await fetch(new URL('/api/transcribe', suite.server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}` },
      body: form,
    })
    return { status: response.status, body: await response.json() }
  }

  test('failed pages and transcriptions are refunded, and each quota is enforced', async () => {
    const user = await suite.newUser()
    const missing = `http://${suite.web.site(() => new Response('', { status: 404 }))}/`
    for (let i = 0; i < 3; i++) expect((await read(user, missing)).status).toBe(502)
    expect((await read(user, 'no url')).status).toBe(422)
    expect((await usageOf(user)).urls.used).toBe(0)
    const url = page()
    for (const status of [200, 200, 429]) expect((await read(user, url)).status).toBe(status)
    const { body } = await read(user, url)
    expect(body.detail).toMatchObject({
      error: 'quota_exceeded',
      quota: { used: 2, limit: 2, remaining: 0 },
    })

    transcription.answer = () => new Response('', { status: 500 })
    expect((await transcribe(user)).status).toBe(502)
    transcription.answer = undefined
    for (const status of [200, 200, 429]) expect((await transcribe(user)).status).toBe(status)
    expect((await usageOf(user)).transcriptions).toEqual({ used: 2, limit: 2, remaining: 0 })
  })

  test('the page limiter applies before the quota', async () => {
    const user = await suite.newUser()
    const url = page()
    const bodies: unknown[] = []
    for (let i = 0; i < 11; i++) bodies.push((await read(user, url)).body)
    expect(bodies[9]).toHaveProperty('detail.error', 'quota_exceeded')
    expect(bodies[10]).toMatchObject({ error: 'rate_limited' })
  })
})

describe('recall depth', () => {
  test('a depth above the tier is 403 and stores and counts nothing', async () => {
    const user = await suite.newUser()
    const chat = async (options: object) => {
      const { status, body } = await suite.post('/api/chat', { message: 'Hi', ...options }, user)
      return status === 200 ? 200 : [status, body.detail]
    }
    const insufficient = (current_tier: string, required_tier: string) => [
      403,
      {
        error: 'tier_insufficient',
        current_tier,
        required_tier,
        upgrade_url: expect.stringMatching(/\/pricing$/),
      },
    ]
    expect(await chat({ depth: 'quick' })).toBe(200)
    const before = await used(user)
    const deep = insufficient('amnesiac', 'awakened')
    expect(await chat({ deep: true })).toEqual(deep)
    expect(await chat({ depth: 'deep' })).toEqual(deep)
    expect(await chat({ depth: 'quick', deep: true })).toEqual(deep)
    expect(await chat({ depth: 'sage' })).toEqual(insufficient('amnesiac', 'conscious'))
    const stream = await suite.post('/api/chat/stream', { message: 'Hi', deep: true }, user)
    expect(stream.status).toBe(403)
    expect(await used(user)).toBe(before)
    expect((await suite.get('/api/sessions', user)).body).toHaveLength(1)

    await subscribe(user, 'awakened')
    expect(await chat({ deep: true })).toBe(200)
    expect(await chat({ depth: 'sage' })).toEqual(insufficient('awakened', 'conscious'))
    await subscribe(user, 'conscious')
    expect(await chat({ depth: 'sage' })).toBe(200)
  })

  test('payg includes every depth', async () => {
    const user = await suite.newUser()
    await payAsTheyGo(user, 1)
    expect((await suite.post('/api/chat', { message: 'Hi', depth: 'sage' }, user)).status).toBe(200)
  })
})

describe('payg', () => {
  const setCap = (user: TestUser, cap_usd: number | null) =>
    request(suite.server, 'PUT', '/api/billing/payg-cap', { token: user.key, body: { cap_usd } })
  const many = async (user: TestUser, count: number) => {
    const answers = await Promise.all(Array.from({ length: count }, () => talk(user)))
    return {
      passed: answers.filter(({ status }) => status === 200).length,
      refused: answers.find(({ status }) => status !== 200),
    }
  }

  test('fifty concurrent requests spend no more than the balance', async () => {
    const user = await suite.newUser()
    await use(user, 1)
    await payAsTheyGo(user, 0.15)
    const { passed, refused } = await many(user, 50)
    expect(passed).toBe(15)
    expect([refused?.status, refused?.body.detail]).toEqual([
      429,
      {
        error: 'credits_depleted',
        message: expect.any(String),
        balance_credits: 0,
        balance_usd: 0,
        required_credits: 10,
        current_tier: 'payg',
        recommended_tier: 'conscious',
        upgrade_url: expect.stringMatching(/\/pricing$/),
      },
    ])
    expect(refused?.headers.has('retry-after')).toBe(false)
    expect(await billingOf(suite.server, user, 'balance')).toEqual({
      balance_credits: 0,
      balance_usd: 0,
      low_balance: true,
      depleted: true,
    })
    expect((await usageOf(user)).messages).toEqual({ used: 16, limit: null, remaining: null })
  })

  test('fifty concurrent requests stay within the cap, and a higher cap allows more', async () => {
    const user = await suite.newUser()
    await payAsTheyGo(user, 5)
    await setCap(user, 0.1)
    const { passed, refused } = await many(user, 50)
    expect(passed).toBe(10)
    expect([refused?.status, refused?.body.detail]).toEqual([
      429,
      {
        error: 'spend_cap_reached',
        message: expect.any(String),
        cap_usd: 0.1,
        spent_usd: 0.1,
        balance_credits: 4_900,
        balance_usd: 4.9,
        required_credits: 10,
        current_tier: 'payg',
        recommended_tier: 'conscious',
        upgrade_url: expect.stringMatching(/\/pricing$/),
      },
    ])
    await setCap(user, 0.12)
    expect((await many(user, 5)).passed).toBe(2)
    await setCap(user, null)
    expect((await many(user, 5)).passed).toBe(5)
    expect((await billingOf(suite.server, user)).payg).toMatchObject({
      enabled: true,
      balance_credits: 4_830,
      cap_usd: null,
      spent_usd: 0.17,
    })
  })

  test('credits of failed requests are refunded', async () => {
    const user = await suite.newUser()
    await payAsTheyGo(user, 1)
    await use(user, 1)
    suite.model.always(fails(400))
    await Promise.all(Array.from({ length: 5 }, () => talk(user)))
    expect((await billingOf(suite.server, user)).payg).toMatchObject({
      balance_credits: 990,
      spent_usd: 0.01,
    })
    expect(await used(user)).toBe(1)
  })

  test('a refund returns exactly what was consumed, even after a change of tier', async () => {
    const leaving = await suite.newUser()
    const coming = await suite.newUser()
    const failing = Promise.withResolvers<void>()
    const failsLater: Behaviour = async (response, call) => {
      await failing.promise
      await fails(400)(response, call)
    }
    await payAsTheyGo(leaving, 1)
    suite.model.next(failsLater, failsLater)
    const requests = [talk(leaving), talk(coming)]
    for (const _ of requests) await suite.model.nextCall()
    await subscribe(leaving, 'awakened')
    await payAsTheyGo(coming, 1)
    await use(coming, 2)
    failing.resolve()
    for (const { status } of await Promise.all(requests)) expect(status).toBeGreaterThanOrEqual(500)
    const billingState = async (user: TestUser) => {
      const { payg } = await billingOf(suite.server, user)
      return [await used(user), payg.balance_credits, payg.spent_usd]
    }
    expect(await billingState(leaving)).toEqual([0, 1_000, 0])
    expect(await billingState(coming)).toEqual([2, 980, 0.02])
  })

  test('a refund of spent credits makes the balance negative until more are bought', async () => {
    const user = await suite.newUser()
    const bought = creditsBought(user, 1, { metadata: { user_id: user.id, tier: 'payg' } })
    await deliver(suite.server, bought)
    await use(user, 2)
    await deliver(suite.server, refunded(bought.data.object.payment_intent as string, 1))
    expect(await billingOf(suite.server, user, 'balance')).toEqual({
      balance_credits: -20,
      balance_usd: -0.02,
      low_balance: true,
      depleted: true,
    })
    expect((await talk(user)).body.detail.error).toBe('credits_depleted')
    await payAsTheyGo(user, 1)
    expect((await many(user, 99)).passed).toBe(98)
  })

  test('a metric with a price of zero works without credits', async () => {
    const user = await suite.newUser()
    await payAsTheyGo(user, 0.01)
    expect((await many(user, 2)).passed).toBe(1)
    const site = suite.web.site(
      () => new Response('Text', { headers: { 'content-type': 'text/plain' } }),
    )
    expect((await suite.post('/api/url', { url: `http://${site}/` }, user)).status).toBe(200)
  })
})
