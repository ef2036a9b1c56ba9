import type { TierName } from '../../../shared/schemas/billing.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Seen } from './store.ts'

/** How many seats a tier gives an organization; null for any number. */
export type SeatsOf = (tier: TierName) => number | null

/** The seats of an organization whose owners have these tiers: the best of them counts. */
export const seatsFor = (tiers: TierName[], seatsOf: SeatsOf): number | null => {
  const seats = tiers.map(seatsOf)
  return seats.includes(null) ? null : Math.max(0, ...seats.map(Number))
}

/** @throws ApiError 402 when there is no seat for one more invite. */
export const checkSeatToInvite = (seen: Seen, seatsOf: SeatsOf): void => {
  const { memberCount, openInvites } = seen
  const seats = seatsFor(seen.tiers, seatsOf)
  if (seats === null || memberCount + openInvites < seats) return
  throw new ApiError(
    402,
    `All seats of the organization are taken: ${count(memberCount, 'member')} and ${count(openInvites, 'open invite')} of ${seats}. Withdraw an invite, remove a member, or have an owner move to a tier with more seats`,
  )
}

/**
 * Looks at an organization with its new member in it: their seat was held by the invite.
 * @throws ApiError 402 when there are more members than seats by now.
 */
export const checkSeatToJoin = (seen: Seen, seatsOf: SeatsOf): void => {
  const seats = seatsFor(seen.tiers, seatsOf)
  if (seats === null || seen.memberCount <= seats) return
  throw new ApiError(
    402,
    `The organization has no seat left: members take all ${seats}. Ask an owner of it to move to a tier with more seats or to remove a member, and accept then`,
  )
}

const count = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? '' : 's'}`
