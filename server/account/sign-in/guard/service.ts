import type { Database, Db } from '../../../platform/db/database.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { clearSignInGuard, releaseSignIn, reserveSignIn, touchSignInGuard } from './store.ts'

const signInGuardError = defineErrors({
  sign_in_locked: (minutes: number) => ({
    status: 429,
    detail: `Too many failed sign-ins. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
  }),
})

/**
 * Account lockout against brute force: locks an address for 15 minutes after ten wrong passwords or codes
 * in a row.
 */
export type SignInGuard = ReturnType<typeof createSignInGuard>

export const createSignInGuard = ({ db }: Database) => ({
  /**
   * Counts an attempt before it is made, so that parallel attempts cannot exceed the limit.
   * @throws ApiError 429 while the address is locked.
   */
  async reserve(email: string): Promise<void> {
    const minutes = await reserveSignIn(db, email)
    if (minutes !== undefined) throw signInGuardError('sign_in_locked', minutes)
  },

  /**
   * Writes without an effect. A failed sign-in of an existing account writes an audit entry; this call
   * takes the same time for an unknown address, so that timing does not reveal which accounts exist.
   */
  touch: (email: string): Promise<void> => touchSignInGuard(db, email),

  /** Refunds an attempt that was correct but did not complete a sign-in. */
  refund: (email: string, tx: Db): Promise<void> => releaseSignIn(tx, email),

  /** Deletes the failures of an address after a complete sign-in. */
  clear: (email: string, tx: Db): Promise<void> => clearSignInGuard(tx, email),
})
