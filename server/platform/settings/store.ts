import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { lockClassExclusive } from '../db/locks.ts'
import { serverSettings } from './table.ts'

export type SettingRow = typeof serverSettings.$inferSelect

/** Notified after each change. */
export const SETTINGS_CHANNEL = 'svc_settings'

export const listSettings = (db: Db): Promise<SettingRow[]> => db.select().from(serverSettings)

/** Serializes changes, because settings are valid or not together. */
export const lockSettings = (tx: Db): Promise<void> => lockClassExclusive(tx, 'server_settings')

/** @returns false if the setting has another version than the one that the change replaces. */
export const storeSetting = async (
  tx: Db,
  { name, sealed, version, changedBy }: Omit<SettingRow, 'changedAt'>,
): Promise<boolean> => {
  const changed = { sealed, changedBy, changedAt: new Date(), version: version + 1 }
  const rows =
    version === 0
      ? await tx
          .insert(serverSettings)
          .values({ name, ...changed })
          .onConflictDoNothing()
          .returning()
      : await tx
          .update(serverSettings)
          .set(changed)
          .where(and(eq(serverSettings.name, name), eq(serverSettings.version, version)))
          .returning()
  return rows.length === 1
}

/** Notifies all processes, when the transaction commits. */
export const notifySettings = async (tx: Db): Promise<void> => {
  await tx.execute(sql`select pg_notify(${SETTINGS_CHANNEL}, '')`)
}
