import type { DeleteAccount } from '../../../shared/contract/deletion.ts'
import { deleteAccount } from '../../../shared/contract/index.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { commonError, defineErrors } from '../../platform/http/error.ts'
import type { Limiter } from '../../platform/http/limits.ts'
import type { Mount } from '../../platform/http/route.ts'
import { normalizeEmail } from './email-address.ts'
import { type Passwords, passwordCheckLimit } from './passwords.ts'
import { deleteUser, findUser, lockUserForDelete } from './store.ts'
import type { UserRow } from './table.ts'

const deletionError = defineErrors({
  deletion_not_confirmed: {
    status: 400,
    detail: 'Confirm with the email address of the account',
  },
  deletion_password_missing: { status: 400, detail: 'Password is required' },
  deletion_password_wrong: { status: 400, detail: 'Password is wrong' },
})

/** The account, as far as others may have copied it. */
export type DeletedUser = Pick<UserRow, 'id' | 'email' | 'username' | 'displayName'>

/** Erases the data of the domains in the transaction that deletes the account. */
export type Erase = (tx: Db, user: DeletedUser) => Promise<void>

/**
 * Deletes accounts. Rows that reference the user are deleted by cascade; a feature with other data has a step of
 * the ending.
 */
export type DeletionService = ReturnType<typeof createDeletionService>

export const createDeletionService = (
  { db }: Database,
  passwords: Passwords,
  limiter: Limiter,
  erasers: {
    /** Runs while the user row exists. */
    before: Erase
    /** Runs after the user row is deleted. */
    after: Erase
  },
) => {
  /** @throws ApiError 400 for a missing or wrong confirmation, 429 after ten wrong passwords. */
  const confirm = async (user: UserRow, body: DeleteAccount): Promise<void> => {
    if (user.passwordHash === null) {
      if (normalizeEmail(body.confirm ?? '') !== user.email)
        throw deletionError('deletion_not_confirmed')
      return
    }
    if (!body.password) throw deletionError('deletion_password_missing')
    await limiter.consume(passwordCheckLimit, user.id)
    if (!(await passwords.verify(body.password, user.passwordHash)))
      throw deletionError('deletion_password_wrong')
    await limiter.refund(passwordCheckLimit, user.id)
  }

  /** Locks a user before `erase`. @returns undefined when the user is deleted. */
  const lock = async (tx: Db, userId: string): Promise<UserRow | undefined> =>
    (await lockUserForDelete(tx, userId)) ? findUser(tx, userId) : undefined

  /** Deletes a locked user and all that the account owns. @throws ApiError 409 for the only owner of an organization. */
  const erase = async (tx: Db, user: UserRow): Promise<void> => {
    await erasers.before(tx, user)
    const deleted = await deleteUser(tx, user.id)
    if (!deleted) throw commonError('bad_credentials')
    await erasers.after(tx, deleted)
  }

  /** Forgets the limits of a deleted user, after the commit. */
  const forget = (userId: string): Promise<void> => limiter.forget(userId)

  return {
    lock,
    erase,
    forget,

    /** @throws ApiError 400 for a wrong or missing confirmation, 401 for a deleted account. */
    async delete(caller: Caller, body: DeleteAccount): Promise<void> {
      const user = await findUser(db, caller.userId)
      if (!user) throw commonError('bad_credentials')
      await confirm(user, body)
      await db.transaction(async (tx) => {
        const locked = await lock(tx, user.id)
        if (!locked) throw commonError('bad_credentials')
        await erase(tx, locked)
      })
      await forget(user.id)
    },
  }
}

export const deletionRoutes = (mount: Mount, deletion: DeletionService): void => {
  mount(deleteAccount, async ({ caller, body, refreshCookie }) => {
    await deletion.delete(caller, body)
    refreshCookie.clear()
    return { message: 'Your account and all its data are deleted' }
  })
}
