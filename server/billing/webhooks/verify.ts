import { billingError } from '../errors.ts'
import { loadStripe } from '../stripe/client.ts'
import { readSignedEvent, type SignedEvent } from '../stripe/schemas.ts'

/**
 * Verifies the signature of a webhook body.
 * @throws ApiError 400 for a missing, wrong or expired signature and for a body that is not an event,
 * 503 without a webhook secret.
 */
export const verifyEvent = async (
  body: string,
  signature: string | null,
  webhookSecret: string | undefined,
): Promise<SignedEvent> => {
  if (!signature) throw billingError('webhook_signature_missing')
  if (!webhookSecret) throw billingError('payments_not_configured', 'SVC_STRIPE_WEBHOOK_SECRET')
  const { webhooks } = await loadStripe()
  const signed: unknown = await webhooks
    .constructEventAsync(body, signature, webhookSecret)
    .catch(() => {
      throw billingError('webhook_signature_invalid')
    })
  const event = readSignedEvent(signed)
  if (!event) throw billingError('webhook_event_invalid')
  return event
}
