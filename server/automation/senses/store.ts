import { and, asc, desc, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type SenseDeviceRow, type SenseSignalRow, senseDevices, senseSignals } from './table.ts'

const isDevice = (userId: string, deviceId: string) =>
  and(eq(senseDevices.userId, userId), eq(senseDevices.deviceId, deviceId))

const isOfDevice = (userId: string, deviceId: string) =>
  and(eq(senseSignals.userId, userId), eq(senseSignals.deviceId, deviceId))

export const listDevices = (db: Db, userId: string): Promise<SenseDeviceRow[]> =>
  db
    .select()
    .from(senseDevices)
    .where(eq(senseDevices.userId, userId))
    .orderBy(asc(senseDevices.deviceId))

export const findDevice = async (
  db: Db,
  userId: string,
  deviceId: string,
): Promise<SenseDeviceRow | undefined> => {
  const [row] = await db.select().from(senseDevices).where(isDevice(userId, deviceId))
  return row
}

/** Holds a device until the end of the transaction. @returns undefined when it is not there. */
export const lockDevice = async (
  tx: Db,
  userId: string,
  deviceId: string,
): Promise<SenseDeviceRow | undefined> => {
  const [row] = await tx
    .select()
    .from(senseDevices)
    .where(isDevice(userId, deviceId))
    .for('no key update')
  return row
}

export const insertDevice = async (
  tx: Db,
  device: typeof senseDevices.$inferInsert,
): Promise<SenseDeviceRow> => {
  const [row] = await tx.insert(senseDevices).values(device).returning()
  return row as SenseDeviceRow
}

/** @returns whether it is there. */
export const changeDevice = async (
  db: Db,
  userId: string,
  deviceId: string,
  change: Partial<SenseDeviceRow>,
): Promise<boolean> => {
  const rows = await db
    .update(senseDevices)
    .set(change)
    .where(isDevice(userId, deviceId))
    .returning({ deviceId: senseDevices.deviceId })
  return rows.length > 0
}

/** @returns whether it was there. */
export const deleteDevice = async (db: Db, userId: string, deviceId: string): Promise<boolean> => {
  const rows = await db
    .delete(senseDevices)
    .where(isDevice(userId, deviceId))
    .returning({ deviceId: senseDevices.deviceId })
  return rows.length > 0
}

/** @returns undefined when the same was sent before. */
export const insertSignal = async (
  tx: Db,
  signal: typeof senseSignals.$inferInsert,
): Promise<SenseSignalRow | undefined> => {
  const [row] = await tx.insert(senseSignals).values(signal).onConflictDoNothing().returning()
  return row
}

export const findSameSignal = async (
  tx: Db,
  userId: string,
  deviceId: string,
  sameness: string,
): Promise<SenseSignalRow | undefined> => {
  const [row] = await tx
    .select()
    .from(senseSignals)
    .where(and(isOfDevice(userId, deviceId), eq(senseSignals.sameness, sameness)))
  return row
}

/** A page of a device's signals, newest first. */
export const listSignals = (
  db: Db,
  userId: string,
  deviceId: string,
  filter: { before?: string | undefined; signalType?: string | undefined; limit: number },
): Promise<SenseSignalRow[]> =>
  db
    .select()
    .from(senseSignals)
    .where(
      and(
        isOfDevice(userId, deviceId),
        filter.before ? lt(senseSignals.signalId, filter.before) : undefined,
        filter.signalType ? eq(senseSignals.signalType, filter.signalType) : undefined,
      ),
    )
    .orderBy(desc(senseSignals.signalId))
    .limit(filter.limit)

/** Takes away a device's signals but the newest. */
export const keepNewest = async (
  tx: Db,
  userId: string,
  deviceId: string,
  kept: number,
): Promise<void> => {
  const newest = tx
    .select({ signalId: senseSignals.signalId })
    .from(senseSignals)
    .where(isOfDevice(userId, deviceId))
    .orderBy(desc(senseSignals.signalId))
    .offset(kept)
    .limit(1)
  await tx
    .delete(senseSignals)
    .where(and(isOfDevice(userId, deviceId), sql`${senseSignals.signalId} <= (${newest})`))
}

/** Takes away the signals of before a time. The count of their devices is only an upper bound then. */
export const pruneSignals = async (db: Db, before: Date): Promise<void> => {
  await db.delete(senseSignals).where(lt(senseSignals.receivedAt, before))
}
