import type { RecalledMemory } from '../../../shared/contract/recall.ts'
import { dayAt, wallClock } from '../../platform/timezone.ts'

type Dated = Pick<RecalledMemory, 'occurred_at' | 'created_at'>
type Written = Dated & Pick<RecalledMemory, 'memory_id'>

/** A date without a time is stored as midnight UTC. It is the same date in every time zone. */
const DATE_ONLY = /T00:00:00\.000Z$/

const isDateOnly = ({ occurred_at }: Dated): boolean =>
  occurred_at !== null && DATE_ONLY.test(occurred_at)

const instantOf = ({ occurred_at, created_at }: Dated): Date => new Date(occurred_at ?? created_at)

/** The date of a memory in the user's time zone, as `YYYY-MM-DD`. */
export const memoryDay = (memory: Dated, timezone: string): string =>
  isDateOnly(memory) ? (memory.occurred_at ?? '').slice(0, 10) : dayAt(instantOf(memory), timezone)

/**
 * The dates of memories that are shown together, each with its time where another one is of the same day:
 * a later one may correct an earlier one.
 */
export const momentsOf = (memories: Dated[], timezone: string): ((memory: Dated) => string) => {
  const days = memories.map((memory) => memoryDay(memory, timezone))
  const shared = new Set(days.filter((day, index) => days.indexOf(day) !== index))
  return (memory) => {
    const day = memoryDay(memory, timezone)
    if (!shared.has(day) || isDateOnly(memory)) return day
    return `${day} ${wallClock(instantOf(memory), timezone).toISOString().slice(11, 16)}`
  }
}

/** The memories of a day together and in the order of their times, at the place of the best of them. */
export const inTimeOrder = <Item>(
  items: Item[],
  memoryOf: (item: Item) => Written,
  timezone: string,
): Item[] => {
  const days = Map.groupBy(items, (item) => memoryDay(memoryOf(item), timezone))
  return [...days.values()].flatMap((ofDay) =>
    ofDay.toSorted((one, other) => {
      const [first, second] = [memoryOf(one), memoryOf(other)]
      return startOf(first) - startOf(second) || compareWriting(first, second)
    }),
  )
}

/** A day without a time begins it. */
const startOf = (memory: Dated): number => (isDateOnly(memory) ? 0 : instantOf(memory).getTime())

/** Ids of memories that were written together are in the order of writing (UUID version 7). */
const compareWriting = (one: Written, other: Written): number =>
  Date.parse(one.created_at) - Date.parse(other.created_at) ||
  (one.memory_id < other.memory_id ? -1 : 1)
