/**
 * The workspace of this tab: the user, or an organization. It is kept for the tab, so that a reload
 * stays in it; the id of an organization is no secret.
 */
import { useSyncExternalStore } from 'react'
import { actIn } from './client.ts'
import { queryClient } from './query-client.ts'

const STORAGE_KEY = 'svc-workspace'

let current: string | undefined
let switches = 0
const listeners = new Set<() => void>()

export const applyStoredWorkspace = (): void => {
  current = sessionStorage.getItem(STORAGE_KEY) ?? undefined
  actIn(current)
}

/** Acts in an organization, or for the user. All data on the screen is requested again. */
export const switchWorkspace = async (orgId: string | undefined): Promise<void> => {
  current = orgId
  switches++
  if (orgId === undefined) sessionStorage.removeItem(STORAGE_KEY)
  else sessionStorage.setItem(STORAGE_KEY, orgId)
  actIn(orgId)
  for (const notify of listeners) notify()
  await queryClient.resetQueries()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The organization that this tab acts in. `undefined`: the default of the user. */
export const useWorkspace = (): string | undefined => useSyncExternalStore(subscribe, () => current)

/** The number of switches in this tab. As a `key` it discards the state of the screen, such as results and drafts. */
export const useWorkspaceSwitches = (): number => useSyncExternalStore(subscribe, () => switches)
