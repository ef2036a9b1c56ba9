/**
 * Unsent input of this tab. It is stored while the tab reloads, shows another site, or is at the sign-in page
 * after its session has ended, and restored for the same user.
 */
import { useEffect, useState } from 'react'

const STORAGE_KEY = 'svc-drafts'

interface StoredDrafts {
  userId: string
  drafts: Record<string, unknown>
}

/** The current input by key. */
const readers = new Map<string, () => unknown>()
const restored = new Map<string, unknown>()

/** Stores the input of a user before the tab leaves for the sign-in page. */
export const storeDrafts = (userId: string): void => {
  const drafts = currentDrafts()
  try {
    store({ userId, drafts })
  } catch {
    storeUser(userId)
  }
}

/** As `storeDrafts`, before the tab leaves for any place; nothing is stored where there is no input. */
export const storeInput = (userId: string): void => {
  if (Object.keys(currentDrafts()).length > 0) storeDrafts(userId)
}

const currentDrafts = (): Record<string, unknown> =>
  Object.fromEntries(
    [...readers]
      .map(([key, read]) => [key, read()] as const)
      .filter(([, draft]) => draft !== undefined),
  )

const store = (stored: StoredDrafts): void =>
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored))

/** For input that is larger than the storage of the browser. */
const storeUser = (userId: string): void => {
  try {
    store({ userId, drafts: {} })
  } catch {
    // Without the id, another user who signs in would get what else is stored for the tab.
    sessionStorage.clear()
  }
}

/**
 * Restores the stored input if its user has signed in again. Otherwise all that is stored for the tab is
 * deleted.
 * @param signIn returns the id of the user. It is not called if nothing is stored.
 */
export const restoreDrafts = async (signIn: () => Promise<string | undefined>): Promise<void> => {
  const text = sessionStorage.getItem(STORAGE_KEY)
  if (text === null) return
  const { userId, drafts } = JSON.parse(text) as StoredDrafts
  if ((await signIn()) !== userId) return sessionStorage.clear()
  for (const [key, draft] of Object.entries(drafts)) restored.set(key, draft)
  sessionStorage.removeItem(STORAGE_KEY)
}

/** The restored input, once. */
export const takeDraft = <T>(key: string): T | undefined => {
  const draft = restored.get(key) as T | undefined
  restored.delete(key)
  return draft
}

/**
 * Keeps input over a sign-in and a reload. `read` must return no secret, and undefined where there is no input.
 * @returns a function that ends it.
 */
export const keepDraft = (key: string, read: () => unknown): (() => void) => {
  readers.set(key, read)
  return () => {
    if (readers.get(key) === read) readers.delete(key)
  }
}

/**
 * The state of a form, which is kept over a sign-in and a reload once it was changed.
 * @param withoutSecrets returns what may be stored.
 */
export const useKeptState = <T>(
  key: string,
  initial: () => T,
  withoutSecrets: (value: T) => T = unchanged,
) => {
  const state = useState<T>(() => (restored.has(key) ? (restored.get(key) as T) : initial()))
  const [value] = state
  const [untouched] = useState(() => JSON.stringify(initial()))
  useEffect(() => {
    restored.delete(key)
    const isChanged = JSON.stringify(value) !== untouched
    return keepDraft(key, () => (isChanged ? withoutSecrets(value) : undefined))
  }, [key, value, untouched, withoutSecrets])
  return state
}

const unchanged = <T>(value: T): T => value
