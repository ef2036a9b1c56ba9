import type { Cipher } from '../../../platform/cipher.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { hashSecret } from '../../../platform/secrets.ts'
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

interface ProviderSignIn {
  provider: string
  account: ProviderAccount
  user: Pick<UserRow, 'id'>
  signIn: SignedIn | SignInPending
}

/** The sessions at OpenID providers that sessions came from. They end together. */
export type ProviderSessionService = ReturnType<typeof createProviderSessionService>

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
}: ProviderSessionDeps) => ({
  /** Remembers the session at the provider that a sign-in came from. */
  async record(
    tx: Db,
    { provider, account: { subject, session }, user, signIn }: ProviderSignIn,
  ): Promise<void> {
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

  /** A sign-in that waited for its second factor has become a session. */
  bind: bindProviderSession,

  /** A session has opened another one, which ends with the same session at the provider. */
  async copy(tx: Db, fromSessionId: string, toSessionId: string): Promise<void> {
    const row = await findProviderSession(tx, fromSessionId)
    if (row)
      await insertProviderSession(tx, { ...row, id: Bun.randomUUIDv7(), sessionId: toSessionId })
  },

  /**
   * The page that also ends the session at the provider: OpenID Connect RP-Initiated Logout 1.0.
   */
  async logoutUrl(sessionId: string): Promise<string | undefined> {
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

  /**
   * Ends the sessions that a logout token names, and the sign-ins that wait for a second factor.
   * @throws LogoutTokenError for a token that was used already.
   */
  end(provider: string, { jti, subject, sid }: LogoutToken): Promise<void> {
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
