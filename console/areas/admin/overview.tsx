import { getRouteApi } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { adminStats } from '../../../shared/contract/admin.ts'
import { adminHistory } from '../../../shared/contract/operations.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { Select, Switch } from '../../ui/choice.tsx'
import { Loaded, Skeleton } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { HistoryTable } from './history-table.tsx'
import { Numbers } from './numbers.tsx'

const texts = admin.overview
/** The charts are loaded when they are shown. */
const HistoryCharts = lazy(() => import('./history-charts.tsx'))
const route = getRouteApi('/admin/overview')

const RANGES = [
  { id: '7', label: texts.ranges[7] },
  { id: '30', label: texts.ranges[30] },
  { id: '90', label: texts.ranges[90] },
] as const
const DEFAULT_DAYS = 30
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

const History = () => {
  const { days = DEFAULT_DAYS, view } = route.useSearch()
  const navigate = route.useNavigate()
  const show = (search: { view?: 'table'; days: number }) =>
    void navigate({ to: '.', search, replace: true })
  const history = useApi(adminHistory, { query: { days } })
  return (
    <section className="stack-small">
      <div className="row spread">
        <h2>{texts.history}</h2>
        <div className="row">
          <Switch
            isSelected={view === 'table'}
            onChange={(isTable) => show({ ...(isTable && { view: 'table' }), days })}
          >
            {texts.asTable}
          </Switch>
          <Select
            label={texts.range}
            isLabelHidden
            options={RANGES}
            value={RANGES.find(({ id }) => id === String(days))?.id ?? '30'}
            onChange={(id) => show({ ...(view && { view }), days: Number(id) })}
          />
        </div>
      </div>
      <Loaded query={history}>
        {(data) =>
          view === 'table' ? (
            <HistoryTable days={data.days} />
          ) : (
            <Suspense fallback={<Skeleton />}>
              <HistoryCharts days={data.days} />
            </Suspense>
          )
        }
      </Loaded>
    </section>
  )
}
