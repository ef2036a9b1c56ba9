import { isGreater } from '../order.ts'
import type { PurchaseRow } from './table.ts'

/** What went back of a payment, or came back again, by the id of the dispute or of the refund. */
export type Reversal =
  | { kind: 'dispute'; micros: number; status: string; at: number }
  | { kind: 'failed-refund'; micros: number; at: number }

/** What one event of the payment provider tells of a payment. Times are the provider's, in seconds. */
export type PurchaseEvidence =
  | { kind: 'bought'; userId: string; micros: number }
  /** `micros` is the sum of all that was paid back by then. */
  | { kind: 'paid-back'; micros: number; at: number }
  | { kind: 'disputed'; disputeId: string; micros: number; status: string; at: number }
  /** What was to be paid back and could not be. */
  | { kind: 'refund-failed'; refundId: string; micros: number; at: number }

export type PurchaseState = Omit<PurchaseRow, 'paymentId' | 'createdAt'>

export const UNBOUGHT: PurchaseState = {
  userId: null,
  boughtMicros: 0,
  paidBackMicros: 0,
  paidBackAt: 0,
  reversals: {},
}

/** Of two states within a second the one that leads on from the other; one that is lost may be appealed. */
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

/**
 * Adds to a state what an event tells. Whichever order the same events come in, and however often, they
 * lead to the same state.
 */
export const learn = (state: PurchaseState, evidence: PurchaseEvidence): PurchaseState => {
  const { kind, micros } = evidence
  if (kind === 'bought')
    return {
      ...state,
      userId: state.userId ?? evidence.userId,
      boughtMicros: Math.max(state.boughtMicros, micros),
    }
  const { at } = evidence
  if (kind === 'paid-back')
    return isGreater([at, micros], [state.paidBackAt, state.paidBackMicros])
      ? { ...state, paidBackMicros: micros, paidBackAt: at }
      : state
  if (kind === 'disputed')
    return withReversal(state, evidence.disputeId, {
      kind: 'dispute',
      micros,
      status: evidence.status,
      at,
    })
  return withReversal(state, evidence.refundId, { kind: 'failed-refund', micros, at })
}

const withReversal = (state: PurchaseState, id: string, told: Reversal): PurchaseState => {
  const known = state.reversals[id]
  const isNews = !known || isGreater(orderOf(told), orderOf(known))
  return isNews ? { ...state, reversals: { ...state.reversals, [id]: told } } : state
}

/** The last that is told of a dispute counts; of a refund that failed, the first: it is told of more than once. */
const orderOf = (reversal: Reversal): (number | string)[] =>
  reversal.kind === 'dispute'
    ? [reversal.at, STATUSES.indexOf(reversal.status), reversal.micros, reversal.status]
    : [-reversal.at, reversal.micros]

/** Credits in micro-dollars that a payment is good for: what was bought, less what went back of it. */
export const worthOf = (state: PurchaseState): number => {
  const reversals = Object.values(state.reversals)
  const sum = (counts: (reversal: Reversal) => boolean) =>
    reversals.reduce((micros, each) => micros + (counts(each) ? each.micros : 0), 0)
  // A sum that was told later leaves out what had failed by then.
  const failed = sum(({ kind, at }) => kind === 'failed-refund' && at >= state.paidBackAt)
  const disputed = sum((each) => each.kind === 'dispute' && isHeld(each.status))
  return Math.max(0, state.boughtMicros - Math.max(0, state.paidBackMicros - failed) - disputed)
}

/** An inquiry before a dispute moves no money. */
const isHeld = (status: string): boolean =>
  !status.startsWith('warning_') && status !== 'won' && status !== 'prevented'
