import { customType, timestamp } from 'drizzle-orm/pg-core'

/** An instant with milliseconds, the precision of the API. */
export const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 })

/** SQL of an instant as text in the format of the API, for statements outside the query builder. */
export const isoText = (instant: string): string =>
  `to_char(${instant} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Text in the order of its bytes, which is cheaper to compare than that of the database's language. */
export const byteText = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' })

/**
 * Any JSON value. The `jsonb` of drizzle parses a string of the driver again, so that the text "12" would
 * become a number.
 */
export const jsonValue = customType<{ data: unknown; driverData: unknown }>({
  dataType: () => 'jsonb',
  toDriver: (value) => JSON.stringify(value),
  fromDriver: (value) => value,
})
