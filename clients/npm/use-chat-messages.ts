import { useCallback, useRef, useState } from 'react'
import type { ChatMessage } from './api.ts'
import { asError } from './as-error.ts'
import { useSvc } from './provider.ts'

/** The messages that one request loads. */
const PAGE_SIZE = 50

interface Loaded {
  messages: readonly ChatMessage[]
  hasEarlier: boolean
  error?: Error
}

const NOTHING: Loaded = { messages: [], hasEarlier: false }

/** The latest messages after those that were loaded before them. */
const withLatest = (before: Loaded, latest: readonly ChatMessage[]): Loaded => {
  const at = before.messages.findIndex(({ id }) => id === latest[0]?.id)
  return at < 0
    ? { messages: latest, hasEarlier: latest.length === PAGE_SIZE }
    : { messages: [...before.messages.slice(0, at), ...latest], hasEarlier: before.hasEarlier }
}

/** The stored messages of a chat session. */
export const useChatMessages = () => {
  const { methods } = useSvc()
  const [loaded, setLoaded] = useState(NOTHING)
  const loading = useRef<AbortController>(undefined)
  const isLoadingEarlier = useRef(false)

  const request = useCallback(
    async (id: string, signal: AbortSignal, before?: string) =>
      methods.listChatMessages(
        { session_id: id, limit: PAGE_SIZE, ...(before && { before }) },
        { signal },
      ),
    [methods],
  )
  /** Loads the latest messages, and ends a load before. */
  const load = useCallback(
    async (id: string) => {
      loading.current?.abort()
      loading.current = new AbortController()
      const { signal } = loading.current
      try {
        const latest = await request(id, signal)
        if (!signal.aborted) setLoaded((before) => withLatest(before, latest))
      } catch (cause) {
        if (!signal.aborted) setLoaded((before) => ({ ...before, error: asError(cause) }))
      }
    },
    [request],
  )
  const loadEarlier = useCallback(
    async (id: string) => {
      const [first] = loaded.messages
      if (!first || !loaded.hasEarlier || isLoadingEarlier.current) return
      isLoadingEarlier.current = true
      try {
        const earlier = await request(id, new AbortController().signal, first.id)
        setLoaded(({ messages, ...others }) =>
          // Another session may be shown by now.
          messages[0]?.id === first.id
            ? { messages: [...earlier, ...messages], hasEarlier: earlier.length === PAGE_SIZE }
            : { messages, ...others },
        )
      } catch (cause) {
        setLoaded((before) => ({ ...before, error: asError(cause) }))
      } finally {
        isLoadingEarlier.current = false
      }
    },
    [loaded, request],
  )
  const stopLoading = useCallback(() => loading.current?.abort(), [])
  const reset = useCallback(() => setLoaded(NOTHING), [])
  const clearError = useCallback(() => setLoaded(({ error: _, ...others }) => others), [])
  return { ...loaded, load, loadEarlier, stopLoading, reset, clearError }
}
