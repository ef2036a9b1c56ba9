import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { getUsage, type Usage } from '../../../shared/contract/usage.ts'
import { METRICS, type Metric } from '../../../shared/tiers.ts'
import { features } from '../../features.ts'
import { useApi } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { levelOf, Meter, shareOf } from '../../ui/meter.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AreaPage, formatDay } from './area-page.tsx'
import { History } from './history.tsx'

const texts = billing.usage

const upgrade = features.find((feature) => feature.upgrade)?.upgrade
const notices = features.flatMap(({ UsageNotice }) => UsageNotice ?? [])

export const UsagePage = () => {
  const usage = useApi(getUsage, {})
  return (
    <AreaPage title={texts.title} intro={usage.data && texts.intro(usage.data.tier)}>
      {notices.map((UsageNotice, index) => (
        <Suspense key={index} fallback={null}>
          <UsageNotice />
        </Suspense>
      ))}
      <Loaded query={usage}>{(data) => <Quotas usage={data} />}</Loaded>
      <History />
    </AreaPage>
  )
}

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
        <div className="usage-quotas">
          {METRICS.map((metric) => (
            <QuotaMeter key={metric} metric={metric} quota={usage[metric]} />
          ))}
        </div>
      </section>
    </>
  )
}

const QuotaNotice = ({ metric, isOver }: { metric: Metric; isOver: boolean }) => {
  const name = texts.metrics[metric]
  const overNote = upgrade ? texts.overNote(name) : texts.overUntilReset(name)
  return (
    <Notice
      look={isOver ? 'bad' : 'warn'}
      action={
        upgrade && (
          <Link className="button small" to={upgrade}>
            {texts.change}
          </Link>
        )
      }
    >
      {isOver ? overNote : texts.nearNote(name)}
    </Notice>
  )
}

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
