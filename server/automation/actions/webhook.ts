import type { Cipher } from '../../account/mfa/cipher.ts'
import type { Gates } from '../../billing/gates.ts'
import type { WebhookChannel } from '../channels/webhook.ts'
import { FiringFailure } from '../firings/failure.ts'
import type { Person } from '../firings/person.ts'
import type { ActionHandler } from './action.ts'

/** Posts the event to a server of the person's. */
export const createWebhookAction = (
  channel: WebhookChannel,
  cipher: Pick<Cipher, 'open'>,
  gates: Pick<Gates, 'requireFeature'>,
): ActionHandler<'webhook'> => ({
  name: 'webhook',
  version: '1.0.0',
  category: 'server',
  ref: 'automation/actions/webhook',
  tier: 'awakened',
  preview: ({ url }) => `Post what happened to ${new URL(url).host}`,
  async problems({ url }) {
    const msg = await channel.problem(url)
    return msg ? [{ loc: ['body', 'action', 'url'], type: 'value_error', msg }] : []
  },
  async beyond({ action, person, reflex, firing }) {
    checkTier(gates, person)
    const secret = reflex.sealedSecret && cipher.open(reflex.sealedSecret, person.userId)
    if (!secret)
      throw new FiringFailure('The webhook’s secret is lost; make a new one', { isFinal: true })
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

/** It may be another one than when the reflex was made. */
const checkTier = (gates: Pick<Gates, 'requireFeature'>, person: Person): void => {
  try {
    gates.requireFeature({ me: person }, 'webhooks')
  } catch (cause) {
    throw new FiringFailure('Your tier has no webhooks any more', { isFinal: true }, { cause })
  }
}
