import type { InfiniteData } from '@tanstack/react-query'
import { useEffect } from 'react'
import { followActivity } from '../../shared/activity-stream.ts'
import { ApiFailure } from '../../shared/client.ts'
import {
  type ActivityEvent,
  type ActivityPage,
  listActivity,
  matchesActivity,
} from '../../shared/contract/activity.ts'
import { asStream } from '../../shared/contract/endpoint.ts'
import { me } from '../../shared/contract/sessions.ts'
import { callApi } from './client.ts'
import { namesFollowing, setLiveState } from './live-state.ts'
import { isNotifier, onNotifierChange } from './notifier.ts'
import { queryClient } from './query-client.ts'
import { useWorkspaceSwitches } from './workspace.ts'

/** Events of a moment are shown together. */
const BATCH_MS = 100
/** Other screens are refreshed at once, and then at most once in this time. */
const REFRESH_MS = 1_000
/** Rows of a list that grows while it is shown; older events are loaded again. A person may load more. */
const MAX_LISTED = 300

/** The lists of events, by their filter, as `useApiPages` keys them. */
export interface ActivitySearch {
  kind?: string
  client?: string
  session?: string
}

type EventPages = InfiniteData<ActivityPage>

/** Puts events, the oldest first, on top of a list, which does not grow beyond `MAX_LISTED` events by itself. */
const withEvents = (data: EventPages, added: readonly ActivityEvent[]): EventPages => {
  const [first, ...rest] = data.pages
  if (!first || !added.length) return data
  const page = { ...first, events: [...added.toReversed(), ...first.events] }
  const all = [page, ...rest].flatMap(({ events }) => events)
  const limit = Math.max(MAX_LISTED, all.length - added.length)
  if (all.length <= limit) return { ...data, pages: [page, ...rest] }
  const events = all.slice(0, limit)
  return { pages: [{ events, next_cursor: events.at(-1)?.id ?? null }], pageParams: [undefined] }
}

/** Adds events to the loaded lists that they belong to. */
const addToLists = (events: readonly ActivityEvent[]): void => {
  for (const [key] of queryClient.getQueriesData({ queryKey: [listActivity.name, 'pages'] }))
    queryClient.setQueryData<EventPages>(key, (data) => {
      if (!data) return data
      const known = new Set(data.pages[0]?.events.map(({ id }) => id))
      return withEvents(
        data,
        events.filter(
          (event) => !known.has(event.id) && matchesActivity(key[2] as ActivitySearch, event),
        ),
      )
    })
}

const refreshOthers = (kinds: ReadonlySet<string>): void => {
  const names = namesFollowing(kinds)
  // A hidden tab requests them when it is shown.
  const refetchType = document.hidden ? 'none' : 'active'
  for (const name of names) void queryClient.invalidateQueries({ queryKey: [name], refetchType })
}

/** The kinds of events since the last refresh, until the next one. */
let waitingKinds: Set<string> | undefined

/** A stream of events refreshes other screens again and again, but gives each the time to load. */
const refreshSoon = (kinds: Iterable<string>): void => {
  if (waitingKinds) {
    for (const kind of kinds) waitingKinds.add(kind)
    return
  }
  refreshOthers(new Set(kinds))
  waitingKinds = new Set()
  setTimeout(() => {
    const kinds = waitingKinds ?? []
    waitingKinds = undefined
    if ([...kinds].length) refreshSoon(kinds)
  }, REFRESH_MS)
}

const listeners = new Set<(events: readonly ActivityEvent[]) => void>()

/** Calls a listener with new events, the oldest first. @returns a function that ends it. */
export const onActivity = (listener: (events: readonly ActivityEvent[]) => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Browsers open few connections to a server, for all tabs together: hidden ones leave theirs to others. */
const isResting = (): boolean => document.hidden && !isNotifier()

/** Resolves when the tab is to follow events. */
const untilNeeded = async (signal: AbortSignal): Promise<void> => {
  while (isResting() && !signal.aborted) {
    const { promise, resolve } = Promise.withResolvers<void>()
    const settle = () => resolve()
    document.addEventListener('visibilitychange', settle, { once: true })
    signal.addEventListener('abort', settle, { once: true })
    // The tab that notified may have been closed.
    const stop = onNotifierChange(settle)
    await promise
    stop()
  }
}

/** Requests anew what decides what the user may see: the workspace menu acts on it. */
const checkRights = (): void => void queryClient.invalidateQueries({ queryKey: [me.name] })

/** Follows the events of the workspace until the signal; one that was missed follows later. */
const follow = (signal: AbortSignal): Promise<void> => {
  let waiting: ActivityEvent[] = []
  const flush = () => {
    const events = waiting
    waiting = []
    if (signal.aborted) return
    addToLists(events)
    for (const listener of listeners) listener(events)
    refreshSoon(events.map(({ kind }) => kind))
  }
  let hidden = new AbortController()
  const onHide = () => isResting() && hidden.abort()
  document.addEventListener('visibilitychange', onHide, { signal })
  return followActivity({
    signal,
    async open(query) {
      await untilNeeded(signal)
      hidden = new AbortController()
      return callApi(asStream(listActivity), {
        query,
        signal: AbortSignal.any([signal, hidden.signal]),
      })
    },
    onReady({ recorded }, isResumed) {
      // The stream may have ended because the rights of the user changed.
      if (isResumed) checkRights()
      setLiveState(recorded ? 'live' : 'unrecorded')
    },
    onEvent(event) {
      if (waiting.push(event) === 1) setTimeout(flush, BATCH_MS)
    },
    onLost(error) {
      if (error instanceof ApiFailure) checkRights()
      if (!hidden.signal.aborted) setLiveState('off')
    },
  })
}

/** Keeps the tab current with what happens elsewhere: in other tabs, assistants and programs. */
export const useLiveUpdates = (): void => {
  const switches = useWorkspaceSwitches()
  // Another workspace has other events, and so has another account that an admin uses.
  useEffect(() => {
    const controller = new AbortController()
    setLiveState('connecting')
    void follow(controller.signal)
    return () => controller.abort()
  }, [switches])
}
