import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { getUsage, type Usage } from '../../../shared/contract/billing.ts'
import { METRICS, type Metric } from '../../../shared/tiers.ts'
import { useApi } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { levelOf, Meter, shareOf } from '../../ui/meter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useIsPast } from '../../ui/use-is-past.ts'
import { BillingPage, formatDay } from './billing-page.tsx'
import { History } from './history.tsx'

const texts = billing.usage

/** After a payment, the tier changes when Stripe has reported it, usually within seconds. */
const PAID_POLL_MS = 3_000
const MAX_PAID_POLL_MS = 60_000

export const UsagePage = () => {
  const { paid } = useSearch({ from: '/usage' })
  const [polledFrom, setPolledFrom] = useState(Date.now)
  const isLate = useIsPast(polledFrom + MAX_PAID_POLL_MS)
  const usage = useApi(getUsage, {}, { pollMs: paid && !isLate ? PAID_POLL_MS : undefined })
  const check = () => {
    setPolledFrom(Date.now())
    void usage.refetch()
  }
  return (
    <BillingPage title={texts.title} intro={usage.data && texts.intro(usage.data.tier)}>
      {paid && (
        <div role="status">
          {isLate ? <LatePayment onCheck={check} /> : <Notice look="good">{billing.paid}</Notice>}
        </div>
      )}
      <Loaded query={usage}>{(data) => <Quotas usage={data} />}</Loaded>
      <History />
    </BillingPage>
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

type Quota = Usage['usage'][Metric]

const quotaLevel = ({ used, limit }: Quota) => levelOf(shareOf(used, limit))

const Quotas = ({ usage: { usage, period_end } }: { usage: Usage }) => {
  const scarce = METRICS.filter((metric) => quotaLevel(usage[metric]) !== 'ok')
  return (
    <>
      {scarce.map((metric) => (
        <QuotaNotice key={metric} metric={metric} isOver={quotaLevel(usage[metric]) === 'over'} />
      ))}
      <section className="card stack" aria-label={texts.month}>
        <div className="row spread">
          <h2>{texts.month}</h2>
          <span className="small quiet">{texts.resets(formatDay(period_end))}</span>
        </div>
        <div className="billing-quotas">
          {METRICS.map((metric) => (
            <QuotaMeter key={metric} metric={metric} quota={usage[metric]} />
          ))}
        </div>
      </section>
    </>
  )
}

const QuotaNotice = ({ metric, isOver }: { metric: Metric; isOver: boolean }) => (
  <Notice
    look={isOver ? 'bad' : 'warn'}
    action={
      <Link className="button small" to="/usage/tiers">
        {texts.change}
      </Link>
    }
  >
    {isOver ? texts.overNote(texts.metrics[metric]) : texts.nearNote(texts.metrics[metric])}
  </Notice>
)

interface QuotaMeterProps {
  metric: Metric
  quota: Quota
}

const QuotaMeter = ({ metric, quota }: QuotaMeterProps) => {
  const { used, limit, remaining } = quota
  const note = { ok: undefined, near: texts.near, over: texts.over }[quotaLevel(quota)]
  return (
    <Meter
      label={texts.metrics[metric]}
      value={limit === null ? texts.noLimit(used) : texts.ofLimit(used, limit)}
      share={shareOf(used, limit)}
      note={note ?? (remaining === null ? undefined : texts.left(remaining))}
    />
  )
}
