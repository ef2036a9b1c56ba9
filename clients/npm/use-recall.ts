import { useEffect, useState } from 'react'
import type { RecalledMemory } from './api.ts'
import { asError } from './as-error.ts'
import { useSvc } from './provider.ts'

export interface RecallOptions {
  /** The maximum number of memories, 1-100. Default: 10. */
  limit?: number
  /** Milliseconds without a change of the question before it is sent. Default: 200. */
  delayMs?: number
}

export interface RecallState {
  /** The memories for the last question that was answered, best first. */
  memories: readonly RecalledMemory[]
  isLoading: boolean
  error: Error | undefined
}

const NOTHING: RecallState = { memories: [], isLoading: false, error: undefined }
const DEFAULT_DELAY_MS = 200

/** The memories that best answer a question, while the user types it. An empty question has none. */
export const useRecall = (
  query: string,
  { limit, delayMs = DEFAULT_DELAY_MS }: RecallOptions = {},
): RecallState => {
  const { methods } = useSvc()
  const [state, setState] = useState(NOTHING)
  useEffect(() => {
    if (query.trim() === '') {
      setState(NOTHING)
      return
    }
    const abort = new AbortController()
    const { signal } = abort
    const load = async () => {
      try {
        const { memories } = await methods.recall({ query, ...(limit && { limit }) }, { signal })
        if (!signal.aborted) setState({ memories, isLoading: false, error: undefined })
      } catch (error) {
        if (!signal.aborted) setState({ ...NOTHING, error: asError(error) })
      }
    }
    setState((before) => ({ ...before, isLoading: true, error: undefined }))
    const timer = setTimeout(load, delayMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [methods, query, limit, delayMs])
  return state
}
