import type { TierName } from '../../../shared/tiers.ts'
import { orgError } from './errors.ts'
import type { SeatUse } from './store.ts'

/** The seats that an owner's tier gives an organization; null for an unlimited number. */
export type SeatsOf = (tier: TierName) => number | null

/** The seats of an organization: the highest number among the tiers of its owners. */
export const seatsFor = (tiers: TierName[], seatsOf: SeatsOf): number | null => {
  const seats = tiers.map(seatsOf)
  return seats.includes(null) ? null : Math.max(0, ...seats.map(Number))
}

/** Whether members and open invites leave a seat. */
export const hasFreeSeat = (org: SeatUse, seatsOf: SeatsOf): boolean => {
  const seats = seatsFor(org.tiers, seatsOf)
  return seats === null || org.memberCount + org.openInvites < seats
}

/** @throws ApiError 402 when members and open invites take all seats. */
export const checkSeatToInvite = (org: SeatUse, seatsOf: SeatsOf): void => {
  if (hasFreeSeat(org, seatsOf)) return
  const seats = seatsFor(org.tiers, seatsOf) ?? 0
  throw orgError('no_seat_to_invite', org.memberCount, org.openInvites, seats)
}

/**
 * Call it after the insert of the new member, whose invite took a seat before.
 * @throws ApiError 402 when the organization has more members than seats.
 */
export const checkSeatToJoin = (org: SeatUse, seatsOf: SeatsOf): void => {
  const seats = seatsFor(org.tiers, seatsOf)
  if (seats === null || org.memberCount <= seats) return
  throw orgError('no_seat_to_join', seats)
}
