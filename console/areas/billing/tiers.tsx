import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { setUserTier } from '../../../shared/contract/admin.ts'
import { type BillingMe, getBilling } from '../../../shared/contract/billing.ts'
import type { Me } from '../../../shared/contract/sessions.ts'
import { getTiers, type Tiers, type TierTerms } from '../../../shared/contract/usage.ts'
import {
  FEATURES,
  METRICS,
  rankOf,
  SUBSCRIPTION_TIERS,
  TIER_NAMES,
  TIERS,
  type TierName,
} from '../../../shared/tiers.ts'
import { useMe } from '../../session/me.ts'
import { useAction, useApi } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { dollars, number } from '../../texts/tools/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { notify } from '../../ui/toast.tsx'
import { AreaPage, formatDay } from '../usage/area-page.tsx'
import { ManageSubscription, Subscribe } from './payment.tsx'

const texts = billing.tiers

export const TiersPage = () => {
  const tiers = useApi(getTiers, {})
  const account = useApi(getBilling, {})
  return (
    <AreaPage title={texts.title} intro={texts.intro}>
      <Loaded query={tiers} lines={4}>
        {(loaded) => (
          <Loaded query={account} lines={4}>
            {(billingOfUser) => <Offers tiers={loaded} account={billingOfUser} />}
          </Loaded>
        )}
      </Loaded>
    </AreaPage>
  )
}

const Offers = ({ tiers, account }: { tiers: Tiers; account: BillingMe }) => {
  const user = useMe()
  return (
    <>
      {account.subscription && (
        <Subscription subscription={account.subscription} takesPayments={tiers.takes_payments} />
      )}
      {!tiers.takes_payments && (
        <Notice>
          {texts.noPayments} {!user?.is_admin && texts.askAdmin}
        </Notice>
      )}
      {user?.is_admin && <SetOwnTier user={user} />}
      <ul className="plain billing-tiers">
        {tiers.tiers.map((tier) => (
          <li key={tier.name}>
            <TierCard tier={tier} account={account} takesPayments={tiers.takes_payments} />
          </li>
        ))}
      </ul>
    </>
  )
}

interface SubscriptionProps {
  subscription: NonNullable<BillingMe['subscription']>
  takesPayments: boolean
}

const Subscription = ({ subscription, takesPayments }: SubscriptionProps) => {
  const { tier, status, current_period_end: end, cancel_at_period_end } = subscription
  return (
    <section className="card stack-small" aria-label={texts.subscription}>
      <h2>{texts.subscription}</h2>
      <p>
        {texts.status(tier, texts.statuses[status] ?? status.replaceAll('_', ' '))}.{' '}
        {end &&
          status === 'active' &&
          (cancel_at_period_end ? texts.ends : texts.renews)(formatDay(end))}
      </p>
      {status === 'past_due' && <Notice look="warn">{texts.pastDue}</Notice>}
      {takesPayments && <ManageSubscription />}
    </section>
  )
}

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

const TierCard = ({ tier, account, takesPayments }: TierCardProps) => {
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

/** Removes the tier that an admin set. */
const NONE = 'none'
const OPTIONS = [
  ...TIER_NAMES.map((id) => ({ id, label: id })),
  { id: NONE, label: texts.noGrant },
] as const

/** An admin sets the own tier; that of others is set in the admin area. */
const SetOwnTier = ({ user }: { user: Me }) => {
  const [chosen, setChosen] = useState<TierName | typeof NONE>(user.tier)
  const change = useAction(setUserTier, {
    onSuccess: ({ tier }) => notify(texts.wasSet(tier)),
  })
  return (
    <section className="card stack-small" aria-label={texts.ownTier}>
      <p>{texts.adminNote}</p>
      <div className="row billing-own-tier">
        <Select
          label={texts.ownTier}
          isLabelHidden
          options={OPTIONS}
          value={chosen}
          onChange={setChosen}
        />
        <Button
          isPending={change.isPending}
          onPress={() =>
            change.mutate({
              params: { user_id: user.id },
              body: { tier: chosen === NONE ? null : chosen },
            })
          }
        >
          {texts.set}
        </Button>
        <Link className="button quiet" to={'/admin/users' as string}>
          {texts.users}
        </Link>
      </div>
      {change.error && <ErrorNotice error={change.error} />}
    </section>
  )
}
