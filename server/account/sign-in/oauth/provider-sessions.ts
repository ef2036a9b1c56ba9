import type { Cipher } from '../../../platform/cipher.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { hashSecret } from '../../../platform/secrets.ts'
import type { ProviderSignOut } from '../../access/sessions/list.ts'
import type { SessionService, SignedIn } from '../../access/sessions/service.ts'
import { lockSignIns } from '../../users/store.ts'
import type { UserRow } from '../../users/table.ts'
import type { SignInPending } from '../service.ts'
import {
  bindProviderSession,
  consumeLogoutToken,
  deleteProviderSessions,
  findProviderSession,
  findUsersSignedIn,
  insertProviderSession,
} from './provider-session-store.ts'
import type { Providers } from './providers/index.ts'
import {
  CLOCK_TOLERANCE_SECONDS,
  LOGOUT_TOKEN_SECONDS,
  type LogoutToken,
  LogoutTokenError,
} from './providers/openid-tokens.ts'
import type { ProviderAccount } from './providers/provider.ts'

/** Remembers the session at the provider that a sign-in came from. */
export type RecordProviderSession = (
  tx: Db,
  signIn: {
    provider: string
    account: ProviderAccount
    user: Pick<UserRow, 'id'>
    signIn: SignedIn | SignInPending
  },
) => Promise<void>

/** The sessions at OpenID providers that sessions came from. They end together. */
export interface ProviderSessionService extends ProviderSignOut {
  record: RecordProviderSession

  /** A sign-in that waited for its second factor has become a session. */
  bind(tx: Db, challengeId: string, sessionId: string): Promise<void>

  /** A session has opened another one, which ends with the same session at the provider. */
  copy(tx: Db, fromSessionId: string, toSessionId: string): Promise<void>

  /**
   * Ends the sessions that a logout token names, and the sign-ins that wait for a second factor.
   * @throws LogoutTokenError for a token that was used already.
   */
  end(provider: string, token: LogoutToken): Promise<void>
}

interface ProviderSessionDeps {
  database: Database
  sessions: Pick<SessionService, 'end'>
  /** Ends the sign-ins of a user that wait for their second factor. */
  endChallenges(tx: Db, userId: string): Promise<void>
  cipher: Cipher
  /** The current providers of the configuration. */
  providers: () => Providers
  baseUrl: string
}

export const createProviderSessionService = ({
  database: { db },
  sessions,
  endChallenges,
  cipher,
  providers,
  baseUrl,
}: ProviderSessionDeps): ProviderSessionService => ({
  async record(tx, { provider, account: { subject, session }, user, signIn }) {
    if (!session) return
    const { sid, idToken, endSessionEndpoint } = session
    const became =
      'sessionId' in signIn ? { sessionId: signIn.sessionId } : { challengeId: signIn.challengeId }
    await insertProviderSession(tx, {
      id: Bun.randomUUIDv7(),
      userId: user.id,
      provider,
      subject,
      providerSid: sid,
      idToken: idToken && cipher.seal(idToken, user.id),
      endSessionEndpoint,
      ...became,
    })
  },

  bind: bindProviderSession,

  async copy(tx, fromSessionId, toSessionId) {
    const row = await findProviderSession(tx, fromSessionId)
    if (row)
      await insertProviderSession(tx, { ...row, id: Bun.randomUUIDv7(), sessionId: toSessionId })
  },

  /** OpenID Connect RP-Initiated Logout 1.0. */
  async logoutUrl(sessionId) {
    const row = await findProviderSession(db, sessionId)
    const client = row && providers().get(row.provider)?.openId
    if (!client || !row.endSessionEndpoint) return undefined
    const hint = row.idToken && cipher.open(row.idToken, row.userId)
    const url = new URL(row.endSessionEndpoint)
    if (hint) url.searchParams.set('id_token_hint', hint)
    url.searchParams.set('client_id', client.clientId)
    url.searchParams.set('post_logout_redirect_uri', `${baseUrl}/signin`)
    return url.href
  },

  end(provider, { jti, subject, sid }) {
    const ended = { provider, subject, sid }
    const seconds = LOGOUT_TOKEN_SECONDS + 2 * CLOCK_TOLERANCE_SECONDS
    return db.transaction(async (tx) => {
      const isFirst = await consumeLogoutToken(
        tx,
        hashSecret(`${provider} ${jti}`),
        new Date(Date.now() + seconds * 1000),
      )
      if (!isFirst) throw new LogoutTokenError('logout_token was used already')
      for (const userId of await findUsersSignedIn(tx, ended)) {
        // A sign-in that is being completed commits before this lock, or finds its challenge gone.
        await lockSignIns(tx, userId)
        await endChallenges(tx, userId)
      }
      const rows = await deleteProviderSessions(tx, ended)
      const ids = rows.flatMap(({ sessionId }) => (sessionId ? [sessionId] : []))
      for (const id of ids.toSorted()) await sessions.end(tx, id)
    })
  },
})
