import { ApiFailure } from '../../shared/client.ts'

const OUTCOMES = ['answered', 'unavailable (503)', 'other 5xx', 'no answer'] as const
type Outcome = (typeof OUTCOMES)[number]

/** Counts answers, and the longest time that a healthy web process gave none. */
export interface Outcomes {
  counts: Record<Outcome, number>
  /** The answers of the third kind, with their number. */
  errors: Map<string, number>
  /** In milliseconds, by the fault of another process that was active. */
  longestGaps: Map<string, number>
  answered(node: string): void
  /** @returns false where the answer was wrong, not missing. */
  failed(request: string, error: unknown): boolean
  /** Measures the gaps of the healthy processes until the returned function is called. */
  during(fault: string, healthy: string[]): () => void
}

export const createOutcomes = (): Outcomes => {
  const counts = Object.fromEntries(OUTCOMES.map((outcome) => [outcome, 0])) as Outcomes['counts']
  const errors = new Map<string, number>()
  const longestGaps = new Map<string, number>()
  const observed = new Set<{ fault: string; node: string; last: number }>()
  const note = (each: { fault: string; last: number }) => {
    const now = performance.now()
    const gap = Math.max(longestGaps.get(each.fault) ?? 0, now - each.last)
    longestGaps.set(each.fault, gap)
    each.last = now
  }
  return {
    counts,
    errors,
    longestGaps,
    failed(request, error) {
      const outcome = outcomeOf(error)
      if (!outcome) return false
      counts[outcome]++
      if (outcome === 'other 5xx') {
        const text = `${request}: ${error}`
        errors.set(text, (errors.get(text) ?? 0) + 1)
      }
      return true
    },
    answered(node) {
      counts.answered++
      for (const each of observed) if (each.node === node) note(each)
    },
    during(fault, healthy) {
      const started = healthy.map((node) => ({ fault, node, last: performance.now() }))
      for (const each of started) observed.add(each)
      return () => {
        for (const each of started) {
          note(each)
          observed.delete(each)
        }
      }
    },
  }
}

/** The outcome of a failed request. @returns undefined where the answer was wrong, not missing. */
const outcomeOf = (error: unknown): Exclude<Outcome, 'answered'> | undefined => {
  if (!(error instanceof ApiFailure)) return 'no answer'
  if (error.status === 503) return 'unavailable (503)'
  return error.status >= 500 ? 'other 5xx' : undefined
}
