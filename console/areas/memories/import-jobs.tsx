import { Link } from '@tanstack/react-router'
import { ProgressBar } from 'react-aria-components'
import type { ImportReport } from '../../../shared/contract/transfer.ts'
import { importing as texts } from '../../texts/transfer.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Table } from '../../ui/table.tsx'
import { cancelImport, type ImportJob, removeImport, retryImport, useImports } from './imports.ts'

const PERCENT = 100

export const ImportJobs = () => {
  const jobs = useImports()
  if (jobs.length === 0) return null
  return (
    <section className="stack-small" aria-labelledby="imports">
      <h2 id="imports">{texts.files}</h2>
      <ul className="list">
        {jobs.map((job) => (
          <li key={job.id} className="stack-small">
            <JobHeader job={job} />
            <JobState job={job} />
          </li>
        ))}
      </ul>
    </section>
  )
}

const isActive = ({ state }: ImportJob): boolean => state.is === 'running' || state.is === 'waiting'

const JobHeader = ({ job }: { job: ImportJob }) => (
  <div className="row spread">
    <bdi className="import-name">{job.file.name}</bdi>
    {isActive(job) ? (
      <Button isSmall onPress={() => cancelImport(job.id)}>
        {texts.cancel}
      </Button>
    ) : (
      <IconButton
        icon="close"
        isSmall
        label={texts.remove(job.file.name)}
        onPress={() => {
          removeImport(job.id)
          document.querySelector('h1')?.focus()
        }}
      />
    )}
  </div>
)

const JobState = ({ job }: { job: ImportJob }) => {
  const { state } = job
  switch (state.is) {
    case 'waiting':
      return <p className="quiet">{texts.waiting}</p>
    case 'running':
      return <Progress name={job.file.name} share={state.share} />
    case 'cancelled':
      return <p className="quiet">{texts.cancelled}</p>
    case 'failed':
      return <ErrorNotice error={state.error} onRetry={() => retryImport(job.id)} />
    case 'done':
      return <Report report={state.report} />
  }
}

const Progress = ({ name, share }: { name: string; share: number }) => {
  const percent = Math.floor(share * PERCENT)
  const text = percent < PERCENT ? texts.uploading(percent) : texts.processing
  return (
    <ProgressBar
      aria-label={texts.progress(name)}
      value={percent}
      valueLabel={text}
      className="meter"
    >
      <div className="meter-bar">
        <div className="meter-fill" style={{ width: `${percent}%` }} />
      </div>
      <span className="small quiet">{text}</span>
    </ProgressBar>
  )
}

const Report = ({ report }: { report: ImportReport }) => (
  <div className="stack-small" role="status">
    <p className="row">
      <span>{texts.done(report.imported, report.deduplicated)}</span>
      {report.imported + report.deduplicated > 0 && (
        <Link to="/memories" className="small">
          {texts.show}
        </Link>
      )}
    </p>
    {report.trust_lowered?.map(({ reason, count }) => (
      <p key={reason} className="small quiet">
        {texts.lowered(count, texts.losses[reason])}
      </p>
    ))}
    {report.failed_count > 0 && <Failures report={report} />}
  </div>
)

const Failures = ({ report: { failed, failed_count } }: { report: ImportReport }) => (
  <details open className="import-failures">
    <summary>
      {texts.failed(failed_count)}
      {failed.length < failed_count && ` ${texts.failedFirst(failed.length)}`}
    </summary>
    <Table label={texts.failed(failed_count)} columns={[texts.line, texts.reason]}>
      {failed.map(({ line, detail }) => (
        <tr key={line}>
          <td className="import-line">{line}</td>
          <td>{detail}</td>
        </tr>
      ))}
    </Table>
  </details>
)
