import type { RecalledMemory } from '../../../shared/schemas/memory.ts'
import { dayAt } from '../../platform/timezone.ts'

/** Midnight in UTC is how a day without an hour is kept: it is that day, wherever the person is. */
const DAY_ALONE = /T00:00:00\.000Z$/

/** The day that a memory is of, on the person's calendar. */
export const dayOf = ({ occurred_at, created_at }: RecalledMemory, timezone: string): string =>
  occurred_at && DAY_ALONE.test(occurred_at)
    ? occurred_at.slice(0, 10)
    : dayAt(new Date(occurred_at ?? created_at), timezone)
