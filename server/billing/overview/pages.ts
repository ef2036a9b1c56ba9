import { FEATURE_ROWS, METRIC_ROWS, SUBSCRIPTION_TIERS } from '../../../shared/tiers.ts'
import { type Html, html, type MountPage, nextStep, openConsole } from '../../platform/http/page.ts'
import { microsToCredits } from '../money.ts'
import type { TierCatalog, TierConfig } from '../tiers.ts'
import type { BillingOverview } from './service.ts'

/** The pricing page: `upgrade_url` of tier, feature and quota errors. */
export const pricingPages = (mountPage: MountPage, billing: BillingOverview): void => {
  mountPage('GET', '/pricing', ({ query }) => ({
    title: 'Tiers and prices',
    isWide: true,
    body: html`<h1>Tiers and prices</h1>
${query.has('paid') && html`<p role="status">Thank you. Your payment takes effect in a moment.</p>`}
<p class="quiet">All numbers are for a calendar month. Seats are members of an
organization. Remembering and recalling are free in every tier.</p>
<div class="tiers">${billing.terms.all.map((tier) => section(tier, billing.terms))}</div>
<h2>How to change</h2>
${billing.takesPayments ? CHECKOUT : NO_PAYMENTS}`,
  }))
}

const section = (tier: TierConfig, tiers: TierCatalog): Html =>
  html`<section><h2>${tier.name} <span class="quiet">${priceOf(tier)}</span></h2>
<dl>${tier.payment === 'usage' ? prices(tiers) : quotas(tier)}
<dt>Seats</dt><dd>${amount(tier.seats)}</dd>
${tier.features.length > 0 && html`<dt>Features</dt><dd>${featuresOf(tier)}</dd>`}</dl></section>`

const quotas = (tier: TierConfig): Html[] =>
  METRIC_ROWS.map(({ name, label }) => html`<dt>${label}</dt><dd>${amount(tier.quotas[name])}</dd>`)

const prices = ({ priceMicros }: TierCatalog): Html[] =>
  METRIC_ROWS.map(
    ({ name, label }) =>
      html`<dt>${label}</dt><dd>${credits(microsToCredits(priceMicros[name]))}</dd>`,
  )

const featuresOf = ({ features }: TierConfig): string =>
  FEATURE_ROWS.flatMap(({ name, label }) => (features.includes(name) ? [label] : [])).join(', ')

const credits = (count: number): string =>
  count === 0
    ? 'free'
    : `${count.toLocaleString('en-US', { maximumFractionDigits: 3 })} credit${count === 1 ? '' : 's'}`

const amount = (limit: number | null): string =>
  limit === null ? 'any number' : limit.toLocaleString('en-US')

const priceOf = ({ payment, priceCents }: TierConfig): string => {
  if (payment === 'free') return 'free'
  if (payment === 'usage') return 'what you use, from credits'
  return `$${(priceCents / 100).toFixed(priceCents % 100 ? 2 : 0)} a month`
}

const CHECKOUT = html`<p>Subscribe, buy credits or change a subscription on the page Usage.</p>
${nextStep('/app/usage', 'Choose a tier')}
<p class="quiet">An app calls <code>POST /api/billing/checkout</code> for a payment page, with
<code>{"tier": "${SUBSCRIPTION_TIERS[0] ?? ''}"}</code> to subscribe, or <code>{"tier": "payg", "credits_usd": 10}</code> to
pay as you go; 1,000 credits are one US dollar. <code>POST /api/billing/portal</code> returns a page to
change or end a subscription.</p>`

const NO_PAYMENTS = html`<p>This server takes no payments. Ask its operator for a higher tier.</p>
${openConsole}`
