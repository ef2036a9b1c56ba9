import { randomInt } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { errorText } from '../../../../shared/errors.ts'
import type { Cipher } from '../../../platform/cipher.ts'
import type { Db } from '../../../platform/db/database.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { hashSecret } from '../../../platform/secrets.ts'
import { readTypedCode } from '../../../platform/text/typed-code.ts'
import { consumeRecoveryCode, consumeStep, findSecret } from './store.ts'
import type { MfaSecretRow } from './table.ts'

export const mfaError = defineErrors({
  mfa_not_set_up: { status: 400, detail: 'Set up a second factor first' },
  wrong_code: { status: 400, detail: 'Invalid code' },
  mfa_not_enabled: { status: 400, detail: 'No second factor is enabled' },
  mfa_already_enabled: { status: 409, detail: 'A second factor is already enabled' },
  challenge_ended: {
    status: 401,
    detail: errorText.badCredentials,
    headers: { 'www-authenticate': 'Bearer' },
  },
})

/** Checks codes of an authenticator app (TOTP, RFC 6238) and recovery codes. Each works once. */
export type MfaCodes = ReturnType<typeof createMfaCodes>

export const createMfaCodes = (cipher: Cipher) => {
  /** @returns the time step of a correct TOTP code, which may have been used before. */
  const readStep = (row: MfaSecretRow, code: string): number | undefined => {
    const secret = cipher.open(row.secret, row.userId)
    return secret === undefined ? undefined : findTimeStep(secret, readTypedCode(code))
  }

  return {
    readStep,

    /** Consumes a code. @returns whether it was correct and unused. */
    async consume(tx: Db, userId: string, typed: string): Promise<boolean> {
      const code = readTypedCode(typed)
      if (!/^\d{6}$/.test(code)) return consumeRecoveryCode(tx, userId, hashRecoveryCode(code))
      const row = await findSecret(tx, userId)
      const step = row && readStep(row, code)
      return row !== undefined && step !== undefined && consumeStep(tx, row, step)
    },
  }
}

const TOTP_PERIOD_SECONDS = 30
/** Bytes: the length of the HMAC output (RFC 4226, section 4). */
const TOTP_SECRET_BYTES = 20

const createTotp = (secret: string, account?: string) =>
  new TOTP({
    issuer: 'svc',
    ...(account && { label: account }),
    algorithm: 'SHA1',
    digits: 6,
    period: TOTP_PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  })

/** @returns a secret in Base32. */
export const createTotpSecret = (): string => new Secret({ size: TOTP_SECRET_BYTES }).base32

/** @returns the `otpauth:` URL that an authenticator app reads from a QR code. */
export const totpUrl = (secret: string, account: string): string =>
  createTotp(secret, account).toString()

/**
 * Finds the time step (RFC 6238) of a code. The previous and the next step are accepted too, because
 * clocks differ.
 * @returns undefined for a wrong code.
 */
const findTimeStep = (secret: string, code: string): number | undefined => {
  const timestamp = Date.now()
  const offset = createTotp(secret).validate({ token: code, timestamp, window: 1 })
  return offset === null ? undefined : Math.floor(timestamp / 1000 / TOTP_PERIOD_SECONDS) + offset
}

/** Crockford's Base32 in lower case. It leaves out i, l, o and u, which are easily misread. */
const RECOVERY_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'
const RECOVERY_GROUPS = 4
const RECOVERY_GROUP_LENGTH = 4
const RECOVERY_CODES = 10

/** Ten codes of 80 random bits each. */
export const createRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, createRecoveryCode)

const createRecoveryCode = () =>
  Array.from({ length: RECOVERY_GROUPS }, () =>
    Array.from({ length: RECOVERY_GROUP_LENGTH }, () =>
      RECOVERY_ALPHABET.charAt(randomInt(RECOVERY_ALPHABET.length)),
    ).join(''),
  ).join('-')

/** SHA-256 of a code. Case, dashes and spaces do not matter. */
export const hashRecoveryCode = (typed: string): string =>
  hashSecret(
    readTypedCode(typed)
      .toLowerCase()
      .replace(/[^a-z0-9]/g, ''),
  )
