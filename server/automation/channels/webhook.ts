import { Webhook } from 'standardwebhooks'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import { FetchFailure } from '../../platform/fetch/request.ts'
import { FiringFailure } from '../firings/firing.ts'
import type { RegistryHandler } from '../registry/handler.ts'

/** HTTP 410: the receiver asks to stop. */
const GONE = 410
const GONE_REASON = 'The webhook responded with status 410 Gone'

interface Delivery {
  url: string
  /** The same for each attempt, so that the receiver can deduplicate. */
  id: string
  secret: string
  payload: object
}

/** Posts to a server of the user's choice on the public internet. */
export interface WebhookChannel extends RegistryHandler {
  /**
   * Posts a payload, signed as of Standard Webhooks (standardwebhooks.com, v1, HMAC-SHA256).
   * @throws FiringFailure unless the response is 2xx.
   */
  post(delivery: Delivery): Promise<void>
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
  async post({ url, id, secret, payload }) {
    const body = JSON.stringify(payload)
    const now = new Date()
    const headers = {
      'content-type': 'application/json',
      'content-length': `${Buffer.byteLength(body)}`,
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
      'webhook-signature': new Webhook(secret).sign(id, now, body),
    }
    const signal = AbortSignal.timeout(timeoutMs)
    const status = await fetcher.post(new URL(url), { headers, body }, signal).catch((cause) => {
      throw toFiringFailure(cause)
    })
    if (status === GONE)
      throw new FiringFailure(GONE_REASON, { isFinal: true, disables: GONE_REASON })
    if (status < 200 || status > 299)
      throw new FiringFailure(`The webhook responded with status ${status}`, { isFinal: false })
  },

  async problemOf(url) {
    const parsed = URL.parse(url)
    if (!parsed || !/^https?:$/.test(parsed.protocol)) return 'Input should be a web address'
    try {
      await fetcher.check(parsed, AbortSignal.timeout(timeoutMs))
      return undefined
    } catch (error) {
      if (error instanceof FetchFailure) return error.message
      throw error
    }
  },
})

const toFiringFailure = (cause: unknown): unknown =>
  cause instanceof FetchFailure
    ? new FiringFailure(cause.message, { isFinal: cause.reason === 'refused' }, { cause })
    : cause
