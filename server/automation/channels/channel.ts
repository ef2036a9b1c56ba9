import type { Db } from '../../platform/db/database.ts'
import type { ReflexOwner } from '../firings/owner.ts'
import type { FiringRow } from '../firings/table.ts'
import type { ReflexRow } from '../reflexes/table.ts'
import type { RegistryHandler } from '../registry/handler.ts'

/** The locked rows of a firing that runs. */
export interface FiringContext {
  owner: ReflexOwner
  reflex: ReflexRow
  firing: FiringRow
}

interface Notification {
  title: string
  text: string
}

/** A way to notify the owner of a reflex. */
export interface Channel extends RegistryHandler {
  /**
   * Sends within the transaction that completes the firing, and so exactly once.
   * @throws FiringFailure or ApiError if the owner cannot be notified.
   */
  send(tx: Db, context: FiringContext, notification: Notification): Promise<void>
}
