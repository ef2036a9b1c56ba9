import { randomBytes } from 'node:crypto'
import type { Cipher } from '../../platform/cipher.ts'
import type { ReflexParts } from '../firings/firing.ts'

const SECRET_BYTES = 32

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>

/** Secrets that sign the requests of webhooks; the user sees one only when it is created. */
export const createWebhookSecrets = (cipher: Pick<Cipher, 'seal'>) => {
  const create = (userId: string) => {
    const secret = `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`
    return { secret, sealedSecret: cipher.seal(secret, userId) }
  }

  return {
    create,

    /** The secret of an action, which stays the same as long as the action is a webhook. */
    forAction(userId: string, { action }: Pick<ReflexParts, 'action'>, existing: string | null) {
      if (action.type !== 'webhook') return { secret: null, sealedSecret: null }
      return existing ? { secret: null, sealedSecret: existing } : create(userId)
    },
  }
}
