import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What the links of an invite carry. */
export interface InviteTokens {
  /** Names the invite. Whoever invites is shown it too, to pass it on. */
  link(inviteId: string): string
  /** Stands in the mail alone, and so proves that its reader has the address. */
  proof(inviteId: string): string
  isProof(inviteId: string, text: string): boolean
}

/**
 * HMACs of an invite's id, each with a key of its own that is derived from the secret that also signs
 * tokens (HKDF, RFC 5869): so a link can be shown again though only its hash is stored.
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
      const [given, right] = [Buffer.from(text), Buffer.from(proof(inviteId))]
      return given.length === right.length && timingSafeEqual(given, right)
    },
  }
}
