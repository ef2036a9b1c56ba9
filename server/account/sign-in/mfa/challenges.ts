import type { MfaPending } from '../../../../shared/contract/sessions.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { PARTIAL_TOKEN_SECONDS, type SessionTokens } from '../../access/sessions/tokens.ts'
import { type MfaCodes, mfaError } from './codes.ts'
import { consumeAttempt, findSecret, finishChallenge, insertChallenge } from './store.ts'

/** A sign-in that waits for its second factor. */
export interface Challenge {
  id: string
  userId: string
  /** How the first factor was proved; null for a sign-in from before that was recorded. */
  method: string | null
}

export type ChallengeService = ReturnType<typeof createChallengeService>

/** Is called when a sign-in that waited for its second factor has become a session. */
type BindSession = (tx: Db, challengeId: string, sessionId: string) => Promise<void>

export const createChallengeService = (
  { db }: Database,
  tokens: Pick<SessionTokens, 'partial' | 'readPartial'>,
  codes: MfaCodes,
  bindSession: BindSession,
) => ({
  /**
   * @returns the id, and the response that replaces a session; undefined for a user without a second
   * factor.
   */
  async create(
    tx: Db,
    userId: string,
    method: string,
  ): Promise<{ id: string; response: MfaPending } | undefined> {
    if (!(await findSecret(tx, userId))?.enabledAt) return undefined
    const id = Bun.randomUUIDv7()
    const expiresAt = new Date(Date.now() + PARTIAL_TOKEN_SECONDS * 1000)
    await insertChallenge(tx, { id, userId, method, expiresAt })
    const partial_token = await tokens.partial({ challengeId: id })
    return { id, response: { mfa_required: true, partial_token } }
  },

  /**
   * Counts an attempt before it is made.
   * @throws ApiError 401 for an invalid partial token, and for a challenge that has ended.
   */
  async attempt(partialToken: string): Promise<Challenge> {
    const read = await tokens.readPartial(partialToken)
    const id = read.ok ? read.claims.challengeId : undefined
    const challenge = id && (await consumeAttempt(db, id))
    if (!challenge) throw mfaError('challenge_ended')
    return { id, ...challenge }
  },

  /**
   * Consumes a code and its challenge.
   * @returns false for a wrong code.
   * @throws ApiError 401 when a parallel request completed the challenge.
   */
  async complete(tx: Db, challenge: Challenge, code: string): Promise<boolean> {
    if (!(await codes.consume(tx, challenge.userId, code))) return false
    await finish(tx, challenge)
    return true
  },

  /**
   * Consumes a challenge whose second factor was correct.
   * @throws ApiError 401 when a parallel request completed the challenge.
   */
  finish,

  /** Passes the details of the sign-in on to its session. */
  bind: (tx: Db, { id }: Challenge, sessionId: string): Promise<void> =>
    bindSession(tx, id, sessionId),
})

const finish = async (tx: Db, { id }: Challenge): Promise<void> => {
  if (!(await finishChallenge(tx, id))) throw mfaError('challenge_ended')
}
