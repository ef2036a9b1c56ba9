import { useCallback } from 'react'
import { useSvc } from './provider.ts'
import { usePaused } from './use-paused.ts'
import { type RecallState, useRecalled } from './use-recalled.ts'

export interface RecallOptions {
  /** The maximum number of memories, 1-100. Default: 10. */
  limit?: number
  /** Milliseconds without a change of the question before it is sent. Default: 200. */
  delayMs?: number
}

const DEFAULT_DELAY_MS = 200

/** The memories that best answer a question, while the user types it. An empty question has none. */
export const useRecall = (
  query: string,
  { limit, delayMs = DEFAULT_DELAY_MS }: RecallOptions = {},
): RecallState => {
  const { methods } = useSvc()
  const request = useCallback(
    (question: string, signal: AbortSignal) =>
      methods.recall({ query: question, ...(limit && { limit }) }, { signal }),
    [methods, limit],
  )
  const paused = usePaused(query, delayMs)
  const isEmpty = query.trim() === ''
  const state = useRecalled(isEmpty ? '' : paused, request)
  return paused === query || isEmpty ? state : { ...state, isLoading: true }
}
