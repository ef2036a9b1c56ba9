import { useSyncExternalStore } from 'react'
import { getActivity } from '../../shared/contract/activity.ts'
import { auditLog } from '../../shared/contract/audit.ts'
import { listCaptures } from '../../shared/contract/capture.ts'
import { listConsents } from '../../shared/contract/consents.ts'
import type { Endpoint } from '../../shared/contract/endpoint.ts'
import { memoryFacts } from '../../shared/contract/facts.ts'
import { listConflicts } from '../../shared/contract/identity.ts'
import { listKeys } from '../../shared/contract/keys.ts'
import { listMemories, memoryFacets } from '../../shared/contract/memory-lists.ts'
import { listManagedClients } from '../../shared/contract/oauth-clients.ts'
import { listApps } from '../../shared/contract/oauth-server.ts'
import { listSessions, me } from '../../shared/contract/sessions.ts'
import { useWorkspace } from './workspace.ts'

/**
 * `off`: the stream of activity ended, and is tried again. `unrecorded`: the server records no events, so
 * that none will come.
 */
export type LiveState = 'connecting' | 'live' | 'unrecorded' | 'off'

let state: LiveState = 'connecting'
const listeners = new Set<() => void>()

export const setLiveState = (next: LiveState): void => {
  state = next
  for (const notify of listeners) notify()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useLiveState = (): LiveState => useSyncExternalStore(subscribe, () => state)

type Named = Pick<Endpoint, 'name'>

/** The responses that an event makes old, by the start of its kind. */
export type Followed = readonly [start: string, ...rows: Named[]]

const followed: Followed[] = [
  // Facets count all memories, so only the end of an import requests them again.
  ['memory.', listMemories, getActivity, listConflicts],
  ['fact.', memoryFacts, listConflicts],
  ['contradiction.', listConflicts],
  ['import.', listMemories, memoryFacets],
  ['conversation.', listMemories, listCaptures],
  ['session.', listSessions, listApps, listConsents, auditLog],
  ['key.', listKeys, auditLog],
  ['account.', me, auditLog, listManagedClients],
]

/** Adds what events of a feature make old, before the first screen. */
export const follow = (more: readonly Followed[]): void => {
  followed.push(...more)
}

/** The names of the responses that events of these kinds make old. */
export const namesFollowing = (kinds: Iterable<string>): Set<string> => {
  const all = [...kinds]
  const old = followed.filter(([start]) => all.some((kind) => kind.startsWith(start)))
  return new Set(old.flatMap(([, ...rows]) => rows.map(({ name }) => name)))
}

/** Whether events say when a response is old. The stream of an organization has no messages. */
const isFollowed = ({ name }: Named, isPersonal: boolean): boolean =>
  followed.some(
    ([start, ...rows]) =>
      (isPersonal || start !== 'message.') && rows.some((row) => row.name === name),
  )

/** While events say when a response is old, it is requested only for what has none, such as presence. */
const FOLLOWED_POLL_MS = 60_000

/** How often a response is requested again: seldom where the stream of activity says when it is old. */
export const usePollMs = (row: Named, pollMs: number | undefined): number | undefined => {
  const isPersonal = useWorkspace() === undefined
  const isLive = useLiveState() === 'live'
  return pollMs && isLive && isFollowed(row, isPersonal)
    ? Math.max(pollMs, FOLLOWED_POLL_MS)
    : pollMs
}
