import { getRouteApi, Link } from '@tanstack/react-router'
import { type AdminAuditLog, adminAuditLog } from '../../../shared/contract/operations.ts'
import { useApiPages } from '../../session/pages.ts'
import { admin } from '../../texts/admin.ts'
import { audit } from '../../texts/audit.ts'
import { AuditTable } from '../../ui/audit-table.tsx'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'

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

export const AuditPage = () => {
  const { action, user } = route.useSearch()
  const navigate = route.useNavigate()
  const query = useApiPages(
    adminAuditLog,
    { action, user },
    (cursor) => ({
      query: {
        ...(action && { action }),
        ...(user && { user_id: user }),
        ...(cursor && { cursor }),
      },
    }),
    ({ next_cursor }) => next_cursor,
  )
  const clear = () => void navigate({ to: '.', search: {}, replace: true })
  return (
    <Page title={texts.title} intro={texts.intro}>
      <div className="row">
        <div className="filter-field">
          <Select
            label={texts.action}
            options={OPTIONS}
            value={action ?? ALL}
            onChange={(id) =>
              void navigate({
                to: '.',
                search: { ...(user && { user }), ...(id && { action: id }) },
                replace: true,
              })
            }
          />
        </div>
        {user && (
          <p>
            {texts.ofUser}{' '}
            <Link to="/admin/audit" search={action ? { action } : {}}>
              {texts.allUsers}
            </Link>
          </p>
        )}
      </div>
      <Loaded query={query}>
        {({ pages }) => (
          <Events
            entries={pages.flatMap(({ entries }) => entries)}
            isComplete={!query.hasNextPage}
            onClear={clear}
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
