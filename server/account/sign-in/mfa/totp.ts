import { Secret, TOTP } from 'otpauth'

const PERIOD_SECONDS = 30
/** Bytes: the length of the HMAC output (RFC 4226, section 4). */
const SECRET_SIZE = 20

const createTotp = (secret: string, account?: string) =>
  new TOTP({
    issuer: 'svc',
    ...(account && { label: account }),
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_SECONDS,
    secret: Secret.fromBase32(secret),
  })

/** @returns a secret in Base32. */
export const createTotpSecret = (): string => new Secret({ size: SECRET_SIZE }).base32

/** @returns the `otpauth:` URL that an authenticator app reads from a QR code. */
export const totpUrl = (secret: string, account: string): string =>
  createTotp(secret, account).toString()

/**
 * Finds the time step (RFC 6238) of a code. The previous and the next step are accepted too, because
 * clocks differ.
 * @returns undefined for a wrong code.
 */
export const findTimeStep = (secret: string, code: string): number | undefined => {
  const timestamp = Date.now()
  const offset = createTotp(secret).validate({ token: code, timestamp, window: 1 })
  return offset === null ? undefined : Math.floor(timestamp / 1000 / PERIOD_SECONDS) + offset
}
