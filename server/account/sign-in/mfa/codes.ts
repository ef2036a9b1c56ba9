import type { Cipher } from '../../../platform/cipher.ts'
import type { Db } from '../../../platform/db/database.ts'
import { hashRecoveryCode } from './recovery.ts'
import { consumeRecoveryCode, consumeStep, findSecret } from './store.ts'
import type { MfaSecretRow } from './table.ts'
import { findTimeStep } from './totp.ts'

export type MfaCodes = ReturnType<typeof createMfaCodes>

/** Checks codes of an authenticator app (TOTP, RFC 6238) and recovery codes. Each works once. */
export const createMfaCodes = (cipher: Cipher) => {
  /** @returns the time step of a correct TOTP code, which may have been used before. */
  const readStep = (row: MfaSecretRow, code: string): number | undefined => {
    const secret = cipher.open(row.secret, row.userId)
    return secret === undefined ? undefined : findTimeStep(secret, withoutSpaces(code))
  }

  return {
    readStep,

    /** Consumes a code. @returns whether it was correct and unused. */
    async consume(tx: Db, userId: string, typed: string): Promise<boolean> {
      const code = withoutSpaces(typed)
      if (!/^\d{6}$/.test(code)) return consumeRecoveryCode(tx, userId, hashRecoveryCode(code))
      const row = await findSecret(tx, userId)
      const step = row && readStep(row, code)
      return row !== undefined && step !== undefined && consumeStep(tx, row, step)
    },
  }
}

const withoutSpaces = (typed: string): string => typed.replace(/\s/g, '')
