import { Webhook } from 'standardwebhooks'
import { FetchFailure } from '../../platform/fetch/failure.ts'
import type { Fetcher } from '../../platform/fetch/fetcher.ts'
import { FiringFailure } from '../firings/failure.ts'
import type { Handler } from '../registry/handler.ts'

const GONE = 410

export interface Delivery {
  url: string
  /** The same each time that it is tried, so that whoever takes it can tell. */
  id: string
  secret: string
  payload: object
}

/** To a server of the person's own choice, on the public internet. */
export interface WebhookChannel extends Handler {
  /**
   * Posts a payload, signed as Standard Webhooks has it (standardwebhooks.com, v1, HMAC-SHA256).
   * @throws FiringFailure when it was not taken.
   */
  post(delivery: Delivery): Promise<void>
  /** What is wrong with a URL; undefined if nothing is. */
  problem(url: string): Promise<string | undefined>
}

export const createWebhook = (
  fetcher: Pick<Fetcher, 'post' | 'check'>,
  { timeoutMs }: { timeoutMs: number },
): WebhookChannel => ({
  name: 'webhook',
  version: '1.0.0',
  category: 'server',
  ref: 'automation/channels/webhook',
  tier: 'awakened',
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
      throw failure(cause)
    })
    if (status === GONE)
      throw new FiringFailure('The webhook answered 410: it is gone', {
        isFinal: true,
        disables: 'The webhook answered 410: it is gone',
      })
    if (status < 200 || status > 299)
      throw new FiringFailure(`The webhook answered with status ${status}`, { isFinal: false })
  },

  async problem(url) {
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

const failure = (cause: unknown): unknown =>
  cause instanceof FetchFailure
    ? new FiringFailure(cause.message, { isFinal: cause.reason === 'refused' }, { cause })
    : cause
