import {
  disableMfa,
  enableMfa,
  mfaStatus,
  renewRecoveryCodes,
  setupMfa,
} from '../../../../shared/contract/index.ts'
import type { MfaSetup, MfaStatus, RecoveryCodes } from '../../../../shared/contract/mfa.ts'
import type { Cipher } from '../../../platform/cipher.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { SessionService } from '../../access/sessions/service.ts'
import { checkFactorUsed } from '../../organizations/policies/check.ts'
import { type AuditAction, recordAudit } from '../../users/audit/store.ts'
import type { SignInGuard } from '../guard/service.ts'
import {
  createRecoveryCodes,
  createTotpSecret,
  hashRecoveryCode,
  type MfaCodes,
  mfaError,
  totpUrl,
} from './codes.ts'
import {
  countRecoveryCodes,
  deleteSecret,
  enableSecret,
  findSecret,
  replaceRecoveryCodes,
  saveSecret,
} from './store.ts'

/** Manages the second factor of an account. */
export type MfaService = ReturnType<typeof createMfaService>

export const createMfaService = (
  { db }: Database,
  cipher: Cipher,
  codes: MfaCodes,
  { guard, sessions }: { guard: SignInGuard; sessions: Pick<SessionService, 'proveFactor'> },
) => {
  const withCode = createWithCode({ db, codes, guard })

  return {
    async status(caller: Caller): Promise<MfaStatus> {
      const enabled = Boolean((await findSecret(db, caller.userId))?.enabledAt)
      const remaining = await countRecoveryCodes(db, caller.userId)
      return { enabled, recovery_codes_remaining: remaining }
    },

    /** @throws ApiError 409 when a second factor is enabled already. */
    async setup(caller: Caller): Promise<MfaSetup> {
      const secret = createTotpSecret()
      if (!(await saveSecret(db, caller.userId, cipher.seal(secret, caller.userId))))
        throw mfaError('mfa_already_enabled')
      const otpauth_url = totpUrl(secret, caller.me.email)
      const { default: QRCode } = await import('qrcode')
      return { secret, otpauth_url, qr_svg: await QRCode.toString(otpauth_url, { type: 'svg' }) }
    },

    /** @throws ApiError 400 for a wrong code or before `setup`, 403 as `checkFactorUsed`, 409 when enabled already. */
    async enable(caller: Caller, code: string, client: RequestClient): Promise<RecoveryCodes> {
      const row = await findSecret(db, caller.userId)
      if (!row) throw mfaError('mfa_not_set_up')
      if (row.enabledAt) throw mfaError('mfa_already_enabled')
      const step = codes.readStep(row, code)
      if (step === undefined) throw mfaError('wrong_code')
      return db.transaction(async (tx) => {
        await checkFactorUsed(tx, caller)
        if (!(await enableSecret(tx, row, step))) throw mfaError('mfa_already_enabled')
        await audit(tx, caller, 'mfa.enabled', client)
        const recoveryCodes = await issueRecoveryCodes(tx, caller.userId)
        if (caller.sessionId) await sessions.proveFactor(tx, caller.sessionId, 'code')
        return recoveryCodes
      })
    },

    /** @throws ApiError 400 for a wrong code or without a second factor, 429 while locked. */
    async disable(caller: Caller, code: string, client: RequestClient): Promise<void> {
      await withCode(caller, code, async (tx) => {
        await deleteSecret(tx, caller.userId)
        await audit(tx, caller, 'mfa.disabled', client)
        return {}
      })
    },

    /** @throws ApiError as `disable` does. */
    renewCodes(caller: Caller, code: string, client: RequestClient): Promise<RecoveryCodes> {
      return withCode(caller, code, async (tx) => {
        await audit(tx, caller, 'mfa.codes_renewed', client)
        return issueRecoveryCodes(tx, caller.userId)
      })
    },

    /** Deletes the second factor of a user. */
    reset: (tx: Db, userId: string): Promise<void> => deleteSecret(tx, userId),
  }
}

/**
 * Consumes a correct code and runs `act`. Wrong codes count as failed sign-ins, so that a stolen
 * access token cannot try them all.
 */
const createWithCode =
  ({ db, codes, guard }: { db: Db; codes: MfaCodes; guard: SignInGuard }) =>
  async <T extends object>(
    caller: Caller,
    code: string,
    act: (tx: Db) => Promise<T>,
  ): Promise<T> => {
    if (!(await findSecret(db, caller.userId))?.enabledAt) throw mfaError('mfa_not_enabled')
    await guard.reserve(caller.me.email)
    const result = await db.transaction(async (tx) => {
      if (!(await codes.consume(tx, caller.userId, code))) return undefined
      await guard.refund(caller.me.email, tx)
      return act(tx)
    })
    if (!result) throw mfaError('wrong_code')
    return result
  }

const audit = (tx: Db, caller: Caller, action: AuditAction, client: RequestClient) =>
  recordAudit(tx, { userId: caller.userId, action, ip: client.ip })

const issueRecoveryCodes = async (tx: Db, userId: string): Promise<RecoveryCodes> => {
  const recoveryCodes = createRecoveryCodes()
  await replaceRecoveryCodes(tx, userId, recoveryCodes.map(hashRecoveryCode))
  return { recovery_codes: recoveryCodes }
}

export const mfaRoutes = (mount: Mount, mfa: MfaService): void => {
  mount(mfaStatus, ({ caller }) => mfa.status(caller))
  mount(setupMfa, ({ caller }) => mfa.setup(caller))
  mount(enableMfa, ({ caller, body, client }) => mfa.enable(caller, body.code, client))
  mount(disableMfa, async ({ caller, body, client }) => {
    await mfa.disable(caller, body.code, client)
    return { message: 'Second factor disabled. You sign in with your password only.' }
  })
  mount(renewRecoveryCodes, ({ caller, body, client }) => mfa.renewCodes(caller, body.code, client))
}
