import { hkdfSync } from 'node:crypto'

/**
 * The secrets of a deployment. The current one signs and encrypts. Texts that the previous one has signed or
 * encrypted are accepted too, so that a rotation signs no user out.
 */
export interface AuthSecrets {
  current: string
  previous: string | undefined
}

/** The current secret first. */
export const listSecrets = ({ current, previous }: AuthSecrets): [string, ...string[]] =>
  previous === undefined || previous === current ? [current] : [current, previous]

export type DerivedKeys = [current: Buffer, ...previous: Buffer[]]

/** HKDF (RFC 5869): keys of different purposes differ, and none shows the secret. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))

/** One key for each secret. */
export const deriveKeys = (authSecrets: AuthSecrets, purpose: string): DerivedKeys => {
  const [current, ...previous] = listSecrets(authSecrets)
  return [deriveKey(current, purpose), ...previous.map((secret) => deriveKey(secret, purpose))]
}
