import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** Bytes: as long as the HMAC's output (RFC 4226, section 4). */
const SECRET_SIZE = 20

const totpOf = (secret: string, account?: string) =>
  new TOTP({
    issuer: 'svc',
    ...(account && { label: account }),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  })

/** A new secret for an authenticator app, in Base32. */
export const createTotpSecret = (): string => new Secret({ size: SECRET_SIZE }).base32

/** The `otpauth:` address that an authenticator app reads from a QR code. */
export const totpUrl = (secret: string, account: string): string =>
  totpOf(secret, account).toString()

/**
 * The time step (RFC 6238) that a code is of: the current one, or the one before or after, because
 * clocks differ.
 * @returns undefined for a code that is wrong now.
 */
export const stepOf = (secret: string, code: string): number | undefined => {
  const timestamp = Date.now()
  const away = totpOf(secret).validate({ token: code, timestamp, window: 1 })
  return away === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + away
}
