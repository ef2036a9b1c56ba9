import { randomBytes } from 'node:crypto'
import { errorText } from '../../../shared/errors.ts'
import type { HandedOff, HandoffToken } from '../../../shared/schemas/sessions.ts'
import type { Database } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import { hashSecret } from '../keys/token.ts'
import type { SessionService } from '../sessions/service.ts'
import { deleteOldHandoffs, insertHandoff, takeHandoff } from './store.ts'

const LIFETIME_SECONDS = 60

export type HandoffService = ReturnType<typeof createHandoffService>

/**
 * Carries a sign-in to an app on another registrable domain, where the cookie does not go (contract
 * 4.5): a token that works once, for a minute, from that origin alone.
 */
export const createHandoffService = (
  { db }: Database,
  sessions: SessionService,
  settings: { frontendOrigins: readonly string[] },
) => ({
  /** @throws ApiError 400 for an origin that is not allow-listed. */
  async mint(caller: Caller, targetOrigin: string): Promise<HandoffToken> {
    if (!settings.frontendOrigins.includes(targetOrigin))
      throw new ApiError(400, 'Origin not allowed')
    if (!caller.sessionId) throw new ApiError(401, errorText.badCredentials)
    await deleteOldHandoffs(db)
    const token = randomBytes(32).toString('base64url')
    await insertHandoff(db, {
      tokenHash: hashSecret(token),
      userId: caller.userId,
      sessionId: caller.sessionId,
      targetOrigin,
      expiresAt: new Date(Date.now() + LIFETIME_SECONDS * 1000),
    })
    return { token }
  },

  /**
   * Starts a session of its own for the app.
   * @throws ApiError 400, the same for whatever is wrong with the token or the origin.
   */
  exchange(
    token: string,
    origin: string | null,
    client: Client,
  ): Promise<{ answer: HandedOff; refreshToken: string }> {
    return db.transaction(async (tx) => {
      const user =
        origin !== null && settings.frontendOrigins.includes(origin)
          ? await takeHandoff(tx, hashSecret(token), origin)
          : undefined
      if (!user) throw new ApiError(400, 'Invalid handoff token')
      const { answer, refreshToken } = await sessions.start(tx, user, client)
      return {
        answer: { user_id: user.id, email: user.email, access_token: answer.access_token },
        refreshToken,
      }
    })
  },
})
