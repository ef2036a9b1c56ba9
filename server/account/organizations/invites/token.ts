import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

export interface InviteTokens {
  /** The token that identifies the invite. The inviter sees it too, to pass the link on. */
  link(inviteId: string): string
  /** The token that only the email contains. It proves that the reader owns the address. */
  proof(inviteId: string): string
  isProof(inviteId: string, text: string): boolean
}

/**
 * HMACs of the invite's id, each with its own key derived from the auth secret (HKDF, RFC 5869). So the
 * server can show a link again although it stores only a hash.
 */
export const createInviteTokens = (authSecret: string): InviteTokens => {
  const derive = (purpose: string) => {
    const key = Buffer.from(hkdfSync('sha256', authSecret, '', purpose, 32))
    return (inviteId: string) => createHmac('sha256', key).update(inviteId).digest('base64url')
  }
  const proof = derive('svc:invite-proof')
  return {
    link: derive('svc:invite-link'),
    proof,
    isProof(inviteId, text) {
      const [actual, expected] = [Buffer.from(text), Buffer.from(proof(inviteId))]
      return actual.length === expected.length && timingSafeEqual(actual, expected)
    },
  }
}
