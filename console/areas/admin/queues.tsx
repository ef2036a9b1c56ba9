import { type AdminQueues, adminQueues } from '../../../shared/contract/operations.ts'
import { useApi } from '../../session/query.ts'
import { admin } from '../../texts/admin.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Page } from '../../ui/page.tsx'
import { Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { formatNumber } from './numbers.tsx'

const texts = admin.queues
const REFRESH_MS = 10_000

export const QueuesPage = () => {
  const queues = useApi(adminQueues, {}, { pollMs: REFRESH_MS })
  return (
    <Page title={texts.title} intro={texts.intro}>
      <Loaded query={queues}>
        {({ jobs, failed_jobs, outbox }) => (
          <>
            <section className="stack-small">
              <h2>{texts.jobs}</h2>
              <JobTable jobs={jobs} />
            </section>
            <FailedJobs failures={failed_jobs} />
            <Outbox outbox={outbox} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

const JobTable = ({ jobs }: Pick<AdminQueues, 'jobs'>) => (
  <Table
    label={texts.jobs}
    columns={[
      texts.kind,
      { label: texts.waiting, isNumeric: true },
      { label: texts.active, isNumeric: true },
      { label: texts.failed, isNumeric: true },
      texts.oldest,
    ]}
  >
    {jobs.map((job) => (
      <tr key={job.kind}>
        <th scope="row">{job.kind}</th>
        <td className="numeric">{formatNumber(job.waiting)}</td>
        <td className="numeric">{formatNumber(job.active)}</td>
        <td className="numeric">
          {job.failed ? (
            <span className="badge bad">{formatNumber(job.failed)}</span>
          ) : (
            formatNumber(0)
          )}
        </td>
        <td>{job.oldest_due_at ? <Time iso={job.oldest_due_at} /> : admin.none}</td>
      </tr>
    ))}
  </Table>
)

const FailedJobs = ({ failures }: { failures: AdminQueues['failed_jobs'] }) => (
  <FailureTable
    title={texts.failedJobs}
    empty={texts.noFailedJobs}
    columns={[texts.kind, texts.attempts, texts.error]}
    failures={failures.map(
      ({ kind, attempts, error, failed_at }): Failure => ({
        failedAt: failed_at,
        cells: [kind, formatNumber(attempts), error ?? admin.none],
      }),
    )}
  />
)

const Outbox = ({ outbox }: Pick<AdminQueues, 'outbox'>) => (
  <>
    <section className="card">
      <h2>{texts.outbox}</h2>
      <dl className="details">
        <dt>{texts.queued}</dt>
        <dd>{formatNumber(outbox.queued)}</dd>
        <dt>{texts.notDelivered}</dt>
        <dd>{formatNumber(outbox.failed)}</dd>
        <dt>{texts.oldestQueued}</dt>
        <dd>{outbox.oldest_queued_at ? <Time iso={outbox.oldest_queued_at} /> : admin.none}</dd>
      </dl>
    </section>
    <FailureTable
      title={texts.failedEmails}
      empty={texts.noFailedEmails}
      columns={[texts.domain, texts.reason]}
      failures={outbox.failures.map(({ domain, reason, failed_at }) => ({
        failedAt: failed_at,
        cells: [domain, reason ?? admin.none],
      }))}
    />
  </>
)

interface Failure {
  failedAt: string
  cells: readonly string[]
}

interface FailureTableProps {
  title: string
  /** Shown if there is no failure. */
  empty: string
  columns: readonly string[]
  failures: readonly Failure[]
}

const FailureTable = ({ title, empty, columns, failures }: FailureTableProps) => (
  <section className="stack-small">
    <h2>{title}</h2>
    {failures.length ? (
      <Table label={title} columns={[admin.queues.time, ...columns]}>
        {failures.map(({ failedAt, cells }, row) => (
          <tr key={`${failedAt} ${row}`}>
            <td>
              <Time iso={failedAt} />
            </td>
            {cells.map((cell, column) => (
              <td key={columns[column]}>
                <bdi>{cell}</bdi>
              </td>
            ))}
          </tr>
        ))}
      </Table>
    ) : (
      <p className="quiet">{empty}</p>
    )}
  </section>
)
