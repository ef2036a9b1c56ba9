import { and, eq, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Db } from './database.ts'

export type OwnedTable = PgTable & { userId: PgColumn }

/** Counts the rows of a user that match `counted`; all rows if left out. */
export const countOwned = (
  tx: Db,
  userId: string,
  table: OwnedTable,
  counted?: SQL,
): Promise<number> => tx.$count(table, and(eq(table.userId, userId), counted))
