import {
  type BillingMe,
  getBilling,
  getTiers,
  type Tiers,
} from '../../../shared/contract/billing.ts'
import { useMe } from '../../session/me.ts'
import { useApi } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BillingPage, formatDay } from './billing-page.tsx'
import { ManageSubscription } from './payment.tsx'
import { SetOwnTier } from './set-own-tier.tsx'
import { TierCard } from './tier-card.tsx'

const texts = billing.tiers

export const TiersPage = () => {
  const tiers = useApi(getTiers, {})
  const account = useApi(getBilling, {})
  return (
    <BillingPage title={texts.title} intro={texts.intro}>
      <Loaded query={tiers} lines={4}>
        {(loaded) => (
          <Loaded query={account} lines={4}>
            {(billingOfUser) => <Offers tiers={loaded} account={billingOfUser} />}
          </Loaded>
        )}
      </Loaded>
    </BillingPage>
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
