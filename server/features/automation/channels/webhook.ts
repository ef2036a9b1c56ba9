import type { Fetcher } from '../../../platform/fetch/fetcher.ts'
import { FetchFailure } from '../../../platform/fetch/request.ts'
import {
  GONE,
  postWebhook,
  type WebhookRequest,
  webhookUrlProblem,
} from '../../../platform/webhook.ts'
import { FiringFailure } from '../firings/firing.ts'
import type { RegistryHandler } from '../registry/handler.ts'

const GONE_REASON = 'The webhook responded with status 410 Gone'

/** Posts to a server of the user's choice on the public internet. */
export interface WebhookChannel extends RegistryHandler {
  /** Posts a signed payload. @throws FiringFailure unless the response is 2xx. */
  post(request: WebhookRequest): Promise<void>
  /** @returns why a URL is rejected; undefined for a valid one. */
  problemOf(url: string): Promise<string | undefined>
}

export const createWebhookChannel = (
  fetcher: Pick<Fetcher, 'post' | 'check'>,
  { timeoutMs }: { timeoutMs: number },
): WebhookChannel => ({
  name: 'webhook',
  version: '1.0.0',
  category: 'server',
  ref: 'automation/channels/webhook',
  feature: 'webhooks',
  async post(request) {
    const status = await postWebhook(fetcher, request, timeoutMs).catch((cause) => {
      throw toFiringFailure(cause)
    })
    if (status === GONE)
      throw new FiringFailure(GONE_REASON, { isFinal: true, disables: GONE_REASON })
    if (status < 200 || status > 299)
      throw new FiringFailure(`The webhook responded with status ${status}`, { isFinal: false })
  },

  problemOf: (url) => webhookUrlProblem(fetcher, url, timeoutMs),
})

const toFiringFailure = (cause: unknown): unknown =>
  cause instanceof FetchFailure
    ? new FiringFailure(cause.message, { isFinal: cause.reason === 'refused' }, { cause })
    : cause
