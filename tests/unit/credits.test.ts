import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  learn,
  type PurchaseEvidence,
  UNBOUGHT,
  worthOf,
} from '../../server/billing/credits/state.ts'

const USER = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'

const told = (...all: PurchaseEvidence[]) => all.reduce(learn, UNBOUGHT)
const worth = (...all: PurchaseEvidence[]) => worthOf(told(...all))
const bought: PurchaseEvidence = { kind: 'bought', userId: USER, micros: 10 }
const refunded = (micros: number, at: number): PurchaseEvidence => ({
  kind: 'paid-back',
  micros,
  at,
})
const failed = (micros: number, at: number, refundId = 're_1'): PurchaseEvidence => ({
  kind: 'refund-failed',
  refundId,
  micros,
  at,
})
const disputed = (status: string, at: number, micros = 10, disputeId = 'dp_1') =>
  ({ kind: 'disputed', disputeId, micros, status, at }) satisfies PurchaseEvidence

/** Anything that may be told of one payment; few seconds, so that many fall into the same. */
const at = fc.integer({ min: 1, max: 4 })
const micros = fc.integer({ min: 0, max: 12 })
const evidence: fc.Arbitrary<PurchaseEvidence> = fc.oneof(
  fc.record({ kind: fc.constant('bought' as const), userId: fc.constant(USER), micros }),
  fc.record({ kind: fc.constant('paid-back' as const), micros, at }),
  fc.record({
    kind: fc.constant('refund-failed' as const),
    refundId: fc.constantFrom('re_1', 're_2'),
    micros,
    at,
  }),
  fc.record({
    kind: fc.constant('disputed' as const),
    disputeId: fc.constantFrom('dp_1', 'dp_2'),
    micros,
    status: fc.constantFrom('needs_response', 'under_review', 'won', 'lost', 'warning_closed', 'x'),
    at,
  }),
)

test('whatever is told of a payment, its order and its repetitions do not matter', () => {
  const tellings = fc.array(evidence, { minLength: 1, maxLength: 8 }).chain((all) =>
    fc.record({
      all: fc.constant(all),
      shuffled: fc.shuffledSubarray(all, { minLength: all.length }),
      again: fc.array(fc.constantFrom(...all), { maxLength: 6 }),
    }),
  )
  fc.assert(
    fc.property(tellings, ({ all, shuffled, again }) => {
      expect(told(...again, ...shuffled, ...again)).toEqual(told(...all))
    }),
    { numRuns: 5_000 },
  )
})

test('a payment is never good for more than was bought, or for less than nothing', () => {
  fc.assert(
    fc.property(fc.array(evidence), (all) => {
      const state = told(...all)
      expect(worthOf(state)).toBeGreaterThanOrEqual(0)
      expect(worthOf(state)).toBeLessThanOrEqual(state.boughtMicros)
    }),
  )
})

test('a dispute holds its credits until it is won, and an inquiry holds none', () => {
  const statuses = ['needs_response', 'under_review', 'lost', 'appeal_under_review', 'won']
  const seen = statuses.map((_, i) => {
    const events = statuses.slice(0, i + 1).map((status, second) => disputed(status, second))
    return worth(bought, ...events)
  })
  expect(seen).toEqual([0, 0, 0, 0, 10])
  expect(worth(bought, disputed('warning_needs_response', 1))).toBe(10)
  expect(worth(bought, disputed('needs_response', 1, 4))).toBe(6)
  // What was paid back and is disputed went back once.
  expect(worth(bought, refunded(10, 1), disputed('needs_response', 2))).toBe(0)
})

test('a refund that fails gives its credits again, and leaves others as they are', () => {
  expect(worth(bought, refunded(4, 1), failed(4, 5))).toBe(10)
  // Another one after it: the provider’s sum is without the one that failed.
  expect(worth(bought, refunded(4, 1), failed(4, 5), refunded(3, 9))).toBe(7)
  // Another one before it: the sum is of both.
  expect(worth(bought, refunded(4, 1), refunded(7, 3), failed(4, 5))).toBe(7)
  // It is told of again when something else about it changes.
  expect(worth(bought, refunded(4, 1), failed(4, 5), refunded(3, 9), failed(4, 10))).toBe(7)
})
