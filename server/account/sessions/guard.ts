import type { Database, Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { JobKind, Jobs } from '../../platform/jobs.ts'
import {
  clearSignInGuard,
  deleteIdleGuards,
  giveBackSignIn,
  reserveSignIn,
  touchSignInGuard,
} from './store.ts'

const NIGHTLY = '47 3 * * *'

/** Ten wrong passwords or codes in a row lock an address for 15 minutes (contract, section 8). */
export interface SignInGuard {
  /**
   * Counts a try before it is made, so that parallel tries cannot pass the limit together.
   * @throws ApiError 429 while the address is locked.
   */
  reserve(email: string): Promise<void>
  /**
   * Writes, and changes nothing: what is written down of a failed sign-in takes time, and takes it
   * also where there is nobody to write it down for, so that time does not tell who has an account.
   */
  touch(email: string): Promise<void>
  /** Takes a try back that was right, though it did not complete a sign-in. */
  giveBack(email: string, tx: Db): Promise<void>
  /** Forgets what failed before a sign-in that is now complete. */
  clear(email: string, tx: Db): Promise<void>
}

const createSignInGuard = ({ db }: Database): SignInGuard => ({
  async reserve(email) {
    const lockedMinutes = await reserveSignIn(db, email)
    if (lockedMinutes !== undefined) throw locked(lockedMinutes)
  },
  touch: (email) => touchSignInGuard(db, email),
  giveBack: (email, tx) => giveBackSignIn(tx, email),
  clear: (email, tx) => clearSignInGuard(tx, email),
})

/** Starts it, and each night forgets addresses that nobody has tried for a month: most belong to nobody. */
export const startSignInGuard = async (
  database: Database,
  jobs: Pick<Jobs, 'repeat' | 'send'>,
): Promise<SignInGuard> => {
  const forgetting: JobKind<object> = {
    name: 'sign-in-guards-forget',
    retries: 2,
    keyOf: () => 'all',
    pollSeconds: 60,
    run: () => deleteIdleGuards(database.db),
  }
  await jobs.repeat(forgetting, {}, NIGHTLY)
  // A server that is not on at night looks when it starts.
  await jobs.send(forgetting, {})
  return createSignInGuard(database)
}

const locked = (minutes: number) =>
  new ApiError(
    429,
    `Too many failed sign-ins. Try again in ${minutes} minute${minutes === 1 ? '' : 's'}.`,
  )
