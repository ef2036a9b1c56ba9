import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import {
  type AdminAuditLog,
  adminAuditLog,
  exportAudit,
} from '../../../shared/contract/operations.ts'
import { downloadFile } from '../../session/download.ts'
import { useApiPages } from '../../session/pages.ts'
import { admin } from '../../texts/admin.ts'
import { audit } from '../../texts/audit.ts'
import { AuditTable } from '../../ui/audit-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { notifyError } from '../../ui/toast.tsx'
import { startOf } from '../../ui/zone.ts'
import type { AuditSearch } from './search.ts'

const texts = admin.audit
const route = getRouteApi('/admin/audit')

const ALL = ''
const ACTIONS = Object.entries(audit.actions)
const GROUPS = [...new Set(ACTIONS.map(([action]) => action.slice(0, action.indexOf('.'))))]
const OPTIONS = [
  { id: ALL, label: texts.all },
  ...GROUPS.flatMap((group) => [
    { id: group, label: texts.group(group) },
    ...ACTIONS.filter(([action]) => action.startsWith(`${group}.`)).map(([id, label]) => ({
      id,
      label,
    })),
  ]),
]

const isDay = (text: string | undefined): text is string =>
  /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(Date.parse(text ?? ''))

/** An address that was typed may have any text as a day. */
const withDays = ({ from, until, ...search }: AuditSearch): AuditSearch => ({
  ...search,
  ...(isDay(from) && { from }),
  ...(isDay(until) && { until }),
})

/** The query of the API; a day begins and ends as in the time zone of the reader. */
const queryOf = ({ action, user, from, until }: AuditSearch) => ({
  ...(action && { action }),
  ...(user && { user_id: user }),
  ...(from && { since: startOf(from) }),
  ...(until && { until: startOf(until, 1) }),
})

export const AuditPage = () => {
  const search = withDays(route.useSearch())
  const { action, user, from, until } = search
  const navigate = route.useNavigate()
  const query = useApiPages(
    adminAuditLog,
    search,
    (cursor) => ({ query: { ...queryOf(search), ...(cursor && { cursor }) } }),
    ({ next_cursor }) => next_cursor,
  )
  const show = (changed: AuditSearch) => {
    const { action, user, from, until } = { ...search, ...changed }
    const kept = {
      ...(action && { action }),
      ...(user && { user }),
      ...(from && { from }),
      ...(until && { until }),
    }
    void navigate({ to: '.', search: kept, replace: true })
  }
  const [isExporting, setExporting] = useState(false)
  const save = () => {
    setExporting(true)
    void downloadFile(`${exportAudit.path}?${new URLSearchParams(queryOf(search))}`, 'audit.ndjson')
      .catch(notifyError)
      .finally(() => setExporting(false))
  }
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        <Button icon="download" isPending={isExporting} onPress={save}>
          {texts.export}
        </Button>
      }
    >
      <div className="row audit-filter">
        <div className="filter-field">
          <Select
            label={texts.action}
            options={OPTIONS}
            value={action ?? ALL}
            onChange={(id) => show({ action: id })}
          />
        </div>
        <TextField
          type="date"
          label={texts.from}
          value={from ?? ''}
          onChange={(day) => show({ from: day })}
        />
        <TextField
          type="date"
          label={texts.until}
          value={until ?? ''}
          onChange={(day) => show({ until: day })}
        />
        {user && (
          <p>
            {texts.ofUser}{' '}
            <Button look="quiet" isSmall onPress={() => show({ user: '' })}>
              {texts.allUsers}
            </Button>
          </p>
        )}
      </div>
      <Loaded query={query}>
        {({ pages }) => (
          <Events
            entries={pages.flatMap(({ entries }) => entries)}
            isComplete={!query.hasNextPage}
            onClear={() => void navigate({ to: '.', search: {}, replace: true })}
          />
        )}
      </Loaded>
      <LoadMore query={query} />
    </Page>
  )
}

interface EventsProps extends Pick<AdminAuditLog, 'entries'> {
  isComplete: boolean
  onClear: () => void
}

const Events = ({ entries, isComplete, onClear }: EventsProps) => {
  if (entries.length)
    return (
      <AuditTable
        entries={entries}
        userOf={({ user_id, email }) => (
          <Link to="/admin/users/$userId" params={{ userId: user_id }}>
            <bdi>{email ?? audit.deletedUser}</bdi>
          </Link>
        )}
      />
    )
  if (!isComplete) return <p className="quiet">{texts.searchOlder}</p>
  return (
    <EmptyState
      icon="filter"
      title={texts.empty}
      actions={<Button onPress={onClear}>{texts.clear}</Button>}
    >
      {texts.emptyNote}
    </EmptyState>
  )
}
