import { getRouteApi } from '@tanstack/react-router'
import { lazy } from 'react'
import {
  type ActivityDay,
  type ActivityDays,
  activityDays,
} from '../../../shared/contract/activity-counts.ts'
import { useApi } from '../../session/query.ts'
import { days as texts } from '../../texts/days.ts'
import { ChartCard } from '../../ui/chart-card.tsx'
import { countColumn, DayBars, DaysSection, DayTable } from '../../ui/days.tsx'
import { DEFAULT_DAYS } from '../../ui/days-search.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { startOf } from '../../ui/zone.ts'
import { AreaPage } from './area-page.tsx'

const LineChart = lazy(() => import('../../ui/line-chart.tsx'))
const route = getRouteApi('/usage/days')
const own = texts.activity
/** Events on the way to the database are counted a minute later. */
const POLL_MS = 60_000

const BARS = ['recalls', 'contexts', 'read', 'written'] as const
const COUNTS = [...BARS, 'changed', 'deleted'] as const

/** The questions, reads, writes and times of each of the last days, and the growth of the memory. */
export const DaysPage = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const query = useApi(
    activityDays,
    { query: { days: search.days ?? DEFAULT_DAYS } },
    { pollMs: POLL_MS },
  )
  return (
    <AreaPage title={texts.title} intro={own.intro}>
      <DaysSection
        search={search}
        onChange={(next) => void navigate({ to: '.', search: next, replace: true })}
      >
        <Loaded query={query}>
          {(data) => (
            <>
              <Kept {...data} />
              {search.view === 'table' ? <Numbers days={data.days} /> : <Charts days={data.days} />}
            </>
          )}
        </Loaded>
      </DaysSection>
    </AreaPage>
  )
}

/** Earlier days have no events. */
const Kept = ({ days, kept_days: kept }: ActivityDays) =>
  kept < days.length && <p className="quiet">{kept === 0 ? own.unrecorded : own.kept(kept)}</p>

const Charts = ({ days }: { days: readonly ActivityDay[] }) => {
  const [first, last] = [days[0]?.memories ?? 0, days.at(-1)?.memories ?? 0]
  return (
    <div className="charts">
      {BARS.map((series) => (
        <DayBars
          key={series}
          label={own.series[series]}
          days={days}
          numberOf={(day) => day[series]}
        />
      ))}
      <ChartCard title={own.memories} note={own.memoriesNow(last)}>
        <LineChart
          label={own.growth(first, last, days.length)}
          times={timesOf(days)}
          lines={[{ name: own.memories, values: days.map(({ memories }) => memories) }]}
        />
      </ChartCard>
      <SearchTimes days={days.filter(({ recall_ms }) => recall_ms)} />
    </div>
  )
}

const SearchTimes = ({ days }: { days: readonly ActivityDay[] }) => {
  const last = days.at(-1)?.recall_ms
  if (!last) return <ChartCard title={own.times}>{own.noTimes}</ChartCard>
  return (
    <ChartCard title={own.times} note={own.timesNote(own.ms(last.median))}>
      <LineChart
        label={own.timesChart(days.length)}
        times={timesOf(days)}
        lines={[
          { name: own.median, values: days.map(({ recall_ms }) => recall_ms?.median ?? null) },
          { name: own.p95, values: days.map(({ recall_ms }) => recall_ms?.p95 ?? null) },
        ]}
      />
    </ChartCard>
  )
}

const timesOf = (days: readonly ActivityDay[]): number[] =>
  days.map(({ day }) => Date.parse(startOf(day)))

const msOf = (part: 'median' | 'p95') => ({
  label: `${own.times}: ${own[part]}`,
  textOf: ({ recall_ms }: ActivityDay) => (recall_ms ? own.ms(recall_ms[part]) : ''),
})

const Numbers = ({ days }: { days: readonly ActivityDay[] }) => (
  <DayTable
    days={days}
    columns={[
      ...COUNTS.map((series) => countColumn<ActivityDay>(own.series[series], (day) => day[series])),
      countColumn<ActivityDay>(own.memories, (day) => day.memories),
      msOf('median'),
      msOf('p95'),
    ]}
  />
)
