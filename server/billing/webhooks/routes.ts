import { paymentsWebhook, stripeWebhook } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { WebhookService } from './service.ts'

export const webhookRoutes = (mount: Mount, webhooks: WebhookService): void => {
  for (const row of [paymentsWebhook, stripeWebhook])
    mount(row, async ({ text, header }) =>
      webhooks.receive(await text(), header('stripe-signature')),
    )
}
