import { getRouteApi, Link } from '@tanstack/react-router'
import { type ActivityEvent, listActivity } from '../../../shared/contract/activity.ts'
import { listAssistants } from '../../../shared/contract/activity-counts.ts'
import { ASSISTANT_NAMES, assistantName } from '../../../shared/origin.ts'
import { type LiveState, useLiveState } from '../../session/live-state.ts'
import { useApiPages } from '../../session/pages.ts'
import { useApi } from '../../session/query.ts'
import { activity as texts } from '../../texts/activity.ts'
import { Button } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { EmptyState } from '../../ui/notice.tsx'
import { Page } from '../../ui/page.tsx'
import { Assistant, Assistants } from './assistants.tsx'
import { EventRow } from './event-row.tsx'

const route = getRouteApi('/activity')
/** No assistant has this name: theirs begin with a letter or a digit. */
const ANY = '*'
/** Of these figures no event says that they are old. */
const COUNTS_POLL_MS = 60_000
const SHOWN_ASSISTANTS = 6
const LOOKS: Record<LiveState, string> = {
  connecting: '',
  live: 'good',
  unrecorded: '',
  off: 'warn',
}
const GROUPS = Object.entries(texts.groups).map(([id, label]) => ({ id, label }))

/** The reads and writes of assistants as they happen, each with its memories to look at and to correct. */
export const ActivityPage = () => {
  const search = route.useSearch()
  const query = useApiPages(
    listActivity,
    search,
    (before) => ({ query: { ...search, ...(before && { before }) } }),
    ({ next_cursor }) => next_cursor,
  )
  const events = query.data?.pages.flatMap((page) => page.events)
  const counted = useApi(listAssistants, {}, { pollMs: COUNTS_POLL_MS })
  const assistants = counted.data?.assistants ?? (counted.isError ? [] : undefined)
  const chosen = assistants?.find(({ client }) => client === search.client)
  return (
    <Page title={texts.title} intro={texts.intro} actions={<LiveBadge />}>
      <Filters events={events ?? []} />
      {/* Both at once: what appears later would move the list. */}
      <Loaded query={{ ...query, data: assistants && events }}>
        {(list) => (
          <>
            {chosen && <Assistant assistant={chosen} />}
            {!search.client && assistants && assistants.length > 0 && (
              <Assistants assistants={assistants.slice(0, SHOWN_ASSISTANTS)} />
            )}
            {list.every(isOfAccount) && !query.hasNextPage && <Empty isAny={list.length > 0} />}
            {list.length > 0 && (
              <ul className="list" aria-label={texts.list}>
                {list.map((event) => (
                  <EventRow key={event.id} event={event} />
                ))}
              </ul>
            )}
          </>
        )}
      </Loaded>
      <LoadMore query={query} />
    </Page>
  )
}

/** Whether an event says nothing about memory: that of a user who has just signed up. */
const isOfAccount = ({ kind }: ActivityEvent): boolean => /^(session|key|account)\./.test(kind)

const LiveBadge = () => {
  const state = useLiveState()
  return (
    <span className={`badge ${LOOKS[state]}`} role="status">
      {texts.states[state]}
    </span>
  )
}

const Filters = ({ events }: { events: readonly ActivityEvent[] }) => {
  const search = route.useSearch()
  const { kind = '', client, session } = search
  const navigate = route.useNavigate()
  const seen = [...events.map((event) => event.client), client].filter((name) => name != null)
  const clients = [...new Set([...Object.keys(ASSISTANT_NAMES), ...seen])]
  const change = (changed: Partial<typeof search>) => {
    const { kind, client, session } = { ...search, ...changed }
    void navigate({
      to: '.',
      search: { ...(kind && { kind }), ...(client && { client }), ...(session && { session }) },
      replace: true,
    })
  }
  return (
    <div className="row">
      <div className="filter-field">
        <Select
          label={texts.what}
          options={GROUPS}
          value={kind}
          onChange={(id) => change({ kind: id })}
        />
      </div>
      <div className="filter-field">
        <Select
          label={texts.assistant}
          options={[
            { id: ANY, label: texts.anyAssistant },
            ...clients.map((id) => ({ id, label: assistantName(id) })),
          ]}
          value={client ?? ANY}
          onChange={(id) => change({ client: id === ANY ? '' : id })}
        />
      </div>
      {session && (
        <p>
          {texts.ofSession}{' '}
          <Button look="quiet" onPress={() => change({ session: '' })}>
            {texts.allSessions}
          </Button>
        </p>
      )}
    </div>
  )
}

const Empty = ({ isAny }: { isAny: boolean }) => {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  if (Object.keys(search).length && isAny) return null
  return Object.keys(search).length ? (
    <EmptyState
      icon="filter"
      title={texts.none}
      actions={
        <Button onPress={() => void navigate({ to: '.', search: {}, replace: true })}>
          {texts.clear}
        </Button>
      }
    >
      {texts.noneNote}
    </EmptyState>
  ) : (
    <EmptyState
      icon="activity"
      title={texts.empty}
      actions={
        <Link className="button primary" to="/connect">
          {texts.connect}
        </Link>
      }
    >
      {texts.emptyNote}
    </EmptyState>
  )
}
