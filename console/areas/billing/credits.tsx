import { useState } from 'react'
import { ApiFailure } from '../../../shared/client.ts'
import { type BillingMe, getBilling, setPayg } from '../../../shared/contract/billing.ts'
import { checkout } from '../../../shared/contract/payments.ts'
import { getTiers } from '../../../shared/contract/usage.ts'
import { METRICS } from '../../../shared/tiers.ts'
import { useAction, useApi } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { dollars } from '../../texts/tools/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { notify } from '../../ui/toast.tsx'
import { AreaPage } from '../usage/area-page.tsx'
import { CreditHistory } from './credit-history.tsx'
import { SpendingCap } from './spending-cap.tsx'

const texts = billing.credits

export const CreditsPage = () => {
  const account = useApi(getBilling, {})
  const tiers = useApi(getTiers, {})
  const takesPayments = tiers.data?.takes_payments ?? false
  return (
    <AreaPage title={texts.title} intro={texts.intro}>
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
    </AreaPage>
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

interface PaygProps extends Pick<BillingMe, 'payg'> {
  isSubscribed: boolean
  takesPayments: boolean
}

/** Turns pay as you go on or off. */
const Payg = ({ payg, isSubscribed, takesPayments }: PaygProps) => {
  const change = useAction(setPayg, {
    onSuccess: ({ payg: { enabled } }) => notify(enabled ? texts.turnedOn : texts.turnedOff),
  })
  const { error } = change
  const needsCredits = error instanceof ApiFailure && error.status === 409
  return (
    <section className="card stack-small" aria-label={texts.payg}>
      <h2>{texts.payg}</h2>
      <p>{payg.enabled ? texts.paygOn : texts.paygOff}</p>
      {isSubscribed && <p className="quiet">{texts.paygSubscribed}</p>}
      {needsCredits && (
        <div role="alert">
          <Notice look="warn">
            {takesPayments ? texts.needCredits : texts.needCreditsNoPayments}
          </Notice>
        </div>
      )}
      {error && !needsCredits && <ErrorNotice error={error} />}
      <div>
        <Button
          isPending={change.isPending}
          onPress={() => change.mutate({ body: { enabled: !payg.enabled } })}
        >
          {payg.enabled ? texts.turnOff : texts.turnOn}
        </Button>
      </div>
    </section>
  )
}

const DEFAULT_USD = '10'

/** Buys credits on a page of Stripe, which leads back to the console. */
const BuyCredits = ({ isPayg }: { isPayg: boolean }) => {
  const [turnsOn, setTurnsOn] = useState(!isPayg)
  const buy = useAction(checkout, { onSuccess: ({ url }) => location.assign(url) })
  return (
    <section className="card stack-small" aria-label={texts.buy}>
      <h2>{texts.buy}</h2>
      <Form
        error={buy.error}
        fields={['credits_usd']}
        onSubmit={(data) =>
          buy.mutate({
            query: { return_to: 'console' },
            body: {
              credits_usd: Number(data.get('credits_usd')),
              ...(turnsOn && !isPayg && { tier: 'payg' as const }),
            },
          })
        }
      >
        <TextField
          name="credits_usd"
          label={texts.amount}
          note={texts.amountNote}
          inputMode="decimal"
          defaultValue={DEFAULT_USD}
          isRequired
          validate={(value) => (value && Number.isNaN(Number(value)) ? texts.notAmount : null)}
        />
        {!isPayg && (
          <Checkbox isSelected={turnsOn} onChange={setTurnsOn}>
            {texts.alsoPayg}
          </Checkbox>
        )}
        <div className="form-actions">
          <Button type="submit" look="primary" isPending={buy.isPending || buy.isSuccess}>
            {texts.buy}
          </Button>
        </div>
      </Form>
    </section>
  )
}
