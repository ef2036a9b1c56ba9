import { METRICS, type TierName } from '../../../shared/schemas/billing.ts'
import { type Html, html, type MountPage } from '../../platform/http/page.ts'
import { inCredits } from '../money.ts'
import type { Tier, Tiers } from '../tiers.ts'
import type { BillingOverview } from './service.ts'

/** What each tier opens: where errors point at that a higher tier would mend. */
export const pricingPages = (mountPage: MountPage, billing: BillingOverview): void => {
  mountPage('GET', '/pricing', ({ query }) => ({
    title: 'Tiers and prices',
    isWide: true,
    body: html`<h1>Tiers and prices</h1>
${query.has('paid') && html`<p role="status">Thank you. What you paid for is yours in a moment.</p>`}
<p class="quiet">All numbers are for a calendar month. Seats are members of an
organization. Remembering and recalling are free in every tier.</p>
<div class="tiers">${billing.terms.all.map((tier) => section(tier, billing.terms))}</div>
<h2>How to change</h2>
${billing.takesPayments ? HOW : ASK}`,
  }))
}

const section = (tier: Tier, tiers: Tiers): Html =>
  html`<section><h2>${tier.name} <span class="quiet">${priceOf(tier)}</span></h2>
<dl>${tier.name === 'payg' ? prices(tiers) : quotas(tier)}
<dt>Seats</dt><dd>${amount(tier.seats)}</dd>
${tier.features.length > 0 && html`<dt>Opens</dt><dd>${tier.features.map((name) => FEATURES[name]).join(', ')}</dd>`}</dl></section>`

const quotas = (tier: Tier): Html[] =>
  METRICS.map((metric) => html`<dt>${LABELS[metric]}</dt><dd>${amount(tier.quotas[metric])}</dd>`)

const prices = ({ priceMicros }: Tiers): Html[] =>
  METRICS.map(
    (metric) => html`<dt>${LABELS[metric]}</dt><dd>${credits(inCredits(priceMicros[metric]))}</dd>`,
  )

const credits = (count: number): string =>
  count === 0
    ? 'free'
    : `${count.toLocaleString('en-US', { maximumFractionDigits: 3 })} credit${count === 1 ? '' : 's'}`

const LABELS = {
  messages: 'Messages',
  urls: 'Web pages',
  emails: 'Emails',
  transcriptions: 'Transcriptions',
}
const FEATURES = { deep: 'deep recall', sage: 'sage recall', webhooks: 'webhooks' }

const amount = (limit: number | null): string =>
  limit === null ? 'any number' : limit.toLocaleString('en-US')

const NOT_SUBSCRIBED: Partial<Record<TierName, string>> = {
  amnesiac: 'free',
  payg: 'what you use, from credits',
}
const priceOf = ({ name, priceCents }: Tier): string =>
  NOT_SUBSCRIBED[name] ?? `$${(priceCents / 100).toFixed(priceCents % 100 ? 2 : 0)} a month`

const HOW = html`<p>Your app asks <code>POST /api/billing/checkout</code> for a page to pay on, with
<code>{"tier": "awakened"}</code> to subscribe, or <code>{"tier": "payg", "credits_usd": 10}</code> to
pay as you go; 1,000 credits are one US dollar. <code>POST /api/billing/portal</code> gives a page to
change or end a subscription.</p>`

const ASK = html`<p>No payments are taken on this server. Ask whoever runs it for a higher tier.</p>`
