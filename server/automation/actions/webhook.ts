import type { Gates } from '../../billing/gates.ts'
import type { Cipher } from '../../platform/cipher.ts'
import type { WebhookChannel } from '../channels/webhook.ts'
import { type ActionHandler, FiringFailure, type ReflexOwner } from '../firings/firing.ts'

/** Posts the event to a server of the owner. */
export const createWebhookAction = (
  channel: WebhookChannel,
  cipher: Pick<Cipher, 'open'>,
  gates: Pick<Gates, 'requireFeature'>,
): ActionHandler<'webhook'> => ({
  name: 'webhook',
  version: '1.0.0',
  category: 'server',
  ref: 'automation/actions/webhook',
  feature: 'webhooks',
  preview: ({ url }) => `Post the event to ${new URL(url).host}`,
  async problemsOf({ url }) {
    const msg = await channel.problemOf(url)
    return msg ? [{ loc: ['body', 'action', 'url'], type: 'value_error', msg }] : []
  },
  async runOutside({ action, owner, reflex, firing }) {
    checkTier(gates, owner)
    const secret = reflex.sealedSecret && cipher.open(reflex.sealedSecret, owner.userId)
    if (!secret)
      throw new FiringFailure('The secret of the webhook cannot be read; renew it', {
        isFinal: true,
      })
    await channel.post({
      url: action.url,
      id: firing.firingId,
      secret,
      payload: {
        type: 'reflex.fired',
        timestamp: firing.createdAt.toISOString(),
        data: {
          reflex_id: reflex.reflexId,
          reflex_name: reflex.name,
          firing_id: firing.firingId,
          event: firing.event,
        },
      },
    })
  },
})

/** The tier may have changed since the reflex was created. */
const checkTier = (gates: Pick<Gates, 'requireFeature'>, owner: ReflexOwner): void => {
  try {
    gates.requireFeature({ me: owner }, 'webhooks')
  } catch (cause) {
    throw new FiringFailure('Your tier no longer includes webhooks', { isFinal: true }, { cause })
  }
}
