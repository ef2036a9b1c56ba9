import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { Fetcher } from './fetch/fetcher.ts'
import { FetchFailure } from './fetch/request.ts'

/** HTTP 410: the receiver asks to stop. */
export const GONE = 410

const SECRET_BYTES = 32

/** A secret in the form of Standard Webhooks. */
export const newWebhookSecret = (): string =>
  `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`

export interface WebhookRequest {
  url: string
  /** The same for each attempt, so that the receiver can deduplicate. */
  id: string
  secret: string
  payload: object
}

/**
 * Posts a payload, signed as of Standard Webhooks (standardwebhooks.com, v1, HMAC-SHA256).
 * @returns the status of the response.
 * @throws FetchFailure without a response.
 */
export const postWebhook = (
  fetcher: Pick<Fetcher, 'post'>,
  { url, id, secret, payload }: WebhookRequest,
  timeoutMs: number,
): Promise<number> => {
  const body = JSON.stringify(payload)
  const now = new Date()
  const headers = {
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(now.getTime() / 1000)}`,
    'webhook-signature': new Webhook(secret).sign(id, now, body),
  }
  return fetcher.post(new URL(url), { headers, body }, AbortSignal.timeout(timeoutMs))
}

/** @returns why the URL of a webhook is rejected; undefined for a valid one. */
export const webhookUrlProblem = async (
  fetcher: Pick<Fetcher, 'check'>,
  url: string,
  timeoutMs: number,
): Promise<string | undefined> => {
  const parsed = URL.parse(url)
  if (!parsed || !/^https?:$/.test(parsed.protocol)) return 'Input should be a web address'
  try {
    await fetcher.check(parsed, AbortSignal.timeout(timeoutMs))
    return undefined
  } catch (error) {
    if (error instanceof FetchFailure) return error.message
    throw error
  }
}
