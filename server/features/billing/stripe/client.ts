import type Stripe from 'stripe'
import { budgets } from '../../../platform/budgets.ts'
import { createLimitedFetch } from '../../../platform/fetch/limited-fetch.ts'
import { billingError } from '../errors.ts'

interface StripeOptions {
  /** Without it, the server takes no payments. */
  secretKey: string | undefined
  /** Base URL of Stripe's API, if not Stripe's own. */
  apiBase: string | undefined
}

export type StripeClient = ReturnType<typeof createStripe>

let loaded: typeof Stripe | undefined

/** Loads Stripe's library at its first use: it has 200 files, and most servers take no payments. */
export const loadStripe = async (): Promise<typeof Stripe> => {
  loaded ??= (await import('stripe')).default
  return loaded
}

export const isStripeError = (
  error: unknown,
  name: 'StripeError' | 'StripeInvalidRequestError' = 'StripeError',
): error is Stripe.errors.StripeError =>
  loaded !== undefined && error instanceof loaded.errors[name]

export const isStripeConfigured = ({ secretKey }: Pick<StripeOptions, 'secretKey'>): boolean =>
  Boolean(secretKey)

export const createStripe = ({ secretKey, apiBase }: StripeOptions) => {
  const connect = async (key: string): Promise<Stripe> => {
    const { bytes, ms, count } = budgets.stripe
    const Stripe = await loadStripe()
    return new Stripe(key, {
      httpClient: Stripe.createFetchHttpClient(createLimitedFetch({ bytes })),
      timeout: ms,
      maxNetworkRetries: count,
      telemetry: false,
      ...(apiBase && hostOptions(apiBase)),
    })
  }
  let stripe: Promise<Stripe> | undefined

  return {
    isConfigured: isStripeConfigured({ secretKey }),

    /** Calls Stripe's API. @throws ApiError 503 without a secret key, 502 if Stripe fails. */
    async call<T>(operation: (stripe: Stripe) => Promise<T>): Promise<T> {
      if (!secretKey) throw billingError('payments_not_configured', 'SVC_STRIPE_SECRET_KEY')
      stripe ??= connect(secretKey)
      return operation(await stripe).catch((cause) => {
        if (!isStripeError(cause)) throw cause
        const { type, code, statusCode: status } = cause
        throw billingError('payment_provider_failed', { type, code, status })
      })
    },
  }
}

/** Whether Stripe does not know the object of the request, or the one in the parameter `param`. */
export const isMissing = (error: unknown, param?: string): boolean =>
  isStripeError(error) &&
  error.code === 'resource_missing' &&
  (param === undefined || error.param === param)

const hostOptions = (base: string) => {
  const { protocol, hostname, port } = new URL(base)
  return {
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
  }
}
