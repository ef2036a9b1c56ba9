import type { HandoffSignIn, HandoffToken } from '../../../../shared/contract/handoff.ts'
import { exchangeHandoff, mintHandoff } from '../../../../shared/contract/index.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { commonError, defineErrors } from '../../../platform/http/error.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import type { SessionService } from '../../access/sessions/service.ts'
import { consumeHandoff, insertHandoff } from './store.ts'

const handoffError = defineErrors({
  handoff_origin_not_allowed: { status: 400, detail: 'Origin not allowed' },
  invalid_handoff_token: { status: 400, detail: 'Invalid handoff token' },
})

const LIFETIME_SECONDS = 60

/**
 * Hands a sign-in to an app on another registrable domain, which the cookie does not reach. The token
 * works once, for a minute, and from its target origin only.
 */
export type HandoffService = ReturnType<typeof createHandoffService>

interface HandoffOptions {
  frontendOrigins: readonly string[]
  /** The new session ends with the same session at an OpenID provider. */
  copyProviderSession(tx: Db, fromSessionId: string, toSessionId: string): Promise<void>
}

export const createHandoffService = (
  { db }: Database,
  sessions: Pick<SessionService, 'start'>,
  { frontendOrigins, copyProviderSession }: HandoffOptions,
) => ({
  /** @throws ApiError 400 for an origin that is not in SVC_FRONTEND_ORIGINS. */
  async mint({ userId, sessionId }: Caller, targetOrigin: string): Promise<HandoffToken> {
    if (!frontendOrigins.includes(targetOrigin)) throw handoffError('handoff_origin_not_allowed')
    if (!sessionId) throw commonError('bad_credentials')
    const token = createSecret()
    const expiresAt = new Date(Date.now() + LIFETIME_SECONDS * 1000)
    const tokenHash = hashSecret(token)
    await insertHandoff(db, { tokenHash, userId, sessionId, targetOrigin, expiresAt })
    return { token }
  },

  /**
   * Starts a new session for the app.
   * @throws ApiError 400, with the same text for every problem with the token or the origin.
   */
  exchange(
    token: string,
    origin: string | null,
    client: RequestClient,
  ): Promise<{ response: HandoffSignIn; refreshToken: string }> {
    return db.transaction(async (tx) => {
      const isAllowed = origin !== null && frontendOrigins.includes(origin)
      const handoff = isAllowed ? await consumeHandoff(tx, hashSecret(token), origin) : undefined
      if (!handoff) throw handoffError('invalid_handoff_token')
      const { user } = handoff
      const signedIn = await sessions.start(tx, user, client, handoff)
      const { sessionId, response, refreshToken } = signedIn
      await copyProviderSession(tx, handoff.sessionId, sessionId)
      const { access_token } = response
      return { response: { user_id: user.id, email: user.email, access_token }, refreshToken }
    })
  },
})

export const handoffRoutes = (mount: Mount, handoffs: HandoffService): void => {
  mount(mintHandoff, ({ caller, body }) => handoffs.mint(caller, body.target_origin))
  mount(exchangeHandoff, async ({ body, origin, client, refreshCookie }) => {
    const { response, refreshToken } = await handoffs.exchange(body.token, origin, client)
    refreshCookie.set(refreshToken)
    return response
  })
}
