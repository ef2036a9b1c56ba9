import { lazy, Suspense, useState } from 'react'
import { type UsageHistory, usageHistory } from '../../../shared/contract/usage.ts'
import { METRICS, type Metric } from '../../../shared/tiers.ts'
import { useApi } from '../../session/query.ts'
import { billing } from '../../texts/billing.ts'
import { dollars, number } from '../../texts/tools/numbers.ts'
import { Select } from '../../ui/choice.tsx'
import { Loaded, Skeleton } from '../../ui/loaded.tsx'
import { Table } from '../../ui/table.tsx'
import { formatMonth } from './area-page.tsx'

const texts = billing.usage
const BarChart = lazy(() => import('../../ui/bar-chart.tsx'))

const METRIC_OPTIONS = METRICS.map((id) => ({ id, label: texts.metrics[id] }))

/** The usage of the last months as a chart, and as a table with the same numbers. */
export const History = () => {
  const history = useApi(usageHistory, { query: { months: 12 } })
  return (
    <section className="card stack" aria-label={texts.history}>
      <h2>{texts.history}</h2>
      <Loaded query={history}>
        {({ months }) =>
          months.some(({ usage }) => METRICS.some((metric) => usage[metric] > 0)) ? (
            <Months months={months} />
          ) : (
            <p className="quiet">{texts.historyEmpty}</p>
          )
        }
      </Loaded>
    </section>
  )
}

type Months = UsageHistory['months']

const Months = ({ months }: { months: Months }) => {
  const [metric, setMetric] = useState<Metric>('messages')
  return (
    <>
      <div className="usage-metric">
        <Select label={texts.shown} options={METRIC_OPTIONS} value={metric} onChange={setMetric} />
      </div>
      <Suspense fallback={<Skeleton lines={3} />}>
        <BarChart
          label={texts.chart(texts.metrics[metric])}
          names={months.map(({ period_start }) => formatMonth(period_start))}
          values={months.map(({ usage }) => usage[metric])}
        />
      </Suspense>
      <details>
        <summary>{texts.asTable}</summary>
        <MonthTable months={months} />
      </details>
    </>
  )
}

const MonthTable = ({ months }: { months: Months }) => (
  <Table
    label={texts.table}
    columns={[
      texts.monthColumn,
      ...METRICS.map((metric) => ({ label: texts.metrics[metric], isNumeric: true as const })),
      { label: texts.spent, isNumeric: true },
    ]}
  >
    {months.toReversed().map(({ period_start, usage, spent_usd }) => (
      <tr key={period_start}>
        <th scope="row">{formatMonth(period_start)}</th>
        {METRICS.map((metric) => (
          <td key={metric} className="numeric">
            {number(usage[metric])}
          </td>
        ))}
        <td className="numeric">{dollars(spent_usd, 3)}</td>
      </tr>
    ))}
  </Table>
)
