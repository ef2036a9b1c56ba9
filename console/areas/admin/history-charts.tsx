import { admin } from '../../texts/admin.ts'
import { locale } from '../../texts/tools/region.ts'
import BarChart from '../../ui/bar-chart.tsx'
import { type DayRow, SERIES, type Series, totalOf } from './history.ts'
import { formatNumber } from './numbers.tsx'

const texts = admin.overview
/** Days are in UTC. */
const DAY = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })

const Chart = ({ days, series }: { days: readonly DayRow[]; series: Series }) => {
  const label = texts.series[series]
  const total = formatNumber(totalOf(days, series))
  return (
    <figure className="card chart">
      <figcaption className="row spread">
        <strong>{label}</strong>
        <span className="quiet small">{texts.total(total)}</span>
      </figcaption>
      <BarChart
        label={texts.chart(label, total, days.length)}
        names={days.map(({ day }) => DAY.format(new Date(day)))}
        values={days.map((day) => day[series])}
      />
    </figure>
  )
}

const HistoryCharts = ({ days }: { days: readonly DayRow[] }) => (
  <div className="charts">
    {SERIES.map((series) => (
      <Chart key={series} days={days} series={series} />
    ))}
  </div>
)

/** The default export is for `lazy`: the charts are loaded when they are shown. */
export default HistoryCharts
