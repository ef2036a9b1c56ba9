import type { AdminHistory } from '../../../shared/contract/operations.ts'
import { DAY_MS } from '../../../shared/duration.ts'
import type { Database } from '../../platform/db/database.ts'
import { countByDay } from './store.ts'

export type HistoryService = ReturnType<typeof createHistoryService>

/** Numbers of the last days, counted at the request. */
export const createHistoryService = ({ query }: Database) => ({
  async read(days: number): Promise<AdminHistory> {
    const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
    const first = today - (days - 1) * DAY_MS
    const range = { firstDay: dayOf(first), lastDay: dayOf(today), firstId: lowestIdAt(first) }
    return { days: await countByDay(query, range) }
  },
})

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The lowest UUIDv7 of a millisecond (RFC 9562). */
const lowestIdAt = (ms: number): string => {
  const hex = ms.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
