import type { Fetcher } from '../../../platform/fetch/fetcher.ts'
import { FetchFailure } from '../../../platform/fetch/request.ts'
import {
  GONE,
  postWebhook,
  type WebhookRequest,
  webhookUrlProblem,
} from '../../../platform/webhook.ts'
import { FiringFailure } from '../firings/firing.ts'

const GONE_REASON = 'The webhook responded with status 410 Gone'

/** Posts to a server of the user's choice on the public internet. */
export type WebhookChannel = ReturnType<typeof createWebhookChannel>

export const createWebhookChannel = (
  fetcher: Pick<Fetcher, 'post' | 'check'>,
  { timeoutMs }: { timeoutMs: number },
) => ({
  name: 'webhook',
  version: '1.0.0',
  category: 'server',
  ref: 'automation/channels/webhook',
  feature: 'webhooks' as const,
  /** Posts a signed payload. @throws FiringFailure unless the response is 2xx. */
  async post(request: WebhookRequest): Promise<void> {
    const status = await postWebhook(fetcher, request, timeoutMs).catch((cause) => {
      throw toFiringFailure(cause)
    })
    if (status === GONE)
      throw new FiringFailure(GONE_REASON, { isFinal: true, disables: GONE_REASON })
    if (status < 200 || status > 299)
      throw new FiringFailure(`The webhook responded with status ${status}`, { isFinal: false })
  },

  /** @returns why a URL is rejected; undefined for a valid one. */
  problemOf: (url: string): Promise<string | undefined> =>
    webhookUrlProblem(fetcher, url, timeoutMs),
})

const toFiringFailure = (cause: unknown): unknown =>
  cause instanceof FetchFailure
    ? new FiringFailure(cause.message, { isFinal: cause.reason === 'refused' }, { cause })
    : cause
