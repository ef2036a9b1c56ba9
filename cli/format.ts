/** `2026-01-31T09:30:00.000Z` as `2026-01-31T09:30Z`. */
export const formatMinute = (timestamp: string): string => `${timestamp.slice(0, 16)}Z`

/** The minute of the last use; `never` without one. */
export const formatLastUse = (timestamp: string | null): string =>
  timestamp === null ? 'never' : formatMinute(timestamp)

/** `1 memory`, `1,234 memories`. */
export const formatMemoryCount = (count: number): string =>
  count === 1 ? '1 memory' : `${count.toLocaleString('en')} memories`
