import type { ActivityDays } from '../../../shared/contract/activity-counts.ts'
import type { ActivityDayCounts } from '../../account/activity/service.ts'

/** The dates of the last days with today, and the instants at which they begin and the last one ends. */
export const lastDays = (days: number, timezone: string) => {
  const today = Temporal.Now.zonedDateTimeISO(timezone).startOfDay()
  const starts = Array.from({ length: days + 1 }, (_, index) =>
    today.add({ days: index - days + 1 }).startOfDay(),
  )
  return {
    names: starts.slice(0, -1).map((start) => start.toPlainDate().toString()),
    bounds: starts.map((start) => start.toInstant().toString()),
  }
}

const NOTHING = {
  recalls: 0,
  contexts: 0,
  read: 0,
  written: 0,
  changed: 0,
  deleted: 0,
  tookMs: null,
}

/** @param memories those that were stored at the end of each day. */
export const presentDays = (
  names: string[],
  counted: ActivityDayCounts[],
  memories: number[],
): ActivityDays['days'] => {
  const byBucket = new Map(counted.map(({ bucket, ...counts }) => [bucket, counts]))
  return names.map((day, index) => {
    const { tookMs, ...counts } = byBucket.get(index + 1) ?? NOTHING
    return {
      day,
      ...counts,
      memories: memories[index] ?? 0,
      recall_ms: tookMs && { median: tookMs[0], p95: tookMs[1] },
    }
  })
}
