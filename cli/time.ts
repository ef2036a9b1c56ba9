/** `2026-01-31T09:30:00.000Z` to the minute. */
export const minute = (timestamp: string): string => `${timestamp.slice(0, 16)}Z`
