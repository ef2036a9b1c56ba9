import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { getUsage } from '../../../shared/contract/usage.ts'
import { useApi } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useIsPast } from '../../ui/use-is-past.ts'

/** After a payment, the tier changes when Stripe has reported it, usually within seconds. */
const POLL_MS = 3_000
const MAX_POLL_MS = 60_000

/** Stripe leads back to the console with `?paid=1`. */
const isPaid = ({ paid }: { paid?: unknown }): boolean => Number(paid) === 1

/** Thanks a user who comes back from a payment, until the tier has changed. */
export const PaidNotice = () => isPaid(useSearch({ strict: false })) && <Paid />

const Paid = () => {
  const [polledFrom, setPolledFrom] = useState(Date.now)
  const isLate = useIsPast(polledFrom + MAX_POLL_MS)
  const usage = useApi(getUsage, {}, { pollMs: isLate ? undefined : POLL_MS })
  const check = () => {
    setPolledFrom(Date.now())
    void usage.refetch()
  }
  return (
    <div role="status">
      {isLate ? <LatePayment onCheck={check} /> : <Notice look="good">{billing.paid}</Notice>}
    </div>
  )
}

const LatePayment = ({ onCheck }: { onCheck: () => void }) => (
  <Notice
    look="warn"
    action={
      <Button isSmall onPress={onCheck}>
        {billing.checkPayment}
      </Button>
    }
  >
    {billing.paidLate}
  </Notice>
)
