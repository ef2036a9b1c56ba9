import { expect, test } from 'bun:test'
import fc from 'fast-check'
import {
  applyPurchaseEvent,
  creditValue,
  EMPTY_PURCHASE,
  type PurchaseEvent,
} from '../../server/features/billing/credits/state.ts'

const USER = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'

const stateAfter = (...all: PurchaseEvent[]) => all.reduce(applyPurchaseEvent, EMPTY_PURCHASE)
const valueAfter = (...all: PurchaseEvent[]) => creditValue(stateAfter(...all))
const bought: PurchaseEvent = { kind: 'bought', userId: USER, micros: 10 }
const refunded = (micros: number, at: number): PurchaseEvent => ({
  kind: 'refunded',
  micros,
  at,
})
const failed = (micros: number, at: number, refundId = 're_1'): PurchaseEvent => ({
  kind: 'refund-failed',
  refundId,
  micros,
  at,
})
const disputed = (status: string, at: number, micros = 10, disputeId = 'dp_1') =>
  ({ kind: 'disputed', disputeId, micros, status, at }) satisfies PurchaseEvent

/** Any event of one payment; few seconds, so that many events share one. */
const at = fc.integer({ min: 1, max: 4 })
const micros = fc.integer({ min: 0, max: 12 })
const purchaseEvent: fc.Arbitrary<PurchaseEvent> = fc.oneof(
  fc.record({ kind: fc.constant('bought' as const), userId: fc.constant(USER), micros }),
  fc.record({ kind: fc.constant('refunded' as const), micros, at }),
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

test('events of a payment lead to the same state in any order and with repetitions', () => {
  const deliveries = fc.array(purchaseEvent, { minLength: 1, maxLength: 8 }).chain((all) =>
    fc.record({
      all: fc.constant(all),
      shuffled: fc.shuffledSubarray(all, { minLength: all.length }),
      again: fc.array(fc.constantFrom(...all), { maxLength: 6 }),
    }),
  )
  fc.assert(
    fc.property(deliveries, ({ all, shuffled, again }) => {
      expect(stateAfter(...again, ...shuffled, ...again)).toEqual(stateAfter(...all))
    }),
    { numRuns: 5_000 },
  )
})

test('the credit value of a payment is never negative or above the amount bought', () => {
  fc.assert(
    fc.property(fc.array(purchaseEvent), (all) => {
      const state = stateAfter(...all)
      expect(creditValue(state)).toBeGreaterThanOrEqual(0)
      expect(creditValue(state)).toBeLessThanOrEqual(state.boughtMicros)
    }),
  )
})

test('a dispute removes its credits until it is won, and an inquiry removes none', () => {
  const statuses = ['needs_response', 'under_review', 'lost', 'appeal_under_review', 'won']
  const seen = statuses.map((_, i) => {
    const events = statuses.slice(0, i + 1).map((status, second) => disputed(status, second))
    return valueAfter(bought, ...events)
  })
  expect(seen).toEqual([0, 0, 0, 0, 10])
  expect(valueAfter(bought, disputed('warning_needs_response', 1))).toBe(10)
  expect(valueAfter(bought, disputed('needs_response', 1, 4))).toBe(6)
  // A refund and a dispute of the same amount count once.
  expect(valueAfter(bought, refunded(10, 1), disputed('needs_response', 2))).toBe(0)
})

test('a failed refund restores its credits and leaves other refunds unchanged', () => {
  expect(valueAfter(bought, refunded(4, 1), failed(4, 5))).toBe(10)
  // A later refund: the provider’s sum excludes the failed one.
  expect(valueAfter(bought, refunded(4, 1), failed(4, 5), refunded(3, 9))).toBe(7)
  // An earlier refund: the sum includes both.
  expect(valueAfter(bought, refunded(4, 1), refunded(7, 3), failed(4, 5))).toBe(7)
  // The provider repeats the failure when another field of the refund changes.
  expect(valueAfter(bought, refunded(4, 1), failed(4, 5), refunded(3, 9), failed(4, 10))).toBe(7)
})
