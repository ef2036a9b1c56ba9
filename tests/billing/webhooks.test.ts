import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestUser,
  useServer,
} from '../harness/server.ts'
import {
  billingOf,
  creditsBought,
  deliver,
  disputeOf,
  refunded,
  refundFailed,
  STRIPE,
  type StripeEvent,
  stripeEvent,
  subscriptionOf,
  tierOf,
} from './support.ts'

const server = useServer(STRIPE)
const RECEIVED = [200, { received: true }]
const answer = ({ status, body }: { status: number; body: unknown }) => [status, body]
const send = async (...events: StripeEvent[]) => {
  for (const event of events) expect(answer(await deliver(server.current, event))).toEqual(RECEIVED)
}
const tier = (user: TestUser) => tierOf(server.current, user)
const balance = async (user: TestUser) =>
  (await billingOf(server.current, user, 'balance')).balance_credits

describe('webhook signature', () => {
  test('a valid signature is accepted at both paths', async () => {
    for (const path of ['payments', 'stripe']) {
      const user = await newUser(server.current)
      expect(answer(await deliver(server.current, creditsBought(user, 5), { path }))).toEqual(
        RECEIVED,
      )
      expect(await balance(user)).toBe(5_000)
    }
  })

  test('a missing, wrong, foreign or expired signature is 400 and has no effect', async () => {
    const user = await newUser(server.current)
    const event = creditsBought(user, 5)
    const stolen = creditsBought(user, 1)
    const { headers } = await (async () => {
      const payload = JSON.stringify(stolen)
      const { default: Stripe } = await import('stripe')
      const secret = STRIPE.SVC_STRIPE_WEBHOOK_SECRET
      return {
        headers: await Stripe.webhooks.generateTestHeaderStringAsync({ payload, secret }),
      }
    })()
    const now = Math.floor(Date.now() / 1000)
    for (const [delivery, detail] of [
      [{ signature: null }, 'The header stripe-signature is missing'],
      [{ signature: 't=1,v1=00' }, 'Invalid signature'],
      [{ signature: 'nonsense' }, 'Invalid signature'],
      [{ signature: headers }, 'Invalid signature'],
      [{ secret: 'whsec_another' }, 'Invalid signature'],
      [{ signedAt: now - 3600 }, 'Invalid signature'],
    ] as const)
      expect(answer(await deliver(server.current, event, delivery))).toEqual([400, { detail }])
    expect(await balance(user)).toBe(0)
  })

  test('a signed body that is not an event is 400', async () => {
    for (const body of ['{}', '[]', '"text"', 'null', '{"id":"evt_1","type":"x"}'])
      expect(answer(await deliver(server.current, body))).toEqual([
        400,
        { detail: 'The body is not a payment event' },
      ])
    expect((await deliver(server.current, 'no json')).status).toBe(400)
    expect((await deliver(server.current, `"${'x'.repeat(1024 * 1024)}"`)).status).toBe(413)
  })
})

describe('subscription events', () => {
  test('events out of order and repeated lead to the right tier', async () => {
    const user = await newUser(server.current)
    const subscription = subscriptionOf(user)
    const { checkedOut, created, updated, paid, deleted, failed } = subscription
    const begin = [paid(2), updated(2, 'active'), created(1), checkedOut(3)]
    await send(...begin, ...begin)
    expect(await tier(user)).toBe('awakened')
    expect((await billingOf(server.current, user)).subscription).toEqual({
      tier: 'awakened',
      status: 'active',
      current_period_end: '2026-10-26T07:33:20.000Z',
      cancel_at_period_end: false,
    })

    await send(updated(60, 'active', { cancel_at_period_end: true }), updated(50, 'active'))
    expect((await billingOf(server.current, user)).subscription.cancel_at_period_end).toBe(true)

    const end = [
      deleted(100),
      updated(101, 'active'),
      failed(99),
      paid(102),
      updated(99, 'past_due'),
    ]
    await send(...end, ...begin)
    expect(await tier(user)).toBe('amnesiac')
    expect((await billingOf(server.current, user)).subscription.status).toBe('canceled')
  })

  test('an unpaid subscription grants no tier, and a late one keeps it until Stripe gives up', async () => {
    const user = await newUser(server.current)
    const { created, updated, paid, failed } = subscriptionOf(user, 'conscious')
    const seen = async (event: StripeEvent) => {
      await send(event)
      return [(await billingOf(server.current, user)).subscription.status, await tier(user)]
    }
    expect(await seen(created(1))).toEqual(['incomplete', 'amnesiac'])
    expect(await seen(failed(2))).toEqual(['incomplete', 'amnesiac'])
    expect(await seen(paid(3))).toEqual(['active', 'conscious'])
    expect(await seen(updated(3, 'active'))).toEqual(['active', 'conscious'])
    expect(await seen(failed(10))).toEqual(['past_due', 'conscious'])
    expect(await seen(updated(10, 'past_due'))).toEqual(['past_due', 'conscious'])
    expect(await seen(updated(20, 'unpaid'))).toEqual(['unpaid', 'amnesiac'])
    expect(await seen(updated(30, 'active'))).toEqual(['active', 'conscious'])
    expect(await seen(updated(40, 'paused'))).toEqual(['paused', 'amnesiac'])
  })

  test('the highest live subscription decides the tier', async () => {
    const user = await newUser(server.current)
    const low = subscriptionOf(user, 'awakened')
    const high = subscriptionOf(user, 'conscious')
    await send(high.created(1, 'trialing'), low.created(1, 'active'))
    expect(await tier(user)).toBe('conscious')
    await send(high.deleted(2))
    expect(await tier(user)).toBe('awakened')
    await send(low.deleted(2))
    expect(await tier(user)).toBe('amnesiac')
  })

  test('changed metadata changes the tier', async () => {
    const user = await newUser(server.current)
    const { created, updated } = subscriptionOf(user)
    await send(
      updated(5, 'active', { metadata: { user_id: user.id, tier: 'conscious' } }),
      created(1, 'active'),
    )
    expect(await tier(user)).toBe('conscious')
  })

  test('events for unknown users or tiers have no effect', async () => {
    const user = await newUser(server.current)
    const unknownUser = { id: crypto.randomUUID() }
    await send(
      subscriptionOf(unknownUser).created(1, 'active'),
      subscriptionOf({ id: 'not-a-uuid' }).created(1, 'active'),
      subscriptionOf(user, 'emperor').created(1, 'active'),
      subscriptionOf(user, 'payg').created(1, 'active'),
      stripeEvent('customer.subscription.created', { id: 'sub_1' }),
      stripeEvent('product.created', { id: 'prod_1' }),
      creditsBought(unknownUser, 5),
    )
    expect(await tier(user)).toBe('amnesiac')
  })

  test('invoices in older formats of the API count', async () => {
    const user = await newUser(server.current)
    const { id } = subscriptionOf(user)
    const metadata = { user_id: user.id, tier: 'awakened' }
    await send(
      stripeEvent('invoice.payment_succeeded', {
        id: 'in_1',
        subscription: id,
        subscription_details: { metadata },
      }),
    )
    expect(await tier(user)).toBe('awakened')
  })

  test('shuffled and repeated events lead to the same state', async () => {
    const story = (user: TestUser) => {
      const { created, updated, paid, failed, checkedOut, deleted } = subscriptionOf(user)
      return [
        [created(1), paid(2), updated(2, 'active'), checkedOut(3)],
        [updated(40, 'past_due'), failed(40), paid(50), updated(50, 'active')],
        [updated(60, 'active', { cancel_at_period_end: true }), deleted(90)],
      ].flat()
    }
    // The number of events so far, their order and their repetitions.
    const deliveries = fc.integer({ min: 1, max: 10 }).chain((count) =>
      fc.record({
        count: fc.constant(count),
        first: fc.shuffledSubarray([...Array(count).keys()], { minLength: count }),
        again: fc.array(fc.integer({ min: 0, max: count - 1 }), { maxLength: 6 }),
      }),
    )
    const state = async (user: TestUser): Promise<{ tier: string; subscription: unknown }> => {
      const { tier, subscription } = await billingOf(server.current, user)
      return { tier, subscription }
    }
    const expected = [{ tier: 'amnesiac', subscription: null as unknown }]
    for (let count = 1; count <= 10; count++) {
      const user = await newUser(server.current)
      await send(...story(user).slice(0, count))
      expected.push(await state(user))
    }
    expect([expected[4]?.tier, expected.at(-1)?.tier]).toEqual(['awakened', 'amnesiac'])
    await fc.assert(
      fc.asyncProperty(deliveries, async ({ count, first, again }) => {
        const user = await newUser(server.current)
        const events = story(user)
        await send(...[...first, ...again].map((i) => events[i] as StripeEvent))
        expect([await state(user)]).toEqual(expected.slice(count, count + 1))
      }),
      { numRuns: 40 },
    )

    // All events at once, each three times.
    const user = await newUser(server.current)
    const events = story(user)
    await Promise.all([...events, ...events, ...events].map((event) => send(event)))
    expect([await state(user)]).toEqual(expected.slice(-1))
  }, 240_000)
})

describe('credit events', () => {
  test('twenty copies of a purchase count once', async () => {
    const user = await newUser(server.current)
    const event = creditsBought(user, 12.34)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => deliver(server.current, event)),
    )
    for (const each of answers) expect(answer(each)).toEqual(RECEIVED)
    expect(await billingOf(server.current, user, 'balance')).toEqual({
      balance_credits: 12_340,
      balance_usd: 12.34,
      low_balance: false,
      depleted: false,
    })
    // The same payment under another event.
    const payment = event.data.object.payment_intent as string
    await send(creditsBought(user, 12.34, { payment }))
    expect(await balance(user)).toBe(12_340)
    expect(await tier(user)).toBe('amnesiac')
  })

  test('copies of a purchase on two servers count once', async () => {
    await using other = await startServer(STRIPE, server.current.database)
    const user = await newUser(server.current)
    const event = creditsBought(user, 3)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => deliver(i % 2 ? other : server.current, event)),
    )
    for (const each of answers) expect(answer(each)).toEqual(RECEIVED)
    expect(await balance(user)).toBe(3_000)
  })

  test('events during the deletion of the account do not fail', async () => {
    for (let round = 0; round < 5; round++) {
      const user = await newUser(server.current)
      const { created, paid, updated, checkedOut } = subscriptionOf(user)
      const payment = `pi_deleted_${round}`
      const events = [
        ...[created(1), paid(2), updated(3, 'active'), checkedOut(3)],
        ...[creditsBought(user, 1, { payment }), refunded(payment, 1), creditsBought(user, 2)],
        disputeOf(payment, 1).created(4),
      ]
      const [deleted] = await Promise.all([
        request(server.current, 'DELETE', '/api/auth/delete-account', {
          token: user.accessToken,
          body: { password: PASSWORD },
        }),
        ...[...events, ...events].map((event) => send(event)),
      ])
      expect(deleted.status).toBe(200)
    }
  })

  test('concurrent purchases add up', async () => {
    const user = await newUser(server.current)
    await Promise.all(
      Array.from({ length: 20 }, () => deliver(server.current, creditsBought(user, 1))),
    )
    expect(await balance(user)).toBe(20_000)
  })

  test('unpaid purchases and other currencies add no credits', async () => {
    const user = await newUser(server.current)
    await send(
      creditsBought(user, 5, { payment_status: 'unpaid' }),
      creditsBought(user, 5, { currency: 'eur' }),
      creditsBought(user, 5, { mode: 'setup' }),
      creditsBought(user, 5, { amount_total: -5 }),
      creditsBought(user, 5, { metadata: {}, client_reference_id: user.id }),
    )
    expect(await balance(user)).toBe(0)
    // The payment succeeds some days later.
    const late = creditsBought(user, 5, { payment: 'pi_late' })
    await send({ ...late, type: 'checkout.session.async_payment_succeeded' })
    expect(await balance(user)).toBe(5_000)
  })

  test('refunds remove credits, in parts and in any order', async () => {
    const user = await newUser(server.current)
    await send(
      creditsBought(user, 10, { payment: 'pi_a' }),
      refunded('pi_a', 4),
      refunded('pi_a', 6),
    )
    expect(await balance(user)).toBe(4_000)
    await send(refunded('pi_a', 4))
    expect(await balance(user)).toBe(4_000)
    await send(refunded('pi_b', 3), creditsBought(user, 10, { payment: 'pi_b' }))
    expect(await balance(user)).toBe(11_000)
  })

  test('a failed refund restores the credits', async () => {
    const user = await newUser(server.current)
    await send(
      refundFailed('pi_failed', 4, 20),
      creditsBought(user, 10, { payment: 'pi_failed' }),
      refunded('pi_failed', 4, 10),
    )
    expect(await balance(user)).toBe(10_000)
    await send(refunded('pi_failed', 3, 30))
    expect(await balance(user)).toBe(7_000)
  })

  test('a dispute removes credits, winning it restores them, and both are in the audit trail', async () => {
    const user = await newUser(server.current)
    const payment = 'pi_disputed'
    const { created, withdrawn, updated, closed, reinstated } = disputeOf(payment, 10)
    const seen = async (...events: StripeEvent[]) => {
      await send(...events)
      return balance(user)
    }
    expect(await seen(creditsBought(user, 10, { payment }), creditsBought(user, 1))).toBe(11_000)
    expect(await seen(created(10), withdrawn(10), created(10))).toBe(1_000)
    expect(await seen(updated(20))).toBe(1_000)
    expect(await seen(closed(30, 'won'), reinstated(30), updated(20), created(10))).toBe(11_000)

    const { body } = await request(server.current, 'GET', '/api/auth/audit', {
      token: user.accessToken,
    })
    const entries = body.entries.filter(({ action }: { action: string }) =>
      action.startsWith('credits.'),
    )
    expect(
      entries.map(({ action, subject, details }: Record<string, unknown>) =>
        subject === payment ? [action, details] : action,
      ),
    ).toEqual([
      ['credits.restored', { credits: 10_000, reason: 'dispute' }],
      ['credits.reversed', { credits: 10_000, reason: 'dispute' }],
      'credits.bought',
      ['credits.bought', { credits: 10_000, reason: 'purchase' }],
    ])
  })

  test('events of a dispute lead to the same balance in any order and concurrently', async () => {
    const story = (payment: string, user: TestUser, outcome: string) => {
      const { created, withdrawn, updated, closed } = disputeOf(payment, 6)
      return [
        [creditsBought(user, 10, { payment }), refunded(payment, 4, 5), created(10)],
        [withdrawn(10), updated(20), closed(30, outcome)],
      ].flat()
    }
    for (const [outcome, remaining] of [
      ['lost', 0],
      ['won', 6_000],
    ] as const) {
      const [backwards, together] = [await newUser(server.current), await newUser(server.current)]
      await send(...story(`pi_backwards_${outcome}`, backwards, outcome).toReversed())
      expect(await balance(backwards)).toBe(remaining)
      const events = story(`pi_together_${outcome}`, together, outcome)
      await Promise.all([...events, ...events].map((event) => send(event)))
      expect(await balance(together)).toBe(remaining)
    }
  })

  test('a dispute of spent credits makes the balance negative until more are bought', async () => {
    const user = await newUser(server.current)
    await send(
      creditsBought(user, 1, { payment: 'pi_spent', metadata: { user_id: user.id, tier: 'payg' } }),
    )
    const talk = () =>
      request(server.current, 'POST', '/api/talk', { token: user.key, body: { message: 'Hi' } })
    expect((await talk()).status).toBe(200)
    const { created, closed } = disputeOf('pi_spent', 1)
    await send(created(10))
    expect(await balance(user)).toBe(-2)
    expect((await talk()).body.detail.error).toBe('credits_depleted')
    await send(closed(20, 'lost'), creditsBought(user, 1))
    expect(await balance(user)).toBe(998)
    expect((await talk()).status).toBe(200)
  })

  test('inquiries and disputes of other payments change nothing', async () => {
    const user = await newUser(server.current)
    await send(
      creditsBought(user, 5, { payment: 'pi_asked_about' }),
      disputeOf('pi_asked_about', 5).created(1, 'warning_needs_response'),
      disputeOf('pi_of_a_subscription', 12).created(1),
      stripeEvent('charge.dispute.created', { id: 'dp_1', amount: 500, status: 'needs_response' }),
      stripeEvent('charge.dispute.created', { id: 'dp_2', payment_intent: 'pi_asked_about' }),
      stripeEvent('refund.updated', {
        id: 're_1',
        status: 'succeeded',
        amount: 500,
        payment_intent: 'pi_asked_about',
      }),
    )
    expect(await balance(user)).toBe(5_000)
  })

  test('credits bought for payg enable it until the user disables it', async () => {
    const user = await newUser(server.current)
    await send(creditsBought(user, 2, { metadata: { user_id: user.id, tier: 'payg' } }))
    expect(await tier(user)).toBe('payg')
    const { created, deleted } = subscriptionOf(user)
    await send(created(1, 'active'))
    expect(await tier(user)).toBe('awakened')
    await send(deleted(2))
    expect(await tier(user)).toBe('payg')
    const stopped = await request(server.current, 'PUT', '/api/billing/payg', {
      token: user.key,
      body: { enabled: false },
    })
    expect([stopped.status, stopped.body.tier, stopped.body.payg.enabled]).toEqual([
      200,
      'amnesiac',
      false,
    ])
  })
})
