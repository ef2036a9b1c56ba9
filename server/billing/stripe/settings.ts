/** How payments are taken; without a secret key none are, without a webhook secret nothing is heard of them. */
export interface StripeSettings {
  secretKey: string | undefined
  webhookSecret: string | undefined
  /** Where Stripe's API is, if not at Stripe. */
  apiBase: string | undefined
}
