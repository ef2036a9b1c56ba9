import { Link } from '@tanstack/react-router'
import type { BillingMe, TierTerms } from '../../../shared/contract/billing.ts'
import { FEATURES, METRICS, rankOf, SUBSCRIPTION_TIERS, TIERS } from '../../../shared/tiers.ts'
import { billing } from '../../texts/billing.ts'
import { dollars, number } from '../../texts/tools/numbers.ts'
import { Subscribe } from './payment.tsx'

const texts = billing.tiers

const isByUsage = ({ name }: TierTerms): boolean =>
  TIERS.some((tier) => tier.name === name && tier.payment === 'usage')

const priceOf = (tier: TierTerms): string => {
  if (isByUsage(tier)) return texts.byUsage
  return tier.price_usd === 0 ? texts.free : texts.aMonth(dollars(tier.price_usd))
}

const limitOf = (limit: number | null): string => (limit === null ? texts.unlimited : number(limit))

interface TierCardProps {
  tier: TierTerms
  account: BillingMe
  takesPayments: boolean
}

export const TierCard = ({ tier, account, takesPayments }: TierCardProps) => {
  const isCurrent = tier.name === account.tier
  return (
    <section className={isCurrent ? 'card billing-tier current' : 'card billing-tier'}>
      <div className="row spread">
        <h2>{tier.name}</h2>
        {isCurrent && <span className="badge accent">{texts.current}</span>}
      </div>
      <p className="billing-price">{priceOf(tier)}</p>
      <Terms tier={tier} account={account} />
      {takesPayments && !isCurrent && <Offer tier={tier} account={account} />}
    </section>
  )
}

const Terms = ({ tier, account }: Pick<TierCardProps, 'tier' | 'account'>) => (
  <dl className="billing-terms">
    {METRICS.map((metric) => (
      <div className="billing-pair" key={metric}>
        <dt>{billing.usage.metrics[metric]}</dt>
        <dd className="numeric">
          {isByUsage(tier)
            ? billing.credits.each(dollars(account.payg.prices_usd[metric], 6))
            : limitOf(tier.quotas[metric])}
        </dd>
      </div>
    ))}
    <div className="billing-pair" title={texts.seatsNote}>
      <dt>{texts.seats}</dt>
      <dd className="numeric">{limitOf(tier.seats)}</dd>
    </div>
    {FEATURES.map((feature) => (
      <div className="billing-pair" key={feature}>
        <dt>{texts.features[feature]}</dt>
        <dd>{tier.features.includes(feature) ? texts.included : texts.notIncluded}</dd>
      </div>
    ))}
  </dl>
)

/** A higher tier is subscribed to; a lower one is chosen by changing the subscription. */
const Offer = ({ tier, account }: Pick<TierCardProps, 'tier' | 'account'>) => {
  if (isByUsage(tier))
    return (
      <Link className="button" to="/usage/credits">
        {texts.usePayg}
      </Link>
    )
  const offered = SUBSCRIPTION_TIERS.find((name) => name === tier.name)
  const isLive = account.subscription && account.subscription.status !== 'canceled'
  if (!offered || (isLive && rankOf(account.subscription?.tier ?? account.tier) >= rankOf(offered)))
    return null
  return <Subscribe tier={offered} />
}
