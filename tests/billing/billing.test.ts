import { describe, expect, test } from 'bun:test'
import { runSql, startRestartable } from '../harness/http.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { billingOf, creditsBought, deliver, STRIPE, subscriptionOf } from './support.ts'

const server = useServer(STRIPE)
const payg = useServer({ ...STRIPE, SVC_DEFAULT_TIER: 'payg' })
const get = (path: string, user?: TestUser) =>
  request(server.current, 'GET', `/api/billing/${path}`, user && { token: user.key })
const put = (path: string, user: TestUser, body: unknown) =>
  request(server.current, 'PUT', `/api/billing/${path}`, { token: user.key, body })

test('the tiers are public', async () => {
  const { status, body } = await get('tiers')
  const none = { messages: null, urls: null, emails: null, transcriptions: null }
  expect([status, body]).toEqual([
    200,
    {
      tiers: [
        {
          name: 'amnesiac',
          price_usd: 0,
          quotas: { messages: 1_000, urls: 100, emails: 20, transcriptions: 20 },
          seats: 3,
          features: [],
        },
        {
          name: 'awakened',
          price_usd: 12,
          quotas: { messages: 10_000, urls: 2_000, emails: 500, transcriptions: 500 },
          seats: 10,
          features: ['deep', 'webhooks'],
        },
        {
          name: 'conscious',
          price_usd: 49,
          quotas: { messages: 100_000, urls: 20_000, emails: 5_000, transcriptions: 5_000 },
          seats: 100,
          features: ['deep', 'sage', 'webhooks'],
        },
        {
          name: 'payg',
          price_usd: 0,
          quotas: none,
          seats: 10,
          features: ['deep', 'sage', 'webhooks'],
        },
      ],
      takes_payments: false,
    },
  ])
})

test('a new user has no usage this month', async () => {
  const user = await newUser(server.current)
  const { status, body } = await get('usage', user)
  const quota = (limit: number) => ({ used: 0, limit, remaining: limit })
  const now = new Date()
  const first = (months: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1)).toISOString()
  expect([status, body]).toEqual([
    200,
    {
      tier: 'amnesiac',
      period_start: first(0),
      period_end: first(1),
      usage: {
        messages: quota(1_000),
        urls: quota(100),
        emails: quota(20),
        transcriptions: quota(20),
      },
    },
  ])
})

test('the history lists the usage and spending of each month, oldest first', async () => {
  const [user, other] = [await newUser(server.current), await newUser(server.current)]
  await runSql(
    server.current.database,
    `insert into usage_counts (user_id, period, metric, used, paid_micros) values
    ('${user.id}', date_trunc('month', now() at time zone 'utc')::date - interval '2 months', 'urls', 3, 3000),
    ('${other.id}', date_trunc('month', now() at time zone 'utc')::date, 'emails', 7, 7000),
    ('${user.id}', date_trunc('month', now() at time zone 'utc')::date, 'messages', 5, 0)`,
  )
  const none = { messages: 0, urls: 0, emails: 0, transcriptions: 0 }
  const now = new Date()
  const month = (before: number) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before, 1)).toISOString()
  const { status, body } = await get('usage/history?months=3', user)
  expect([status, body]).toEqual([
    200,
    {
      months: [
        { period_start: month(2), usage: { ...none, urls: 3 }, spent_usd: 0.003 },
        { period_start: month(1), usage: none, spent_usd: 0 },
        { period_start: month(0), usage: { ...none, messages: 5 }, spent_usd: 0 },
      ],
    },
  ])
  expect((await get('usage/history', user)).body.months).toHaveLength(12)
  for (const months of [0, 61])
    expect((await get(`usage/history?months=${months}`, user)).status).toBe(422)
})

test('a new user has no credits, no subscription and no cap', async () => {
  const user = await newUser(server.current)
  const balance = { balance_credits: 0, balance_usd: 0, low_balance: true, depleted: true }
  expect((await get('balance', user)).body).toEqual(balance)
  expect((await get('payg-cap', user)).body).toEqual({ cap_usd: null, spent_usd: 0 })
  expect((await get('me', user)).body).toEqual({
    tier: 'amnesiac',
    subscription: null,
    payg: {
      enabled: false,
      ...balance,
      cap_usd: null,
      spent_usd: 0,
      prices_usd: { messages: 0.002, urls: 0.001, emails: 0.001, transcriptions: 0.006 },
    },
  })
})

test('the user’s billing requires an API key or an access token', async () => {
  const user = await newUser(server.current)
  for (const path of ['usage', 'usage/history', 'balance', 'me', 'payg-cap']) {
    expect((await get(path)).status).toBe(401)
    const byToken = await request(server.current, 'GET', `/api/billing/${path}`, {
      token: user.accessToken,
    })
    expect(byToken.status).toBe(200)
  }
})

describe('spend cap', () => {
  test('the cap is set and cleared, exact to the micro-dollar', async () => {
    const user = await newUser(server.current)
    for (const cap_usd of [25, 0, 0.1, 0.000001, 0.07, 19.99, 1_000_000, null]) {
      const { status, body } = await put('payg-cap', user, { cap_usd })
      expect([status, body]).toEqual([200, { cap_usd, spent_usd: 0 }])
      expect((await get('payg-cap', user)).body.cap_usd).toBe(cap_usd)
    }
  })

  test('an invalid cap is 422 and changes nothing', async () => {
    const user = await newUser(server.current)
    await put('payg-cap', user, { cap_usd: 7 })
    for (const [cap_usd, type] of [
      [-1, 'greater_than_equal'],
      [-0.0000001, 'greater_than_equal'],
      [0.0000001, 'value_error'],
      [1.1234567, 'value_error'],
      [1_000_001, 'less_than_equal'],
      ['25', 'float_type'],
      [[], 'float_type'],
    ] as const) {
      const { status, body } = await put('payg-cap', user, { cap_usd })
      expect([cap_usd, status, body.detail[0].loc, body.detail[0].type]).toEqual([
        cap_usd,
        422,
        ['body', 'cap_usd'],
        type,
      ])
    }
    expect((await put('payg-cap', user, {})).body.detail[0].type).toBe('missing')
    expect((await put('payg-cap', user, '{"cap_usd":NaN}')).body.detail[0].type).toBe(
      'json_invalid',
    )
    expect((await put('payg-cap', user, '{"cap_usd":1e400}')).status).toBe(422)
    expect((await get('payg-cap', user)).body.cap_usd).toBe(7)
  })
})

test('payg can be enabled only with credits, and disabled without', async () => {
  const user = await newUser(server.current)
  const refused = await put('payg', user, { enabled: true })
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('credits')])
  expect((await put('payg', user, { enabled: false })).status).toBe(200)
  await deliver(server.current, creditsBought(user, 1))
  const chosen = await put('payg', user, { enabled: true })
  expect([chosen.body.tier, chosen.body.payg.enabled]).toEqual(['payg', true])
  expect((await get('usage', user)).body).toMatchObject({
    tier: 'payg',
    usage: { messages: { used: 0, limit: null, remaining: null } },
  })
  // A subscription overrides payg and keeps its setting.
  const { created, deleted } = subscriptionOf(user)
  await deliver(server.current, created(1, 'active'))
  expect((await put('payg', user, { enabled: true })).body.tier).toBe('awakened')
  await deliver(server.current, deleted(2))
  expect((await put('payg', user, { enabled: false })).body.tier).toBe('amnesiac')
})

test('with payg as the default tier, a user without credits gets 429', async () => {
  const user = await newUser(payg.current)
  const { status, body } = await request(payg.current, 'POST', '/api/talk', {
    token: user.key,
    body: { message: 'Hi' },
  })
  expect([status, body.detail.error]).toEqual([429, 'credits_depleted'])
  await deliver(payg.current, creditsBought(user, 1))
  expect((await billingOf(payg.current, user)).tier).toBe('payg')
})

test('usage survives a restart and resets with the month', async () => {
  await using place = await startRestartable(STRIPE)
  const user = await newUser(place.current)
  const talk = () =>
    request(place.current, 'POST', '/api/talk', { token: user.key, body: { message: 'Hi' } })
  const bought = creditsBought(user, 1, { metadata: { user_id: user.id, tier: 'payg' } })
  await deliver(place.current, bought)
  await request(place.current, 'PUT', '/api/billing/payg-cap', {
    token: user.key,
    body: { cap_usd: 0.004 },
  })
  for (const status of [200, 200, 429]) expect((await talk()).status).toBe(status)
  await place.restart()
  expect((await talk()).status).toBe(429)
  expect((await billingOf(place.current, user, 'payg-cap')).spent_usd).toBe(0.004)

  // Moves all usage to the previous month.
  await place.restart(
    `update usage_counts set period = period - interval '1 month'`,
    `update billing_accounts set spent_period = spent_period - interval '1 month'`,
  )
  expect((await billingOf(place.current, user, 'payg-cap')).spent_usd).toBe(0)
  expect((await billingOf(place.current, user, 'usage')).usage.messages.used).toBe(0)
  for (const status of [200, 200, 429]) expect((await talk()).status).toBe(status)
  expect((await billingOf(place.current, user)).payg).toMatchObject({
    balance_credits: 992,
    spent_usd: 0.004,
  })
  // A purchase applied before the restart is not applied again.
  await deliver(place.current, bought)
  expect((await billingOf(place.current, user)).payg.balance_credits).toBe(992)
})
