import { timestamp } from 'drizzle-orm/pg-core'

/** An instant with milliseconds, the precision the API speaks in. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })
