import { afterAll, beforeEach, describe, expect, test } from 'bun:test'
import {
  newUser,
  PASSWORD,
  request,
  type TestUser,
  useServer,
  useSharedServer,
} from '../harness/server.ts'
import { type StripeRequest, startStripeServer } from './stripe-server.ts'
import { creditsBought, deliver, STRIPE, subscriptionOf, tierOf, tiersFile } from './support.ts'

const stripe = startStripeServer()
afterAll(() => stripe[Symbol.asyncDispose]())
beforeEach(() => {
  stripe.requests.length = 0
  stripe.respond = undefined
})

const server = useServer({
  ...STRIPE,
  SVC_STRIPE_SECRET_KEY: 'sk_test_a_key_of_stripe',
  SVC_STRIPE_API_BASE: stripe.url,
  SVC_TIERS: tiersFile({ conscious: { stripe_price_id: 'price_conscious' } }),
})
const unconfigured = useSharedServer()

const post = async (user: TestUser, path: string, body?: object) => {
  const response = await request(server.current, 'POST', `/api/billing/${path}`, {
    token: user.key,
    ...(body && { body }),
  })
  return [response.status, response.body]
}
const lastRequest = () => stripe.requests.at(-1)
const PAGE = [200, { url: `${stripe.url}/pay` }]

describe('checkout', () => {
  test('a checkout of a tier subscribes at the price of the server', async () => {
    const user = await newUser(server.current)
    expect(await post(user, 'checkout', { tier: 'awakened' })).toEqual(PAGE)
    const pricing = `${server.current.baseUrl}/pricing`
    expect(lastRequest()).toEqual({
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

  test('a tier with a Stripe price id subscribes at that price, and its events select that tier', async () => {
    const user = await newUser(server.current)
    expect(await post(user, 'checkout', { tier: 'conscious' })).toEqual(PAGE)
    const { params } = lastRequest() ?? {}
    expect(params).toMatchObject({ 'line_items[0][price]': 'price_conscious' })
    expect(params).not.toHaveProperty('line_items[0][price_data][currency]')

    // The user changed the price in Stripe's portal; the metadata still names the old tier.
    const items = { data: [{ price: { id: 'price_conscious' } }] }
    await deliver(server.current, subscriptionOf(user, 'awakened').updated(1, 'active', { items }))
    expect(await tierOf(server.current, user)).toBe('conscious')
  })

  test('with return_to, the payment page and the portal lead back to the console', async () => {
    const user = await newUser(server.current)
    const console = `${server.current.baseUrl}/app/usage`
    expect(await post(user, 'checkout?return_to=console', { credits_usd: 5 })).toEqual(PAGE)
    expect(lastRequest()?.params).toMatchObject({
      success_url: `${console}?paid=1`,
      cancel_url: console,
    })
    await deliver(server.current, creditsBought(user, 5, { customer: 'cus_known' }))
    expect((await post(user, 'portal?return_to=console'))[0]).toBe(200)
    expect(lastRequest()?.params.return_url).toBe(console)
    expect((await post(user, 'portal?return_to=elsewhere'))[0]).toBe(422)
  })

  test('a checkout of credits is one payment, exact to the cent', async () => {
    const user = await newUser(server.current)
    expect(await post(user, 'checkout', { credits_usd: 19.99 })).toEqual(PAGE)
    expect(lastRequest()?.params).toMatchObject({
      mode: 'payment',
      'line_items[0][price_data][unit_amount]': '1999',
      'line_items[0][price_data][product_data][name]': '19,990 credits',
      'metadata[user_id]': user.id,
      customer_creation: 'always',
    })
    expect(lastRequest()?.params).not.toHaveProperty('metadata[tier]')
    expect(await post(user, 'checkout', { tier: 'payg', credits_usd: 1 })).toEqual(PAGE)
    expect(lastRequest()?.params['metadata[tier]']).toBe('payg')
  })

  test('a checkout of a user who paid before reuses the Stripe customer', async () => {
    const user = await newUser(server.current)
    await deliver(server.current, creditsBought(user, 5, { customer: 'cus_known' }))
    await post(user, 'checkout', { tier: 'awakened' })
    expect(lastRequest()?.params.customer).toBe('cus_known')
    expect(lastRequest()?.params).not.toHaveProperty('customer_email')
  })

  test('a customer that Stripe deleted is replaced by a new one', async () => {
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
    stripe.respond = forget
    await known()
    expect(await post(user, 'checkout', { tier: 'awakened' })).toEqual(PAGE)
    expect(lastRequest()?.params.customer_email).toBe(user.email)
    await known()
    expect((await post(user, 'portal'))[0]).toBe(409)
    // The customer is cleared, so that Stripe is not called with it again.
    stripe.requests.length = 0
    expect(await post(user, 'checkout', { credits_usd: 5 })).toEqual(PAGE)
    expect(stripe.requests.map(({ params }) => params.customer_email)).toEqual([user.email])
  })

  test('a checkout with missing or invalid fields is rejected with 422', async () => {
    const user = await newUser(server.current)
    const wrong = async (body: object) => {
      const [status, response] = await post(user, 'checkout', body)
      return [status, response.detail[0].loc, response.detail[0].type]
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

  test('a checkout of the current tier or a lower one is rejected until the subscription ends', async () => {
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

  test('paying a higher tier cancels the lower subscription with proration', async () => {
    const user = await newUser(server.current)
    const low = subscriptionOf(user, 'awakened')
    const high = subscriptionOf(user, 'conscious')
    await deliver(server.current, low.created(1, 'active'))
    expect(await post(user, 'checkout', { tier: 'conscious' })).toEqual(PAGE)
    await deliver(server.current, high.created(2))
    await deliver(server.current, high.updated(2, 'past_due'))
    await deliver(server.current, high.updated(3, 'active'))
    const canceled = await stripe.requestTo(`/v1/subscriptions/${low.id}`)
    expect([canceled.method, canceled.params]).toEqual([
      'DELETE',
      { prorate: 'true', invoice_now: 'true' },
    ])
    await deliver(server.current, low.deleted(4))
    expect(await tierOf(server.current, user)).toBe('conscious')
  })

  test('a failure of Stripe is answered 502 without its message', async () => {
    const user = await newUser(server.current)
    stripe.respond = () =>
      Response.json({ error: { type: 'card_error', message: 'inner things' } }, { status: 402 })
    expect(await post(user, 'checkout', { tier: 'awakened' })).toEqual([
      502,
      { detail: 'The payment provider failed to answer; try again' },
    ])
  })
})

describe('the portal', () => {
  test('the portal opens for a user who has paid and is 409 for others', async () => {
    const user = await newUser(server.current)
    expect((await post(user, 'portal'))[0]).toBe(409)
    expect(stripe.requests).toEqual([])
    const { customer, created } = subscriptionOf(user)
    await deliver(server.current, created(1, 'active'))
    expect(await post(user, 'portal')).toEqual([200, { url: `${stripe.url}/portal` }])
    expect(lastRequest()?.params).toEqual({
      customer,
      return_url: `${server.current.baseUrl}/pricing`,
    })
  })
})

test('without a Stripe key, payments are 503 and the pricing page omits the checkout', async () => {
  const user = await newUser(unconfigured.current)
  const send = (path: string, body?: object) =>
    request(unconfigured.current, 'POST', `/api/billing/${path}`, {
      token: user.key,
      ...(body && { body }),
    })
  const answers = [
    await send('checkout', { tier: 'awakened' }),
    await send('checkout', { credits_usd: 5 }),
    await send('portal'),
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

describe('a deleted account', () => {
  test('deleting an account cancels its unended subscriptions, including those of unknown tiers', async () => {
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
      const { method, params } = await stripe.requestTo(`/v1/subscriptions/${id}`)
      expect([method, params]).toEqual(['DELETE', { prorate: 'false', invoice_now: 'false' }])
    }
    // Later events of the deleted user are acknowledged.
    expect((await deliver(server.current, live.deleted(3))).status).toBe(200)
    expect(stripe.requests.map(({ path }) => path)).not.toContain(`/v1/subscriptions/${ended.id}`)
  })

  test('deleting an account expires its open checkout sessions', async () => {
    const user = await newUser(server.current)
    expect(await post(user, 'checkout', { credits_usd: 5 })).toEqual(PAGE)
    await deleteAccount(user)
    const { method, path } = await stripe.requestTo('/v1/checkout/sessions/')
    expect([method, path]).toEqual([
      'POST',
      expect.stringMatching(/^\/v1\/checkout\/sessions\/cs_test_\S+\/expire$/),
    ])
  })

  test('a subscription paid while its account is deleted is cancelled', async () => {
    const user = await newUser(server.current)
    expect(await post(user, 'checkout', { tier: 'awakened' })).toEqual(PAGE)
    const isEnding = ({ method }: StripeRequest) => method === 'DELETE'
    let failures = 0
    stripe.respond = (received) => {
      const error = { type: 'invalid_request_error' }
      // A paid session cannot be expired.
      if (received.path.endsWith('/expire')) return Response.json({ error }, { status: 400 })
      // The first cancellation fails and is retried.
      return isEnding(received) && ++failures === 1
        ? Response.json({ error }, { status: 403 })
        : undefined
    }
    await deleteAccount(user)
    const expired = await stripe.requestTo('/v1/checkout/sessions/')
    const [, checkout = ''] = /sessions\/(\w[^/]+)\//.exec(expired.path) ?? []

    // Another server may share the Stripe account: subscriptions sold elsewhere are not cancelled.
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

test('the pricing page shows every tier', async () => {
  const { status, text, headers } = await request(server.current, 'GET', '/pricing?paid=1')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
  for (const expected of [
    'amnesiac',
    'awakened',
    'conscious',
    'payg',
    '$12 a month',
    '100,000',
    'Thank',
  ])
    expect(text).toContain(expected)
  expect((await request(server.current, 'GET', '/pricing')).text).not.toContain('Thank')
})
