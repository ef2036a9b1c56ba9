import { isGreater } from '../stripe/events.ts'
import type { PurchaseRow, Reversal } from './table.ts'

/** One event of the payment provider about a payment. Times are the provider's, in seconds. */
export type PurchaseEvent =
  | { kind: 'bought'; userId: string; micros: number }
  /** `micros` is the sum of all refunds so far. */
  | { kind: 'refunded'; micros: number; at: number }
  | { kind: 'disputed'; disputeId: string; micros: number; status: string; at: number }
  | { kind: 'refund-failed'; refundId: string; micros: number; at: number }

export type PurchaseState = Omit<PurchaseRow, 'paymentId' | 'createdAt'>

export const EMPTY_PURCHASE: PurchaseState = {
  userId: null,
  boughtMicros: 0,
  refundedMicros: 0,
  refundedAt: 0,
  reversals: {},
}

/** Orders the statuses of a dispute that arrive in the same second. A lost dispute can be appealed. */
const STATUSES = [
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'lost',
  'appeal_needs_response',
  'appeal_under_review',
  'prevented',
  'won',
]

/** The same events lead to the same state, in any order and however often each is applied. */
export const applyPurchaseEvent = (state: PurchaseState, event: PurchaseEvent): PurchaseState => {
  const { kind, micros } = event
  if (kind === 'bought')
    return {
      ...state,
      userId: state.userId ?? event.userId,
      boughtMicros: Math.max(state.boughtMicros, micros),
    }
  const { at } = event
  if (kind === 'refunded')
    return isGreater([at, micros], [state.refundedAt, state.refundedMicros])
      ? { ...state, refundedMicros: micros, refundedAt: at }
      : state
  if (kind === 'disputed')
    return withReversal(state, event.disputeId, {
      kind: 'dispute',
      micros,
      status: event.status,
      at,
    })
  return withReversal(state, event.refundId, { kind: 'failed-refund', micros, at })
}

const withReversal = (state: PurchaseState, id: string, reversal: Reversal): PurchaseState => {
  const previous = state.reversals[id]
  const isLater = !previous || isGreater(orderOf(reversal), orderOf(previous))
  return isLater ? { ...state, reversals: { ...state.reversals, [id]: reversal } } : state
}

/** The last event of a dispute counts, but the first of a failed refund: Stripe repeats it later. */
const orderOf = (reversal: Reversal): (number | string)[] =>
  reversal.kind === 'dispute'
    ? [reversal.at, STATUSES.indexOf(reversal.status), reversal.micros, reversal.status]
    : [-reversal.at, reversal.micros]

/** Credits of a purchase after refunds and disputes, in micro-dollars. */
export const creditValue = (state: PurchaseState): number => {
  const reversals = Object.values(state.reversals)
  const sum = (counts: (reversal: Reversal) => boolean) =>
    reversals.reduce((micros, each) => micros + (counts(each) ? each.micros : 0), 0)
  // A later sum of refunds excludes those that had failed by then.
  const failed = sum(({ kind, at }) => kind === 'failed-refund' && at >= state.refundedAt)
  const disputed = sum((each) => each.kind === 'dispute' && isWithdrawn(each.status))
  return Math.max(0, state.boughtMicros - Math.max(0, state.refundedMicros - failed) - disputed)
}

/** Whether the provider has withdrawn the disputed amount. An inquiry before a dispute moves no money. */
const isWithdrawn = (status: string): boolean =>
  !status.startsWith('warning_') && status !== 'won' && status !== 'prevented'
