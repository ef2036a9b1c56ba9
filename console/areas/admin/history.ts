import type { AdminHistory } from '../../../shared/contract/operations.ts'

export type DayRow = AdminHistory['days'][number]

export const SERIES = ['users', 'sign_ins', 'memories', 'messages'] as const
export type Series = (typeof SERIES)[number]

export const totalOf = (days: readonly DayRow[], series: Series): number =>
  days.reduce((sum, day) => sum + day[series], 0)
