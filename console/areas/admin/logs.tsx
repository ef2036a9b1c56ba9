import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { LOG_LEVELS, type LogLine, readLogs } from '../../../shared/contract/logs.ts'
import { useApiPages } from '../../session/pages.ts'
import { admin } from '../../texts/admin.ts'
import { logs as texts } from '../../texts/server-settings.ts'
import { chosenTimeZone, locale } from '../../texts/tools/region.ts'
import { Button } from '../../ui/button.tsx'
import { Select, Switch } from '../../ui/choice.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { TextField } from '../../ui/field.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { useSearchText } from '../../ui/search-text.ts'
import { Table } from '../../ui/table.tsx'

const route = getRouteApi('/admin/logs')
const TIME = new Intl.DateTimeFormat(locale, { timeStyle: 'medium', timeZone: chosenTimeZone })
/** How soon a line appears while the log is followed. */
const FOLLOW_MS = 2_000
const OPTIONS = LOG_LEVELS.map((id) => ({ id, label: id }))
const LOOKS: Record<string, string> = { warn: 'badge warn', error: 'badge bad', fatal: 'badge bad' }

/** The last lines of the log, by level and words. */
export const LogsPage = () => {
  const { level = 'info', q = '' } = route.useSearch()
  const [isFollowing, setFollowing] = useState(false)
  const navigate = route.useNavigate()
  const show = (search: { level?: LogLine['level']; q?: string }) =>
    void navigate({ to: '.', search, replace: true })
  const search = useSearchText(q, (next) => show({ level, ...(next && { q: next }) }))
  const query = useApiPages(
    readLogs,
    { level, q },
    (before) => ({ query: { level, ...(q && { q }), ...(before && { before }) } }),
    ({ next_before }) => next_before,
    { pollMs: isFollowing ? FOLLOW_MS : undefined },
  )
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      isWide
      actions={
        <>
          <Switch isSelected={isFollowing} onChange={setFollowing}>
            {texts.follow}
          </Switch>
          <Button
            isPending={query.isRefetching && !isFollowing}
            onPress={() => void query.refetch()}
          >
            {texts.refresh}
          </Button>
        </>
      }
    >
      <div className="row log-filter">
        <Select
          label={texts.level}
          options={OPTIONS}
          value={level}
          onChange={(next) => show({ level: next, ...(q && { q }) })}
        />
        <div className="filter-field">
          <TextField
            label={texts.search}
            note={texts.searchNote}
            value={search.text}
            onChange={search.setText}
            maxLength={200}
          />
        </div>
      </div>
      <Loaded query={query}>
        {({ pages }) => (
          <Lines
            lines={pages.flatMap(({ lines }) => lines)}
            processes={pages[0]?.processes ?? []}
            onClear={() => show({})}
          />
        )}
      </Loaded>
      <LoadMore query={query} label={texts.older} />
    </Page>
  )
}

interface LinesProps {
  lines: readonly LogLine[]
  processes: readonly string[]
  onClear: () => void
}

const Lines = ({ lines, processes, onClear }: LinesProps) =>
  lines.length === 0 ? (
    <EmptyState
      icon="admin"
      title={texts.empty}
      actions={<Button onPress={onClear}>{texts.clear}</Button>}
    >
      {texts.emptyNote}
    </EmptyState>
  ) : (
    <>
      <p className="quiet small">{texts.processes(processes.join(', '))}</p>
      <Table label={texts.list} columns={[texts.time, texts.message, texts.process, '']}>
        {lines.map((line) => (
          <Line key={line.id} {...line} />
        ))}
      </Table>
    </>
  )

const Line = ({ time, level, message, process, details }: LogLine) => (
  <tr>
    <td className="log-time">
      <time dateTime={time}>{TIME.format(new Date(time))}</time>{' '}
      <span className={LOOKS[level] ?? 'badge'}>{level}</span>
    </td>
    <td className="log-message">
      {message || admin.none}
      <div className="quiet small mono">{JSON.stringify(details)}</div>
    </td>
    <td className="quiet small log-time">{process}</td>
    <td className="row-actions">
      <CopyButton
        text={JSON.stringify({ time, level, process, message, ...details })}
        label={texts.copy}
      />
    </td>
  </tr>
)
