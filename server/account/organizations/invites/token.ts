import { createHmac, timingSafeEqual } from 'node:crypto'
import { type AuthSecrets, deriveKeys } from '../../../platform/secrets/derived-keys.ts'
import { hashSecret } from '../../../platform/secrets.ts'

export interface InviteTokens {
  /** The token that identifies the invite. The inviter sees it too, to pass the link on. */
  link(inviteId: string): string
  /** The link of an invite that may be older than the current auth secret. */
  linkOf(invite: { id: string; tokenHash: string }): string
  /** The token that only the email contains. It proves that the reader owns the address. */
  proof(inviteId: string): string
  isProof(inviteId: string, text: string): boolean
}

/**
 * HMACs of the invite's id, each with its own key derived from the auth secret (HKDF, RFC 5869). So the
 * server can show a link again although it stores only a hash.
 */
export const createInviteTokens = (secrets: AuthSecrets): InviteTokens => {
  const linkKeys = deriveKeys(secrets, 'svc:invite-link')
  const proofKeys = deriveKeys(secrets, 'svc:invite-proof')
  const sign = (key: Buffer, inviteId: string) =>
    createHmac('sha256', key).update(inviteId).digest('base64url')
  return {
    link: (inviteId) => sign(linkKeys[0], inviteId),
    linkOf({ id, tokenHash }) {
      const links = linkKeys.map((key) => sign(key, id))
      return links.find((link) => hashSecret(link) === tokenHash) ?? sign(linkKeys[0], id)
    },
    proof: (inviteId) => sign(proofKeys[0], inviteId),
    isProof: (inviteId, text) =>
      proofKeys.some((key) => {
        const [actual, expected] = [Buffer.from(text), Buffer.from(sign(key, inviteId))]
        return actual.length === expected.length && timingSafeEqual(actual, expected)
      }),
  }
}
