import { getRouteApi } from '@tanstack/react-router'
import { adminStats } from '../../../shared/contract/admin.ts'
import { type AdminHistory, adminHistory } from '../../../shared/contract/operations.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { days } from '../../texts/days.ts'
import { countColumn, DayBars, DaysSection, DayTable } from '../../ui/days.tsx'
import { DEFAULT_DAYS } from '../../ui/days-search.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Numbers } from './numbers.tsx'

const texts = admin.overview
const route = getRouteApi('/admin/overview')
const REFRESH_MS = 30_000

export const OverviewPage = () => {
  const stats = useApi(adminStats, {}, { pollMs: REFRESH_MS })
  return (
    <Page title={texts.title} intro={texts.intro}>
      <section className="stack-small">
        <h2>{texts.now}</h2>
        <Loaded query={stats}>{(data) => <Numbers stats={data} />}</Loaded>
      </section>
      <History />
    </Page>
  )
}

type DayRow = AdminHistory['days'][number]

const SERIES = ['users', 'sign_ins', 'memories', 'messages'] as const
const COLUMNS = SERIES.map((series) =>
  countColumn<DayRow>(texts.series[series], (day) => day[series]),
)

const History = () => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const history = useApi(adminHistory, { query: { days: search.days ?? DEFAULT_DAYS } })
  return (
    <DaysSection
      title={days.title}
      search={search}
      onChange={(next) => void navigate({ to: '.', search: next, replace: true })}
    >
      <Loaded query={history}>
        {(data) =>
          search.view === 'table' ? (
            <DayTable days={data.days} columns={COLUMNS} />
          ) : (
            <div className="charts">
              {SERIES.map((series) => (
                <DayBars
                  key={series}
                  label={texts.series[series]}
                  days={data.days}
                  numberOf={(day) => day[series]}
                />
              ))}
            </div>
          )
        }
      </Loaded>
    </DaysSection>
  )
}
