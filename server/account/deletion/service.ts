import { errorText } from '../../../shared/errors.ts'
import type { DeleteAccount } from '../../../shared/schemas/sessions.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Limits } from '../../platform/http/limits.ts'
import { normalizeEmail } from '../users/email.ts'
import type { Passwords } from '../users/passwords.ts'
import { deleteUser, findUser, lockUser } from '../users/store.ts'
import type { UserRow } from '../users/table.ts'

/** Erases what one domain keeps of a user, within the transaction that deletes the account. */
export type Erase = (tx: Db, user: { id: string; email: string }) => Promise<void>

export type DeletionService = ReturnType<typeof createDeletionService>

/**
 * Deletes accounts. What refers to the user's row goes with it; every domain that keeps more brings
 * an `Erase` of its own.
 */
export const createDeletionService = (
  { db }: Database,
  passwords: Passwords,
  limits: Limits,
  erasers: {
    /** While the user's row is there. */
    before: Erase[]
    /** Once it is gone. */
    after: Erase[]
  },
) => {
  /** @throws ApiError 400 for what does not prove that the owner wants it; 429 after ten wrong passwords. */
  const confirm = async (user: UserRow, body: DeleteAccount): Promise<void> => {
    if (user.passwordHash === null) {
      if (normalizeEmail(body.confirm ?? '') !== user.email)
        throw new ApiError(400, 'Confirm with the email address of the account')
      return
    }
    if (!body.password) throw new ApiError(400, 'Password is required')
    await limits.passwordChecks.take(user.id)
    if (!(await passwords.verify(body.password, user.passwordHash)))
      throw new ApiError(400, 'Password is wrong')
    await limits.passwordChecks.giveBack(user.id)
  }

  return {
    /** @throws ApiError 400 for a wrong or missing confirmation, 401 when the account is gone. */
    async delete(caller: Caller, body: DeleteAccount): Promise<void> {
      const user = await findUser(db, caller.userId)
      if (!user) throw gone()
      await confirm(user, body)
      await db.transaction(async (tx) => {
        if (!(await lockUser(tx, user.id))) throw gone()
        for (const erase of erasers.before) await erase(tx, user)
        const deleted = await deleteUser(tx, user.id)
        if (!deleted) throw gone()
        for (const erase of erasers.after) await erase(tx, deleted)
      })
      await limits.forget(user.id)
    },
  }
}

const gone = () => new ApiError(401, errorText.badCredentials)
