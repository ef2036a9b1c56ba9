import { bigint, integer, pgTable, varchar } from 'drizzle-orm/pg-core'

/** Rate limit windows of `SVC_RATE_LIMIT_STORE=postgres`, in the schema of rate-limiter-flexible. */
export const rateLimitCounters = pgTable('rate_limits', {
  key: varchar({ length: 255 }).primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
})
