import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  applySubscriptionEvent,
  isLive,
  type SubscriptionEvent,
  type SubscriptionState,
} from '../../server/features/billing/subscriptions/state.ts'

const USER = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'

/** Any event of one subscription; few seconds, so that many events share one. */
const subscriptionEvent: fc.Arbitrary<SubscriptionEvent> = fc.record({
  userId: fc.constant(USER),
  tier: fc.constantFrom('awakened', 'conscious'),
  at: fc.integer({ min: 1, max: 4 }),
  details: fc.oneof(
    fc.record({ kind: fc.constant('paid' as const) }),
    fc.record({ kind: fc.constant('failed' as const) }),
    fc.record({
      kind: fc.constant('subscription' as const),
      event: fc.constantFrom('created' as const, 'updated' as const),
      status: fc.constantFrom(
        'incomplete',
        'trialing',
        'active',
        'past_due',
        'unpaid',
        'paused',
        'canceled',
        'of_a_later_year',
        'of_another_year',
      ),
      periodEnd: fc.constantFrom(null, 10, 20),
      cancelsAtPeriodEnd: fc.boolean(),
    }),
  ),
})
/** The defaults of a new row. */
const EMPTY: SubscriptionState = {
  userId: null,
  tier: null,
  status: null,
  statusAt: 0,
  statusRank: 0,
  paidAt: 0,
  failedAt: 0,
  periodEnd: null,
  cancelsAtPeriodEnd: false,
  hasEnded: false,
}

const stateAfter = (all: SubscriptionEvent[]) => all.reduce(applySubscriptionEvent, EMPTY)

test('events of a subscription lead to the same state in any order and with repetitions', () => {
  const deliveries = fc.array(subscriptionEvent, { minLength: 1, maxLength: 8 }).chain((all) =>
    fc.record({
      all: fc.constant(all),
      shuffled: fc.shuffledSubarray(all, { minLength: all.length }),
      again: fc.array(fc.constantFrom(...all), { maxLength: 6 }),
    }),
  )
  fc.assert(
    fc.property(deliveries, ({ all, shuffled, again }) => {
      expect(stateAfter([...again, ...shuffled, ...again])).toEqual(stateAfter(all))
    }),
    { numRuns: 5_000 },
  )
})

test('no event revives a subscription that has ended', () => {
  const ended: SubscriptionEvent = {
    userId: USER,
    tier: 'awakened',
    at: 2,
    details: {
      kind: 'subscription',
      event: 'deleted',
      status: 'canceled',
      periodEnd: null,
      cancelsAtPeriodEnd: false,
    },
  }
  fc.assert(
    fc.property(fc.array(subscriptionEvent), fc.array(subscriptionEvent), (before, after) => {
      expect(isLive(stateAfter([...before, ended, ...after]))).toBe(false)
    }),
  )
})
