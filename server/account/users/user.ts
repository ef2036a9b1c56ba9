import type { CurrentUser, User } from '../../../shared/contract/sessions.ts'
import type { Db } from '../../platform/db/database.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import { recordAudit } from './audit/store.ts'
import { userError } from './errors.ts'
import { confirmEmail } from './store.ts'
import type { UserRow } from './table.ts'

export const presentUser = (user: UserRow): User => ({
  id: user.id,
  email: user.email,
  created_at: user.createdAt.toISOString(),
  email_verified: user.emailVerified,
  display_name: user.displayName,
  avatar_url: user.avatarUrl,
})

export const presentCurrentUser = (user: UserRow, isAdmin: IsAdmin): CurrentUser => ({
  id: user.id,
  email: user.email,
  onboarding_completed: user.onboardingCompleted,
  email_verified: user.emailVerified,
  display_name: user.displayName,
  avatar_url: user.avatarUrl,
  is_admin: isAdmin(user),
})

export type IsAdmin = (user: UserRow) => boolean

/** A user is an admin by the column, or by a verified address in `adminEmails`. */
export const createIsAdmin = (adminEmails: string[]): IsAdmin => {
  const addresses = new Set(adminEmails)
  return (user) => user.isAdmin || (user.emailVerified && addresses.has(user.email))
}

/**
 * Call it only for a user who has proved who they are, because the error reveals that the account exists.
 * @throws ApiError 403 for a user that an admin has disabled.
 */
export const checkEnabled = (user: Pick<UserRow, 'disabledAt'>): void => {
  if (user.disabledAt) throw userError('account_disabled')
}

/** Verifies an address that a mailed link has proved. @returns undefined when the account has another now. */
export const verifyAddress = async (
  tx: Db,
  userId: string,
  email: string,
  client: RequestClient,
): Promise<UserRow | undefined> => {
  const user = await confirmEmail(tx, userId, email)
  if (user) await recordAudit(tx, { userId, action: 'email.verified', ip: client.ip })
  return user
}
