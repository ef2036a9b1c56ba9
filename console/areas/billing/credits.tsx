import { type BillingMe, getBilling, getTiers } from '../../../shared/contract/billing.ts'
import { METRICS } from '../../../shared/tiers.ts'
import { useApi } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { dollars } from '../../texts/tools/numbers.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BillingPage } from './billing-page.tsx'
import { BuyCredits } from './buy-credits.tsx'
import { CreditHistory } from './credit-history.tsx'
import { Payg } from './payg.tsx'
import { SpendingCap } from './spending-cap.tsx'

const texts = billing.credits

export const CreditsPage = () => {
  const account = useApi(getBilling, {})
  const tiers = useApi(getTiers, {})
  const takesPayments = tiers.data?.takes_payments ?? false
  return (
    <BillingPage title={texts.title} intro={texts.intro}>
      <Loaded query={account} lines={4}>
        {({ payg, subscription }) => (
          <>
            <div className="billing-columns">
              <div className="stack">
                <Balance payg={payg} />
                <SpendingCap payg={payg} />
              </div>
              <div className="stack">
                <Payg
                  payg={payg}
                  isSubscribed={subscription?.status === 'active'}
                  takesPayments={takesPayments}
                />
                {takesPayments ? (
                  <BuyCredits isPayg={payg.enabled} />
                ) : (
                  tiers.data && <Notice>{billing.tiers.noPayments}</Notice>
                )}
              </div>
            </div>
            <CreditHistory />
          </>
        )}
      </Loaded>
    </BillingPage>
  )
}

const remarkOf = ({ balance_usd, low_balance, depleted }: BillingMe['payg']) => {
  if (balance_usd < 0) return texts.negative
  if (depleted) return texts.depleted
  return low_balance ? texts.low : undefined
}

const Balance = ({ payg }: Pick<BillingMe, 'payg'>) => {
  const remark = remarkOf(payg)
  return (
    <section className="card stack-small" aria-label={texts.balance}>
      <h2>{texts.balance}</h2>
      <p className="billing-amount numeric">{dollars(payg.balance_usd, 3)}</p>
      <p className="quiet numeric">{texts.credits(payg.balance_credits)}</p>
      {remark && <p>{remark}</p>}
      <h3>{texts.prices}</h3>
      <dl className="details">
        {METRICS.map((metric) => (
          <div className="billing-pair" key={metric}>
            <dt>{billing.usage.metrics[metric]}</dt>
            <dd className="numeric">{texts.each(dollars(payg.prices_usd[metric], 6))}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
