import QRCode from 'qrcode'
import { errorText } from '../../../shared/errors.ts'
import type { MfaPending, MfaSetup, MfaStatus, RecoveryCodes } from '../../../shared/schemas/mfa.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import { type AuditAction, recordAudit } from '../audit/store.ts'
import type { SignInGuard } from '../sessions/guard.ts'
import { PARTIAL_TOKEN_SECONDS, type Tokens } from '../sessions/tokens.ts'
import type { Cipher } from './cipher.ts'
import { createRecoveryCodes, hashRecoveryCode } from './recovery.ts'
import {
  countRecoveryCodes,
  deleteChallenges,
  deleteSecret,
  enableSecret,
  findSecret,
  finishChallenge,
  insertChallenge,
  putSecret,
  replaceRecoveryCodes,
  takeAttempt,
  takeRecoveryCode,
  takeStep,
} from './store.ts'
import type { MfaSecretRow } from './table.ts'
import { createTotpSecret, stepOf, totpUrl } from './totp.ts'

/** A sign-in whose second factor is being tried. */
export interface Challenge {
  id: string
  userId: string
}

export type MfaService = ReturnType<typeof createMfaService>

/** A second factor: codes of an authenticator app (TOTP, RFC 6238), or recovery codes. Each works once. */
export const createMfaService = (
  { db }: Database,
  cipher: Cipher,
  tokens: Pick<Tokens, 'partial' | 'readPartial'>,
  guard: SignInGuard,
) => {
  const readStep = (row: MfaSecretRow, code: string): number | undefined => {
    const secret = cipher.open(row.secret, row.userId)
    return secret === undefined ? undefined : stepOf(secret, code)
  }

  /** Uses a code up. @returns whether it was right and new. */
  const takeCode = async (tx: Db, userId: string, typed: string): Promise<boolean> => {
    const code = typed.replace(/\s/g, '')
    if (!/^\d{6}$/.test(code)) return takeRecoveryCode(tx, userId, hashRecoveryCode(code))
    const row = await findSecret(tx, userId)
    const step = row && readStep(row, code)
    return row !== undefined && step !== undefined && takeStep(tx, row, step)
  }

  const audit = (tx: Db, caller: Caller, action: AuditAction, client: Client) =>
    recordAudit(tx, { userId: caller.userId, action, ip: client.ip })

  /**
   * Runs `act` for a right code. Wrong ones count as failed sign-ins, so that a stolen access token
   * cannot try them all.
   */
  const withCode = async <T extends object>(
    caller: Caller,
    code: string,
    act: (tx: Db) => Promise<T>,
  ): Promise<T> => {
    if (!(await findSecret(db, caller.userId))?.enabledAt) throw notEnabled()
    await guard.reserve(caller.me.email)
    const done = await db.transaction(async (tx) => {
      if (!(await takeCode(tx, caller.userId, code))) return undefined
      await guard.giveBack(caller.me.email, tx)
      return act(tx)
    })
    if (!done) throw wrongCode()
    return done
  }

  const issueCodes = async (tx: Db, userId: string): Promise<RecoveryCodes> => {
    const codes = createRecoveryCodes()
    await replaceRecoveryCodes(tx, userId, codes.map(hashRecoveryCode))
    return { recovery_codes: codes }
  }

  return {
    async status(caller: Caller): Promise<MfaStatus> {
      const enabled = Boolean((await findSecret(db, caller.userId))?.enabledAt)
      const left = await countRecoveryCodes(db, caller.userId)
      return { enabled, recovery_codes_remaining: left }
    },

    /** @throws ApiError 409 when a second factor is enabled already. */
    async setup(caller: Caller): Promise<MfaSetup> {
      const secret = createTotpSecret()
      if (!(await putSecret(db, caller.userId, cipher.seal(secret, caller.userId))))
        throw alreadyEnabled()
      const otpauth_url = totpUrl(secret, caller.me.email)
      return { secret, otpauth_url, qr_svg: await QRCode.toString(otpauth_url, { type: 'svg' }) }
    },

    /** @throws ApiError 400 for a wrong code, or before a setup; 409 when enabled already. */
    async enable(caller: Caller, code: string, client: Client): Promise<RecoveryCodes> {
      const row = await findSecret(db, caller.userId)
      if (!row) throw new ApiError(400, 'Set up a second factor first')
      if (row.enabledAt) throw alreadyEnabled()
      const step = readStep(row, code.replace(/\s/g, ''))
      if (step === undefined) throw wrongCode()
      return db.transaction(async (tx) => {
        if (!(await enableSecret(tx, row, step))) throw alreadyEnabled()
        await audit(tx, caller, 'mfa.enabled', client)
        return issueCodes(tx, caller.userId)
      })
    },

    /** @throws ApiError 400 for a wrong code, or when there is no second factor; 429 while locked. */
    async disable(caller: Caller, code: string, client: Client): Promise<void> {
      await withCode(caller, code, async (tx) => {
        await deleteSecret(tx, caller.userId)
        await audit(tx, caller, 'mfa.disabled', client)
        return {}
      })
    },

    /** @throws ApiError as `disable` does. */
    renewCodes(caller: Caller, code: string, client: Client): Promise<RecoveryCodes> {
      return withCode(caller, code, async (tx) => {
        await audit(tx, caller, 'mfa.codes_renewed', client)
        return issueCodes(tx, caller.userId)
      })
    },

    /** What a user with a second factor is answered in place of a session; undefined without one. */
    async challenge(tx: Db, userId: string): Promise<MfaPending | undefined> {
      if (!(await findSecret(tx, userId))?.enabledAt) return undefined
      const id = Bun.randomUUIDv7()
      const expiresAt = new Date(Date.now() + PARTIAL_TOKEN_SECONDS * 1000)
      await insertChallenge(tx, { id, userId, expiresAt })
      return { mfa_required: true, partial_token: await tokens.partial({ challengeId: id }) }
    },

    /**
     * Counts a try before it is made.
     * @throws ApiError 401 for a partial token that is not good any more.
     */
    async attempt(partialToken: string): Promise<Challenge> {
      const read = await tokens.readPartial(partialToken)
      const id = read.ok ? read.claims.challengeId : undefined
      const userId = id && (await takeAttempt(db, id))
      if (!userId) throw challengeOver()
      return { id, userId }
    },

    /**
     * Uses up a code and its challenge.
     * @returns false for a wrong code.
     * @throws ApiError 401 when the challenge was passed by another at this moment.
     */
    async pass(tx: Db, challenge: Challenge, code: string): Promise<boolean> {
      if (!(await takeCode(tx, challenge.userId, code))) return false
      if (!(await finishChallenge(tx, challenge.id))) throw challengeOver()
      return true
    },

    /** Forgets the second factor of a user. */
    forget: (tx: Db, userId: string): Promise<void> => deleteSecret(tx, userId),

    /** Ends the sign-ins of a user that wait for a code. */
    async endChallenges(tx: Db, userId: string): Promise<void> {
      await deleteChallenges(tx, userId)
    },
  }
}

const challengeOver = () =>
  new ApiError(401, errorText.badCredentials, { headers: { 'www-authenticate': 'Bearer' } })

const wrongCode = () => new ApiError(400, 'Invalid code')

const notEnabled = () => new ApiError(400, 'No second factor is enabled')

const alreadyEnabled = () => new ApiError(409, 'A second factor is already enabled')
