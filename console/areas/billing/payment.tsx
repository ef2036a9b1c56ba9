import { ApiFailure } from '../../../shared/client.ts'
import { checkout, portal } from '../../../shared/contract/payments.ts'
import type { SubscriptionTier } from '../../../shared/tiers.ts'
import { useAction } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice, Notice } from '../../ui/notice.tsx'

const texts = billing.tiers
const query = { return_to: 'console' } as const
const leave = ({ url }: { url: string }): void => location.assign(url)

/** A conflict in words of the console: those of the API name endpoints. */
const PaymentError = ({ error, conflict }: { error: Error; conflict: string }) =>
  error instanceof ApiFailure && error.status === 409 ? (
    <div role="alert">
      <Notice look="warn">{conflict}</Notice>
    </div>
  ) : (
    <ErrorNotice error={error} />
  )

/** Leads to a page of Stripe to subscribe. */
export const Subscribe = ({ tier }: { tier: SubscriptionTier }) => {
  const subscribe = useAction(checkout, { onSuccess: leave })
  return (
    <>
      <Button
        look="primary"
        isPending={subscribe.isPending || subscribe.isSuccess}
        onPress={() => subscribe.mutate({ query, body: { tier } })}
      >
        {texts.choose(tier)}
      </Button>
      {subscribe.error && <PaymentError error={subscribe.error} conflict={texts.alreadyPaid} />}
    </>
  )
}

/** Leads to a page of Stripe to change or cancel the subscription. */
export const ManageSubscription = () => {
  const manage = useAction(portal, { onSuccess: leave })
  return (
    <>
      <div>
        <Button
          icon="external"
          isPending={manage.isPending || manage.isSuccess}
          onPress={() => manage.mutate({ query })}
        >
          {texts.manage}
        </Button>
      </div>
      {manage.error && <PaymentError error={manage.error} conflict={texts.nothingPaid} />}
    </>
  )
}
