import { useQuery } from '@tanstack/react-query'
import { type HealthDetail, healthDetail } from '../../../shared/contract/health.ts'
import { callApi } from '../../session/client.ts'
import { healthReportOf } from '../../session/health.ts'
import { pollInterval } from '../../session/poll.ts'
import { admin } from '../../texts/admin.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'

const texts = admin.health
const REFRESH_MS = 10_000

/** While recall warms up or a required part is down, the report is the detail of a 503. */
const readHealth = async (signal: AbortSignal): Promise<HealthDetail> => {
  try {
    return await callApi(healthDetail, { signal })
  } catch (error) {
    const report = healthReportOf(error)
    if (report) return report
    throw error
  }
}

const formatUptime = (seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return texts.minutes(minutes)
  const hours = Math.floor(minutes / 60)
  return hours < 48 ? texts.hours(hours) : texts.days(Math.floor(hours / 24))
}

const LOOKS = {
  ok: 'badge good',
  warming: 'badge warn',
  down: 'badge bad',
  degraded: 'badge bad',
} as const

export const HealthPage = () => {
  const health = useQuery({
    queryKey: [healthDetail.name],
    queryFn: ({ signal }) => readHealth(signal),
    refetchInterval: (query) => pollInterval(query, REFRESH_MS),
  })
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        <Button isPending={health.isFetching} onPress={() => void health.refetch()}>
          {texts.check}
        </Button>
      }
    >
      <Loaded query={health}>{(report) => <Report report={report} />}</Loaded>
    </Page>
  )
}

const Report = ({ report }: { report: HealthDetail }) => (
  <>
    <section className="card">
      <dl className="details">
        <dt>{texts.status}</dt>
        <dd>
          <span className={LOOKS[report.status]}>{texts.statuses[report.status]}</span>
        </dd>
        <dt>{texts.version}</dt>
        <dd>{report.version}</dd>
        <dt>{texts.uptime}</dt>
        <dd>{formatUptime(report.uptime_seconds)}</dd>
      </dl>
    </section>
    <Table
      label={texts.title}
      columns={[texts.part, texts.state, { label: texts.latency, isNumeric: true }, texts.note]}
    >
      {Object.entries(report.parts).map(([name, { state, latency_ms, note }]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>
            <span className={LOOKS[state]}>{texts.states[state]}</span>
          </td>
          <td className="numeric">
            {latency_ms === null ? admin.none : texts.milliseconds(latency_ms)}
          </td>
          <td>{note ?? admin.none}</td>
        </tr>
      ))}
    </Table>
  </>
)
