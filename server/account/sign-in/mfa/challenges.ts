import type { MfaPending } from '../../../../shared/contract/sessions.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { PARTIAL_TOKEN_SECONDS, type Tokens } from '../../access/sessions/tokens.ts'
import { type MfaCodes, mfaError } from './codes.ts'
import { consumeAttempt, findSecret, finishChallenge, insertChallenge } from './store.ts'

/** A sign-in that waits for its second factor. */
interface Challenge {
  id: string
  userId: string
}

export interface ChallengeService {
  /** @returns the response that replaces a session, or undefined for a user without a second factor. */
  create(tx: Db, userId: string): Promise<MfaPending | undefined>

  /**
   * Counts an attempt before it is made.
   * @throws ApiError 401 for an invalid partial token, and for a challenge that has ended.
   */
  attempt(partialToken: string): Promise<Challenge>

  /**
   * Consumes a code and its challenge.
   * @returns false for a wrong code.
   * @throws ApiError 401 when a parallel request completed the challenge.
   */
  complete(tx: Db, challenge: Challenge, code: string): Promise<boolean>

  /**
   * Consumes a challenge whose second factor was correct.
   * @throws ApiError 401 when a parallel request completed the challenge.
   */
  finish(tx: Db, challenge: Challenge): Promise<void>
}

export const createChallengeService = (
  { db }: Database,
  tokens: Pick<Tokens, 'partial' | 'readPartial'>,
  codes: MfaCodes,
): ChallengeService => ({
  async create(tx, userId) {
    if (!(await findSecret(tx, userId))?.enabledAt) return undefined
    const id = Bun.randomUUIDv7()
    const expiresAt = new Date(Date.now() + PARTIAL_TOKEN_SECONDS * 1000)
    await insertChallenge(tx, { id, userId, expiresAt })
    return { mfa_required: true, partial_token: await tokens.partial({ challengeId: id }) }
  },

  async attempt(partialToken) {
    const read = await tokens.readPartial(partialToken)
    const id = read.ok ? read.claims.challengeId : undefined
    const userId = id && (await consumeAttempt(db, id))
    if (!userId) throw mfaError('challenge_ended')
    return { id, userId }
  },

  async complete(tx, challenge, code) {
    if (!(await codes.consume(tx, challenge.userId, code))) return false
    await finish(tx, challenge)
    return true
  },

  finish,
})

const finish = async (tx: Db, { id }: Challenge): Promise<void> => {
  if (!(await finishChallenge(tx, id))) throw mfaError('challenge_ended')
}
