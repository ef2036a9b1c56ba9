import { lazy, type ReactNode } from 'react'
import { days as texts } from '../texts/days.ts'
import { number } from '../texts/tools/numbers.ts'
import { locale } from '../texts/tools/region.ts'
import { ChartCard } from './chart-card.tsx'
import { Select, Switch } from './choice.tsx'
import { type DaysSearch, DEFAULT_DAYS, RANGES, readDaysSearch } from './days-search.ts'
import { Table } from './table.tsx'

/** The charts are loaded when they are shown. */
const BarChart = lazy(() => import('./bar-chart.tsx'))

const OPTIONS = RANGES.map((days) => ({ id: String(days), label: texts.ranges[days] }))

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
            options={OPTIONS}
            value={String(days)}
            onChange={(chosen) => onChange(readDaysSearch({ view, days: chosen }))}
          />
        </div>
      </div>
      {children}
    </section>
  )
}

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
