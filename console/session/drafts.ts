/**
 * Unsent input of this tab. It is stored only while the tab is at the sign-in page after its session has
 * ended, and restored for the same user.
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
  const drafts = Object.fromEntries([...readers].map(([key, read]) => [key, read()]))
  try {
    store({ userId, drafts })
  } catch {
    storeUser(userId)
  }
}

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

/** Keeps input over a sign-in. `read` must return no secret. @returns a function that ends it. */
export const keepDraft = (key: string, read: () => unknown): (() => void) => {
  readers.set(key, read)
  return () => {
    if (readers.get(key) === read) readers.delete(key)
  }
}

/**
 * The state of a form, which is kept over a sign-in.
 * @param withoutSecrets returns what may be stored.
 */
export const useKeptState = <T>(
  key: string,
  initial: () => T,
  withoutSecrets: (value: T) => T = unchanged,
) => {
  const state = useState<T>(() => (restored.has(key) ? (restored.get(key) as T) : initial()))
  const [value] = state
  useEffect(() => {
    restored.delete(key)
    return keepDraft(key, () => withoutSecrets(value))
  }, [key, value, withoutSecrets])
  return state
}

const unchanged = <T>(value: T): T => value
