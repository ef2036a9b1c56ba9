import type { OAuthProvider } from '../../../shared/schemas/oauth.ts'
import type { Db } from '../../platform/db/database.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import { recordAudit } from '../audit/store.ts'
import type { SessionService, SignedIn, SignInPending } from '../sessions/service.ts'
import { readEmail } from '../users/email.ts'
import { findUserByEmail } from '../users/store.ts'
import type { UserRow } from '../users/table.ts'
import { OAuthFailure } from './failure.ts'
import type { ProviderAccount } from './providers/provider.ts'
import { findConnectedUser, insertConnection } from './store.ts'

/** Somebody let in, or asked for their second factor. */
export type Admitted = { isNew: boolean } & (SignedIn | SignInPending)

/** Lets in whoever a provider vouches for, into the account that is theirs or a new one. */
export const admission = (db: Db, sessions: SessionService) => {
  const findOrCreate = async (
    tx: Db,
    provider: OAuthProvider,
    account: ProviderAccount,
    client: Client,
  ): Promise<{ user: UserRow; isNew: boolean }> => {
    const known = await findConnectedUser(tx, provider, account.subject)
    if (known) return { user: known, isNew: false }

    const email = emailOf(account)
    const owner = await findUserByEmail(tx, email)
    if (owner && !(owner.emailVerified && account.emailVerified))
      throw new OAuthFailure('account_exists')
    const { emailVerified } = account
    const user =
      owner ?? (await sessions.register(tx, { email, emailVerified, passwordHash: null }, client))
    const connection = { provider, subject: account.subject, userId: user.id, email }
    if (!(await insertConnection(tx, connection)))
      throw new ApiError(409, 'Provider already connected')
    await recordAudit(tx, {
      userId: user.id,
      action: 'provider.connected',
      ip: client.ip,
      details: { provider },
    })
    return { user, isNew: !owner }
  }

  /** Two callbacks may make or connect the same account at once: the later one finds it made. */
  return (provider: OAuthProvider, account: ProviderAccount, client: Client): Promise<Admitted> => {
    const once = () =>
      db.transaction(async (tx) => {
        const { user, isNew } = await findOrCreate(tx, provider, account, client)
        if (user.disabledAt) throw new OAuthFailure('account_disabled')
        return { isNew, ...(await sessions.admit(tx, user, client)) }
      })
    return once().catch((error) => {
      if (error instanceof ApiError && error.status === 409) return once()
      throw error
    })
  }
}

const emailOf = ({ email }: ProviderAccount): string => {
  if (!email) throw new OAuthFailure('email_required')
  try {
    return readEmail(email)
  } catch (cause) {
    throw new OAuthFailure('email_not_allowed', cause)
  }
}
