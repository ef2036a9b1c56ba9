import { bigint, integer, pgTable, varchar } from 'drizzle-orm/pg-core'

/** The windows of `SVC_RATE_LIMIT_STORE=postgres`, as rate-limiter-flexible keeps them. */
export const rateLimits = pgTable('rate_limits', {
  key: varchar({ length: 255 }).primaryKey(),
  points: integer().notNull().default(0),
  expire: bigint({ mode: 'number' }),
})
