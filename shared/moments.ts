import type { Memory } from './contract/memories.ts'

type Dated = Partial<Pick<Memory, 'occurred_at'>> & Pick<Memory, 'created_at'>

/** A date without a time is stored as midnight UTC. */
const DATE_ONLY = /T00:00:00\.000Z$/

const dayOf = ({ occurred_at, created_at }: Dated): string =>
  (occurred_at ?? created_at).slice(0, 10)

/**
 * The dates of memories in a list, in UTC, each with its time where another one is of the same day: a later one may
 * correct an earlier one.
 */
export const listedMoments = (memories: readonly Dated[]): ((memory: Dated) => string) => {
  const days = memories.map(dayOf)
  const shared = new Set(days.filter((day, index) => days.indexOf(day) !== index))
  return (memory) => {
    const day = dayOf(memory)
    if (!shared.has(day) || DATE_ONLY.test(memory.occurred_at ?? '')) return day
    return `${day} ${(memory.occurred_at ?? memory.created_at).slice(11, 16)} UTC`
  }
}
