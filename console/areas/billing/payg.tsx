import { ApiFailure } from '../../../shared/client.ts'
import { type BillingMe, setPayg } from '../../../shared/contract/billing.ts'
import { useAction } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'
import { notify } from '../../ui/toast.tsx'

const texts = billing.credits

interface PaygProps extends Pick<BillingMe, 'payg'> {
  isSubscribed: boolean
  takesPayments: boolean
}

/** Turns pay as you go on or off. */
export const Payg = ({ payg, isSubscribed, takesPayments }: PaygProps) => {
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
