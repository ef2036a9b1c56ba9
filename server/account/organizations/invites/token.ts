import { createHmac, timingSafeEqual } from 'node:crypto'
import { type AuthSecrets, deriveKeys } from '../../../platform/secrets/derived-keys.ts'
import { hashSecret } from '../../../platform/secrets.ts'

export type InviteTokens = ReturnType<typeof createInviteTokens>

/**
 * HMACs of the invite's id, each with its own key derived from the auth secret (HKDF, RFC 5869). So the
 * server can show a link again although it stores only a hash.
 */
export const createInviteTokens = (authSecrets: AuthSecrets) => {
  const linkKeys = deriveKeys(authSecrets, 'svc:invite-link')
  const proofKeys = deriveKeys(authSecrets, 'svc:invite-proof')
  const sign = (key: Buffer, inviteId: string) =>
    createHmac('sha256', key).update(inviteId).digest('base64url')
  return {
    /** The token that identifies the invite. The inviter sees it too, to pass the link on. */
    link: (inviteId: string): string => sign(linkKeys[0], inviteId),

    /** The link of an invite that may be older than the current auth secret. */
    linkOf({ id, tokenHash }: { id: string; tokenHash: string }): string {
      const links = linkKeys.map((key) => sign(key, id))
      return links.find((link) => hashSecret(link) === tokenHash) ?? sign(linkKeys[0], id)
    },

    /** The token that only the email contains. It proves that the reader owns the address. */
    proof: (inviteId: string): string => sign(proofKeys[0], inviteId),
    isProof: (inviteId: string, text: string): boolean =>
      proofKeys.some((key) => {
        const [actual, expected] = [Buffer.from(text), Buffer.from(sign(key, inviteId))]
        return actual.length === expected.length && timingSafeEqual(actual, expected)
      }),
  }
}
