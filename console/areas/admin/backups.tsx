import { Link } from '@tanstack/react-router'
import {
  listServerBackups,
  type ServerBackup,
  startServerBackup,
} from '../../../shared/contract/backups.ts'
import { useAction, useApi } from '../../session/query.ts'
import { backups as texts } from '../../texts/server-settings.ts'
import { Button } from '../../ui/button.tsx'
import { CopyBlock } from '../../ui/copy.tsx'
import { formatSize } from '../../ui/file-size.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState, ErrorNotice } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { formatDateTime, Time } from '../../ui/time.tsx'
import { notify } from '../../ui/toast.tsx'

const REFRESH_MS = 2_000

/** The backups that the server makes, and how to restore one. */
export const BackupsPage = () => {
  const query = useApi(listServerBackups, {}, { pollMs: REFRESH_MS })
  const start = useAction(startServerBackup, { onSuccess: () => notify(texts.started) })
  const button = (
    <Button look="primary" isPending={start.isPending} onPress={() => start.mutate({})}>
      {texts.start}
    </Button>
  )
  return (
    <Page title={texts.title} intro={texts.intro} actions={button}>
      {start.error && <ErrorNotice error={start.error} />}
      <p>
        <Link to="/admin/settings">{texts.settings}</Link>
      </p>
      <Loaded query={query}>
        {({ backups, next_at }) => (
          <>
            <p>{next_at ? texts.next(formatDateTime(next_at)) : texts.unscheduled}</p>
            <p className="quiet">{texts.noDownload}</p>
            {backups.length === 0 ? (
              <EmptyState icon="admin" title={texts.empty} actions={button}>
                {texts.emptyNote}
              </EmptyState>
            ) : (
              <ul className="list" aria-label={texts.list}>
                {backups.map((backup) => (
                  <BackupItem key={backup.id} {...backup} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

const LOOKS = { waiting: 'badge', running: 'badge accent', done: 'badge good', failed: 'badge bad' }

const BackupItem = ({ state, path, host, present, ...backup }: ServerBackup) => (
  <li className="stack-tight">
    <div className="row">
      <strong>
        <Time iso={backup.created_at} />
      </strong>
      <span className={LOOKS[state]}>{texts.states[state]}</span>
      {backup.scheduled && <span className="badge">{texts.scheduled}</span>}
      {backup.encrypted && <span className="badge">{texts.encrypted}</span>}
      {backup.size_bytes !== null && <span>{formatSize(backup.size_bytes)}</span>}
      {present === false && state === 'done' && <span className="badge warn">{texts.missing}</span>}
    </div>
    {path && (
      <p className="mono small setting-value">
        {path} {host && present === null && texts.onHost(host)}
      </p>
    )}
    {backup.progress && <p className="quiet small">{backup.progress}</p>}
    {backup.error && <p>{backup.error}</p>}
    {backup.restore_command && present !== false && (
      <details>
        <summary>{texts.restore}</summary>
        <p>{texts.restoreNote}</p>
        <CopyBlock text={backup.restore_command} label={texts.copyCommand} />
      </details>
    )}
  </li>
)
