import { useEffect, useState } from 'react'
import type { RecalledMemory } from './api.ts'
import { asError } from './as-error.ts'

export interface RecallState {
  /** The memories for the last question that was answered, best first. */
  memories: readonly RecalledMemory[]
  isLoading: boolean
  error: Error | undefined
}

const NOTHING: RecallState = { memories: [], isLoading: false, error: undefined }

/**
 * The memories for a question. The ones before stay until they are there. An empty question has none.
 * @param request sends the question. A new function sends it again.
 */
export const useRecalled = (
  query: string,
  request: (query: string, signal: AbortSignal) => Promise<{ memories: readonly RecalledMemory[] }>,
): RecallState => {
  const [answered, setAnswered] = useState({ ...NOTHING, query: '' })
  useEffect(() => {
    const abort = new AbortController()
    const { signal } = abort
    const load = async () => {
      try {
        const { memories } = await request(query, signal)
        if (!signal.aborted) setAnswered({ ...NOTHING, query, memories })
      } catch (error) {
        if (!signal.aborted) setAnswered({ ...NOTHING, query, error: asError(error) })
      }
    }
    if (query.trim() === '') setAnswered({ ...NOTHING, query })
    else void load()
    return () => abort.abort()
  }, [query, request])
  if (query.trim() === '') return NOTHING
  const { memories, error } = answered
  return answered.query === query
    ? { memories, isLoading: false, error }
    : { memories, isLoading: true, error: undefined }
}
