import type { OAuthConnection } from '../../../../shared/contract/oauth-sign-in.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { lockForSignIn, lockSignInMethods } from '../../users/store.ts'
import { signInError } from '../errors.ts'
import { OAuthFailure, oauthSignInError } from './errors.ts'
import type { ProviderAccount } from './providers/provider.ts'
import { deleteConnections, findConnectedUser, insertConnection, listConnections } from './store.ts'

/** The OAuth providers that an account is connected to. */
export type ConnectionService = ReturnType<typeof createConnectionService>

export const createConnectionService = (
  { db }: Database,
  { hasPasskeys }: { hasPasskeys: (tx: Db, userId: string) => Promise<boolean> },
) => ({
  async list({ userId }: Caller): Promise<OAuthConnection[]> {
    const rows = await listConnections(db, userId)
    return rows.map(({ provider, email, createdAt }) => ({
      provider,
      email,
      connected_at: createdAt.toISOString(),
    }))
  },

  /**
   * Connects an account at a provider to the account of a signed-in user, whatever its address.
   * @throws OAuthFailure if it is connected to another account.
   */
  connect(
    userId: string,
    provider: string,
    { subject, email }: ProviderAccount,
    { ip }: RequestClient,
  ): Promise<void> {
    return db.transaction(async (tx) => {
      const user = await lockForSignIn(tx, userId)
      if (!user || user.disabledAt) throw new OAuthFailure('account_disabled')
      const owner = await findConnectedUser(tx, provider, subject)
      if (owner?.id === userId) return
      const isInserted =
        !owner && (await insertConnection(tx, { provider, subject, userId, email }))
      if (!isInserted) throw new OAuthFailure('connected_elsewhere')
      const details = { provider }
      await recordAudit(tx, { userId, action: 'provider.connected', ip, details })
    })
  },

  /** @throws ApiError 404 for a provider that is not connected, 400 for the last sign-in method. */
  disconnect({ userId }: Caller, name: string, { ip }: RequestClient): Promise<void> {
    return db.transaction(async (tx) => {
      const hasPassword = await lockSignInMethods(tx, userId)
      const connections = await listConnections(tx, userId)
      const provider = connections.find((row) => row.provider === name)?.provider
      if (!provider) throw oauthSignInError('oauth_provider_not_connected')
      const isOnly = !hasPassword && connections.every((row) => row.provider === provider)
      if (isOnly && !(await hasPasskeys(tx, userId))) throw signInError('last_sign_in_method')
      await deleteConnections(tx, userId, provider)
      const details = { provider }
      await recordAudit(tx, { userId, action: 'provider.disconnected', ip, details })
    })
  },

  /** Deletes all connections of a user. */
  deleteAll: (tx: Db, userId: string): Promise<void> => deleteConnections(tx, userId),
})
