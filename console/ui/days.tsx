import { lazy, type ReactNode, Suspense } from 'react'
import { days as texts } from '../texts/days.ts'
import { number } from '../texts/tools/numbers.ts'
import { locale } from '../texts/tools/region.ts'
import { Select, Switch } from './choice.tsx'
import { type DaysSearch, DEFAULT_DAYS } from './days-search.ts'
import { Skeleton } from './loaded.tsx'
import { Table } from './table.tsx'

/** The charts are loaded when they are shown. */
const BarChart = lazy(() => import('./bar-chart.tsx'))

const RANGES = [
  { id: '7', label: texts.ranges[7], days: 7 },
  { id: '30', label: texts.ranges[30], days: 30 },
  { id: '90', label: texts.ranges[90], days: 90 },
] as const

/** A date is that of a day, whatever the zone. */
const SHORT = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' })
const MEDIUM = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

interface DaysSectionProps {
  title?: string
  search: DaysSearch
  onChange: (search: DaysSearch) => void
  children: ReactNode
}

/** Numbers by day, as charts or as a table with the same numbers. */
export const DaysSection = ({ title, search, onChange, children }: DaysSectionProps) => {
  const { days = DEFAULT_DAYS, view } = search
  return (
    <section className="stack-small">
      <div className="row spread">
        {title && <h2>{title}</h2>}
        <div className="row">
          <Switch
            isSelected={view === 'table'}
            onChange={(isTable) => onChange({ days, ...(isTable && { view: 'table' }) })}
          >
            {texts.asTable}
          </Switch>
          <Select
            label={texts.range}
            isLabelHidden
            options={RANGES}
            value={RANGES.find((range) => range.days === days)?.id ?? '30'}
            onChange={(id) =>
              onChange({
                ...(view && { view }),
                days: RANGES.find((range) => range.id === id)?.days ?? DEFAULT_DAYS,
              })
            }
          />
        </div>
      </div>
      {children}
    </section>
  )
}

interface ChartCardProps {
  title: string
  /** The main number. */
  note?: string
  children: ReactNode
}

export const ChartCard = ({ title, note, children }: ChartCardProps) => (
  <figure className="card chart">
    <figcaption className="row spread">
      <strong>{title}</strong>
      {note && <span className="quiet small">{note}</span>}
    </figcaption>
    <Suspense fallback={<Skeleton lines={4} />}>{children}</Suspense>
  </figure>
)

interface Dated {
  day: string
}

interface DayBarsProps<Day> {
  label: string
  days: readonly Day[]
  numberOf: (day: Day) => number
}

/** A number of each day, as bars, and their total. */
export const DayBars = <Day extends Dated>({ label, days, numberOf }: DayBarsProps<Day>) => {
  const values = days.map(numberOf)
  const total = values.reduce((sum, value) => sum + value, 0)
  return (
    <ChartCard title={label} note={texts.total(total)}>
      <BarChart
        label={texts.chart(label, total, days.length)}
        names={days.map(({ day }) => SHORT.format(new Date(day)))}
        values={values}
      />
    </ChartCard>
  )
}

interface DayTableProps<Day> {
  days: readonly Day[]
  columns: readonly { label: string; textOf: (day: Day) => string }[]
}

/** The newest day first. */
export const DayTable = <Day extends Dated>({ days, columns }: DayTableProps<Day>) => (
  <Table
    label={texts.title}
    columns={[texts.day, ...columns.map(({ label }) => ({ label, isNumeric: true as const }))]}
  >
    {days.toReversed().map((row) => (
      <tr key={row.day}>
        <th scope="row">{MEDIUM.format(new Date(row.day))}</th>
        {columns.map(({ label, textOf }) => (
          <td key={label} className="numeric">
            {textOf(row)}
          </td>
        ))}
      </tr>
    ))}
  </Table>
)

/** A column of whole numbers. */
export const countColumn = <Day extends Dated>(label: string, numberOf: (day: Day) => number) => ({
  label,
  textOf: (day: Day) => number(numberOf(day)),
})
