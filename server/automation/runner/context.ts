import type { Db } from '../../platform/db/database.ts'
import type { FiringContext } from '../channels/channel.ts'
import { appliesTo } from '../events/events.ts'
import type { FiringRef } from '../firings/jobs.ts'
import { lockReflexOwner } from '../firings/owner.ts'
import { lockReflex } from '../firings/reflex-store.ts'
import { findFiring, lockFiring } from '../firings/store.ts'
import type { FiringRow } from '../firings/table.ts'
import { handlersOf } from '../reflexes/handlers.ts'
import type { ReflexRow } from '../reflexes/table.ts'
import { disabledHandlers } from '../registry/disabled.ts'
import { describeHandler } from '../registry/handler.ts'

/** A firing that waits for its owner's account to be enabled. */
const ACCOUNT = 'account'

/** Locks the owner, the reflex and the firing, in this order. @returns undefined unless it is pending. */
export const lockPendingFiring = async (
  tx: Db,
  { userId, firingId }: FiringRef,
): Promise<FiringContext | undefined> => {
  const owner = await lockReflexOwner(tx, userId)
  const found = owner && (await findFiring(tx, userId, firingId))
  const reflex = found && (await lockReflex(tx, userId, found.reflexId))
  const firing = reflex && (await lockFiring(tx, userId, firingId))
  return owner && reflex && firing?.state === 'pending' ? { owner, reflex, firing } : undefined
}

/** @returns the columns of a firing that cannot run for now; undefined for one that can. */
export const blockedBy = async (tx: Db, { owner, reflex }: FiringContext) => {
  if (owner.isDisabled) return { blockedBy: ACCOUNT, error: 'The account is disabled' }
  const disabled = await disabledHandlers(tx)
  const found = handlersOf(reflex).find((key) => disabled.has(key))
  return (
    found && {
      blockedBy: found,
      error: `Waiting: ${describeHandler(found)} is switched off by an admin`,
    }
  )
}

/** @returns why an unconfirmed firing is skipped; undefined if it is not. */
export const skipReason = (reflex: ReflexRow, firing: FiringRow): string | undefined => {
  if (!reflex.isEnabled) return 'The reflex was disabled'
  if (reflex.skipsAlways) return 'You chose to always skip it'
  return appliesTo(reflex, firing.event) ? undefined : 'The event no longer matches the reflex'
}
