import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import { newUser, PASSWORD, request, type TestUser, useServer } from '../harness/server.ts'
import { type StripeRequest, startStripeServer } from './billing-stripe-server.ts'
import {
  creditsBought,
  deliver,
  STRIPE,
  subscriptionOf,
  tierOf,
  tiersFile,
} from './billing-support.ts'

const stripe = startStripeServer()
afterAll(() => stripe[Symbol.asyncDispose]())
beforeEach(() => {
  stripe.requests.length = 0
  stripe.answer = undefined
})

const server = useServer({
  ...STRIPE,
  SVC_STRIPE_SECRET_KEY: 'sk_test_a_key_of_stripe',
  SVC_STRIPE_API_BASE: stripe.url,
  SVC_TIERS: tiersFile({ conscious: { stripe_price_id: 'price_conscious' } }),
})
const unconfigured = useServer()

const post = async (user: TestUser, path: string, body?: object) => {
  const answered = await request(server.current, 'POST', `/api/billing/${path}`, {
    token: user.key,
    ...(body && { body }),
  })
  return [answered.status, answered.body]
}
const lastAsked = () => stripe.requests.at(-1)
const PAGE = [200, { url: `${stripe.url}/pay` }]

describe('a checkout', () => {
  test('of a tier subscribes to it, at the price of this server', async () => {
    const user = await newUser(server.current)
    expect(await post(user, 'checkout', { tier: 'awakened' })).toEqual(PAGE)
    const pricing = `${server.current.baseUrl}/pricing`
    expect(lastAsked()).toEqual({
      method: 'POST',
      path: '/v1/checkout/sessions',
      authorization: 'Bearer sk_test_a_key_of_stripe',
      params: {
        mode: 'subscription',
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'usd',
        'line_items[0][price_data][unit_amount]': '1200',
        'line_items[0][price_data][recurring][interval]': 'month',
        'line_items[0][price_data][product_data][name]': 'svc awakened',
        'metadata[user_id]': user.id,
        'metadata[tier]': 'awakened',
        'subscription_data[metadata][user_id]': user.id,
        'subscription_data[metadata][tier]': 'awakened',
        client_reference_id: user.id,
        customer_email: user.email,
        success_url: `${pricing}?paid=1`,
        cancel_url: pricing,
      },
    })
  })

  test('goes by the price that Stripe keeps where there is one, and so does what it leads to', async () => {
    const user = await newUser(server.current)
    expect(await post(user, 'checkout', { tier: 'conscious' })).toEqual(PAGE)
    const { params } = lastAsked() ?? {}
    expect(params).toMatchObject({ 'line_items[0][price]': 'price_conscious' })
    expect(params).not.toHaveProperty('line_items[0][price_data][currency]')

    // In Stripe's portal somebody moved to another price; the metadata is of before.
    const items = { data: [{ price: { id: 'price_conscious' } }] }
    await deliver(server.current, subscriptionOf(user, 'awakened').updated(1, 'active', { items }))
    expect(await tierOf(server.current, user)).toBe('conscious')
  })

  test('of credits is one payment, to the cent', async () => {
    const user = await newUser(server.current)
    expect(await post(user, 'checkout', { credits_usd: 19.99 })).toEqual(PAGE)
    expect(lastAsked()?.params).toMatchObject({
      mode: 'payment',
      'line_items[0][price_data][unit_amount]': '1999',
      'line_items[0][price_data][product_data][name]': '19,990 credits',
      'metadata[user_id]': user.id,
      customer_creation: 'always',
    })
    expect(lastAsked()?.params).not.toHaveProperty('metadata[tier]')
    expect(await post(user, 'checkout', { tier: 'payg', credits_usd: 1 })).toEqual(PAGE)
    expect(lastAsked()?.params['metadata[tier]']).toBe('payg')
  })

  test('of somebody who paid before is of the same customer', async () => {
    const user = await newUser(server.current)
    await deliver(server.current, creditsBought(user, 5, { customer: 'cus_known' }))
    await post(user, 'checkout', { tier: 'awakened' })
    expect(lastAsked()?.params.customer).toBe('cus_known')
    expect(lastAsked()?.params).not.toHaveProperty('customer_email')
  })

  test('of somebody whom Stripe knows no longer is of a new customer', async () => {
    const user = await newUser(server.current)
    const forget = ({ params }: StripeRequest) =>
      params.customer === 'cus_gone'
        ? Response.json(
            {
              error: { type: 'invalid_request_error', code: 'resource_missing', param: 'customer' },
            },
            { status: 400 },
          )
        : undefined
    const known = () => deliver(server.current, creditsBought(user, 5, { customer: 'cus_gone' }))
    stripe.answer = forget
    await known()
    expect(await post(user, 'checkout', { tier: 'awakened' })).toEqual(PAGE)
    expect(lastAsked()?.params.customer_email).toBe(user.email)
    await known()
    expect((await post(user, 'portal'))[0]).toBe(409)
    // It is not asked for again.
    stripe.requests.length = 0
    expect(await post(user, 'checkout', { credits_usd: 5 })).toEqual(PAGE)
    expect(stripe.requests.map(({ params }) => params.customer_email)).toEqual([user.email])
  })

  test('that says nothing to buy, or not how, is told what is wrong', async () => {
    const user = await newUser(server.current)
    const wrong = async (body: object) => {
      const [status, answered] = await post(user, 'checkout', body)
      return [status, answered.detail[0].loc, answered.detail[0].type]
    }
    expect(await wrong({})).toEqual([422, ['body', 'tier'], 'missing'])
    expect(await wrong({ tier: 'amnesiac' })).toEqual([422, ['body', 'tier'], 'literal_error'])
    expect(await wrong({ tier: 'payg' })).toEqual([422, ['body', 'credits_usd'], 'missing'])
    for (const [credits_usd, type] of [
      [0.99, 'greater_than_equal'],
      [10_000.01, 'less_than_equal'],
      [5.001, 'value_error'],
      ['5', 'float_type'],
      [-5, 'greater_than_equal'],
    ] as const)
      expect(await wrong({ credits_usd })).toEqual([422, ['body', 'credits_usd'], type])
    expect(await wrong({ tier: 'awakened', credits_usd: 5 })).toEqual([
      422,
      ['body', 'credits_usd'],
      'value_error',
    ])
    expect(stripe.requests).toEqual([])
  })

  test('of what somebody is subscribed to, or less, is refused until that has ended', async () => {
    const user = await newUser(server.current)
    const { created, deleted } = subscriptionOf(user, 'conscious')
    await deliver(server.current, created(1, 'active'))
    for (const tier of ['awakened', 'conscious']) {
      const [status, { detail }] = await post(user, 'checkout', { tier })
      expect([status, detail]).toEqual([409, expect.stringContaining('/api/billing/portal')])
    }
    await deliver(server.current, deleted(2))
    expect(await post(user, 'checkout', { tier: 'awakened' })).toEqual(PAGE)
  })

  test('of a higher tier ends the lower one once it is paid, and credits what is left', async () => {
    const user = await newUser(server.current)
    const low = subscriptionOf(user, 'awakened')
    const high = subscriptionOf(user, 'conscious')
    await deliver(server.current, low.created(1, 'active'))
    expect(await post(user, 'checkout', { tier: 'conscious' })).toEqual(PAGE)
    await deliver(server.current, high.created(2))
    await deliver(server.current, high.updated(2, 'past_due'))
    await deliver(server.current, high.updated(3, 'active'))
    const canceled = await stripe.asked(`/v1/subscriptions/${low.id}`)
    expect([canceled.method, canceled.params]).toEqual([
      'DELETE',
      { prorate: 'true', invoice_now: 'true' },
    ])
    await deliver(server.current, low.deleted(4))
    expect(await tierOf(server.current, user)).toBe('conscious')
  })

  test('tells when Stripe fails, and nothing of what it said', async () => {
    const user = await newUser(server.current)
    stripe.answer = () =>
      Response.json({ error: { type: 'card_error', message: 'inner things' } }, { status: 402 })
    expect(await post(user, 'checkout', { tier: 'awakened' })).toEqual([
      502,
      { detail: 'The payment provider did not answer as it should' },
    ])
  })
})

describe('the portal', () => {
  test('opens for whoever has paid, and says so to whoever has not', async () => {
    const user = await newUser(server.current)
    expect((await post(user, 'portal'))[0]).toBe(409)
    expect(stripe.requests).toEqual([])
    const { customer, created } = subscriptionOf(user)
    await deliver(server.current, created(1, 'active'))
    expect(await post(user, 'portal')).toEqual([200, { url: `${stripe.url}/portal` }])
    expect(lastAsked()?.params).toEqual({
      customer,
      return_url: `${server.current.baseUrl}/pricing`,
    })
  })
})

test('without Stripe there is a clear answer, and the page of prices does not tell how to pay', async () => {
  const user = await newUser(unconfigured.current)
  const ask = (path: string, body?: object) =>
    request(unconfigured.current, 'POST', `/api/billing/${path}`, {
      token: user.key,
      ...(body && { body }),
    })
  const answers = [
    await ask('checkout', { tier: 'awakened' }),
    await ask('checkout', { credits_usd: 5 }),
    await ask('portal'),
  ]
  for (const { status, body } of answers)
    expect([status, body]).toEqual([
      503,
      { detail: 'Payments are not configured: set SVC_STRIPE_SECRET_KEY' },
    ])
  expect((await deliver(unconfigured.current, creditsBought(user, 5))).status).toBe(503)
  const page = (to: typeof server) => request(to.current, 'GET', '/pricing')
  expect((await page(server)).text).toContain('/api/billing/checkout')
  expect((await page(unconfigured)).text).not.toContain('/api/billing/checkout')
})

const deleteAccount = async (user: TestUser) => {
  const { status } = await request(server.current, 'DELETE', '/api/auth/delete-account', {
    token: user.accessToken,
    body: { password: PASSWORD },
  })
  expect(status).toBe(200)
}

describe('an account that is deleted', () => {
  test('takes its subscriptions along, whatever they open, and leaves what has ended', async () => {
    const user = await newUser(server.current)
    const [live, odd, ended] = [
      subscriptionOf(user),
      subscriptionOf(user, 'emperor'),
      subscriptionOf(user),
    ]
    const begun = [live.created(1, 'active'), odd.created(1, 'active'), ended.created(1)]
    for (const event of [...begun, ended.deleted(2)]) await deliver(server.current, event)
    await deleteAccount(user)
    for (const { id } of [live, odd]) {
      const { method, params } = await stripe.asked(`/v1/subscriptions/${id}`)
      expect([method, params]).toEqual(['DELETE', { prorate: 'false', invoice_now: 'false' }])
    }
    // What Stripe tells of it is of nobody here.
    expect((await deliver(server.current, live.deleted(3))).status).toBe(200)
    expect(stripe.requests.map(({ path }) => path)).not.toContain(`/v1/subscriptions/${ended.id}`)
  })

  test('takes the pages along that it could still be paid for on', async () => {
    const user = await newUser(server.current)
    expect(await post(user, 'checkout', { credits_usd: 5 })).toEqual(PAGE)
    await deleteAccount(user)
    const { method, path } = await stripe.asked('/v1/checkout/sessions/')
    expect([method, path]).toEqual([
      'POST',
      expect.stringMatching(/^\/v1\/checkout\/sessions\/cs_test_\S+\/expire$/),
    ])
  })

  test('and is subscribed to by a page that was paid just then is not billed on', async () => {
    const user = await newUser(server.current)
    expect(await post(user, 'checkout', { tier: 'awakened' })).toEqual(PAGE)
    const isEnding = ({ method }: StripeRequest) => method === 'DELETE'
    let failures = 0
    stripe.answer = (asked) => {
      const error = { type: 'invalid_request_error' }
      // It was paid, and so cannot be closed any more.
      if (asked.path.endsWith('/expire')) return Response.json({ error }, { status: 400 })
      // What fails at first is tried again.
      return isEnding(asked) && ++failures === 1
        ? Response.json({ error }, { status: 403 })
        : undefined
    }
    await deleteAccount(user)
    const expired = await stripe.asked('/v1/checkout/sessions/')
    const [, checkout = ''] = /sessions\/(\w[^/]+)\//.exec(expired.path) ?? []

    // Another server may sell with the same account of Stripe: what was not sold here is not ended.
    const elsewhere = subscriptionOf(user)
    const here = subscriptionOf(user)
    const paid = here.checkedOut(2, checkout)
    for (const event of [
      elsewhere.created(1),
      elsewhere.checkedOut(2),
      here.created(1),
      paid,
      paid,
    ])
      expect((await deliver(server.current, event)).status).toBe(200)
    while (stripe.requests.filter(isEnding).length < 2) await stripe.next()
    expect(stripe.requests.filter(isEnding).map(({ path }) => path)).toEqual([
      `/v1/subscriptions/${here.id}`,
      `/v1/subscriptions/${here.id}`,
    ])
  })
})

test('the page of prices tells what every tier opens', async () => {
  const { status, text, headers } = await request(server.current, 'GET', '/pricing?paid=1')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const told of [
    'amnesiac',
    'awakened',
    'conscious',
    'payg',
    '$12 a month',
    '100,000',
    'Thank',
  ])
    expect(text).toContain(told)
  expect((await request(server.current, 'GET', '/pricing')).text).not.toContain('Thank')
})
