import { lt, sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { rateLimitCounters } from './table.ts'

export const deleteExpiredWindows = async (db: Db): Promise<void> => {
  await db
    .delete(rateLimitCounters)
    .where(lt(rateLimitCounters.expire, sql`extract(epoch from now()) * 1000`))
}
