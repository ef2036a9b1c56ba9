import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  type Evidence,
  isLive,
  learn,
  type SubscriptionState,
} from '../../server/billing/subscriptions/state.ts'

const USER = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'

/** Anything that may be told of one subscription; few seconds, so that many fall into the same. */
const evidence: fc.Arbitrary<Evidence> = fc.record({
  userId: fc.constant(USER),
  tier: fc.constantFrom('awakened', 'conscious'),
  at: fc.integer({ min: 1, max: 4 }),
  told: fc.oneof(
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
/** As the database makes a row of a subscription that was not heard of before. */
const UNKNOWN: SubscriptionState = {
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

const told = (all: Evidence[]) => all.reduce(learn, UNKNOWN)

test('whatever is told of a subscription, its order and its repetitions do not matter', () => {
  const tellings = fc.array(evidence, { minLength: 1, maxLength: 8 }).chain((all) =>
    fc.record({
      all: fc.constant(all),
      shuffled: fc.shuffledSubarray(all, { minLength: all.length }),
      again: fc.array(fc.constantFrom(...all), { maxLength: 6 }),
    }),
  )
  fc.assert(
    fc.property(tellings, ({ all, shuffled, again }) => {
      expect(told([...again, ...shuffled, ...again])).toEqual(told(all))
    }),
    { numRuns: 5_000 },
  )
})

test('nothing revives a subscription that has ended', () => {
  const ended: Evidence = {
    userId: USER,
    tier: 'awakened',
    at: 2,
    told: {
      kind: 'subscription',
      event: 'deleted',
      status: 'canceled',
      periodEnd: null,
      cancelsAtPeriodEnd: false,
    },
  }
  fc.assert(
    fc.property(fc.array(evidence), fc.array(evidence), (before, after) => {
      expect(isLive(told([...before, ended, ...after]))).toBe(false)
    }),
  )
})
