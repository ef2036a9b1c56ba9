import { FEATURE_ROWS, METRIC_ROWS, SUBSCRIPTION_TIERS } from '../../shared/tiers.ts'
import { dollarsOf, numberOf } from '../platform/http/formats.ts'
import { type Html, html, t, translated } from '../platform/http/html.ts'
import { type MountPage, nextStep, openConsole } from '../platform/http/page.ts'
import { microsToCredits } from './money.ts'
import type { TierCatalog, TierConfig } from './tiers.ts'
import type { Terms } from './usage.ts'

/** The pricing page: `upgrade_url` of tier, feature and quota errors. */
export const pricingPages = (mountPage: MountPage, { tiers, takesPayments }: Terms): void => {
  mountPage('GET', '/pricing', ({ query }) => ({
    title: t`Tiers and prices`,
    isWide: true,
    body: html`<h1>${t`Tiers and prices`}</h1>
${query.has('paid') && html`<p role="status">${t`Thank you. Your payment takes effect in a moment.`}</p>`}
<p class="quiet">${t`All numbers are for a calendar month. Seats are members of an organization. Remembering and recalling are free in every tier.`}</p>
<div class="tiers">${tiers.all.map((tier) => section(tier, tiers))}</div>
<h2>${t`How to change`}</h2>
${takesPayments ? CHECKOUT : NO_PAYMENTS}`,
  }))
}

const section = (tier: TierConfig, tiers: TierCatalog): Html =>
  html`<section><h2>${tier.name} <span class="quiet">${priceOf(tier)}</span></h2>
<dl>${tier.payment === 'usage' ? prices(tiers) : quotas(tier)}
<dt>${t`Seats`}</dt><dd>${amount(tier.seats)}</dd>
${tier.features.length > 0 && html`<dt>${t`Features`}</dt><dd>${featuresOf(tier)}</dd>`}</dl></section>`

const quotas = (tier: TierConfig): Html[] =>
  METRIC_ROWS.map(
    ({ name, label }) => html`<dt>${translated(label)}</dt><dd>${amount(tier.quotas[name])}</dd>`,
  )

const prices = ({ priceMicros }: TierCatalog): Html[] =>
  METRIC_ROWS.map(
    ({ name, label }) =>
      html`<dt>${translated(label)}</dt><dd>${credits(microsToCredits(priceMicros[name]))}</dd>`,
  )

const featuresOf = ({ features }: TierConfig): Html[] =>
  FEATURE_ROWS.filter(({ name }) => features.includes(name)).map(
    ({ label }, i) => html`${i > 0 && ', '}${translated(label)}`,
  )

const credits = (count: number): Html => {
  if (count === 0) return t`free`
  return count === 1 ? t`${numberOf(count)} credit` : t`${numberOf(count)} credits`
}

const amount = (limit: number | null): Html => (limit === null ? t`any number` : numberOf(limit))

const priceOf = ({ payment, priceCents }: TierConfig): Html => {
  if (payment === 'free') return t`free`
  if (payment === 'usage') return t`what you use, from credits`
  return t`${dollarsOf(priceCents)} a month`
}

const SUBSCRIBE = html`<code>{"tier": "${SUBSCRIPTION_TIERS[0] ?? ''}"}</code>`
const BUY_CREDITS = html`<code>{"tier": "payg", "credits_usd": 10}</code>`

const CHECKOUT = html`<p>${t`Subscribe, buy credits or change a subscription on the page Usage.`}</p>
${nextStep('/app/usage', t`Choose a tier`)}
<p class="quiet">${t`An app calls ${html`<code>POST /api/billing/checkout</code>`} for a payment page, with ${SUBSCRIBE} to subscribe, or ${BUY_CREDITS} to pay as you go; 1,000 credits are one US dollar. ${html`<code>POST /api/billing/portal</code>`} returns a page to change or end a subscription.`}</p>`

const NO_PAYMENTS = html`<p>${t`This server takes no payments. Ask its operator for a higher tier.`}</p>
${openConsole}`
