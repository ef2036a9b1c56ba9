import Stripe from 'stripe'
import { ApiError } from '../../platform/http/error.ts'
import type { StripeSettings } from './settings.ts'

const TIMEOUT_MS = 10_000
const RETRIES = 2

export type StripeClient = ReturnType<typeof createStripe>

/** Stripe's API, where it is configured. */
export const createStripe = ({ secretKey, apiBase }: StripeSettings) => {
  const stripe = secretKey
    ? new Stripe(secretKey, {
        timeout: TIMEOUT_MS,
        maxNetworkRetries: RETRIES,
        telemetry: false,
        ...(apiBase && addressOf(apiBase)),
      })
    : undefined

  return {
    isConfigured: stripe !== undefined,

    /**
     * Asks Stripe for something.
     * @throws ApiError 503 where it is not configured, 502 when it fails.
     */
    async ask<T>(question: (stripe: Stripe) => Promise<T>): Promise<T> {
      if (!stripe) throw new ApiError(503, 'Payments are not configured: set SVC_STRIPE_SECRET_KEY')
      return question(stripe).catch((cause) => {
        if (!(cause instanceof Stripe.errors.StripeError)) throw cause
        throw new ApiError(502, 'The payment provider did not answer as it should', {
          cause: { type: cause.type, code: cause.code, status: cause.statusCode },
        })
      })
    },
  }
}

/** Whether Stripe does not know what it was asked about; or, with `param`, what was named by it. */
export const isMissing = (error: unknown, param?: string): boolean =>
  error instanceof Stripe.errors.StripeError &&
  error.code === 'resource_missing' &&
  (param === undefined || error.param === param)

const addressOf = (base: string) => {
  const { protocol, hostname, port } = new URL(base)
  return {
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
  }
}
