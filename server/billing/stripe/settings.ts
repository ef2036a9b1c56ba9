export interface StripeSettings {
  /** Without it, the server takes no payments. */
  secretKey: string | undefined
  /** Without it, the server accepts no webhooks. */
  webhookSecret: string | undefined
  /** Base URL of Stripe's API, if not Stripe's own. */
  apiBase: string | undefined
}
