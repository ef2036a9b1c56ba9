import { and, asc, desc, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
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

export const insertDevice = async (
  tx: Db,
  device: typeof senseDevices.$inferInsert,
): Promise<SenseDeviceRow> => {
  const [row] = await tx.insert(senseDevices).values(device).returning()
  return row as SenseDeviceRow
}

/** @returns whether the device exists. */
export const updateDevice = async (
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

/** Counts a signal that was stored. @returns the number of signals, 0 for a deleted device. */
export const incrementSignalCount = async (
  db: Db,
  userId: string,
  deviceId: string,
): Promise<number> => {
  const [row] = await db
    .update(senseDevices)
    .set({ signalCount: sql`${senseDevices.signalCount} + 1`, lastSignalAt: sql`now()` })
    .where(isDevice(userId, deviceId))
    .returning({ signalCount: senseDevices.signalCount })
  return row?.signalCount ?? 0
}

/** @returns whether the device existed. */
export const deleteDevice = async (db: Db, userId: string, deviceId: string): Promise<boolean> => {
  const rows = await db
    .delete(senseDevices)
    .where(isDevice(userId, deviceId))
    .returning({ deviceId: senseDevices.deviceId })
  return rows.length > 0
}

/** @returns undefined if the same signal was sent before. */
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
  contentHash: string,
): Promise<SenseSignalRow | undefined> => {
  const [row] = await tx
    .select()
    .from(senseSignals)
    .where(and(isOfDevice(userId, deviceId), eq(senseSignals.contentHash, contentHash)))
  return row
}

/** A page of a device's signals, newest first. */
export const listSignalRows = (
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

/** Deletes all but the newest `max` signals of a device. */
export const deleteOldestSignals = async (
  tx: Db,
  userId: string,
  deviceId: string,
  max: number,
): Promise<void> => {
  const newestToDelete = tx
    .select({ signalId: senseSignals.signalId })
    .from(senseSignals)
    .where(isOfDevice(userId, deviceId))
    .orderBy(desc(senseSignals.signalId))
    .offset(max)
    .limit(1)
  await tx
    .delete(senseSignals)
    .where(and(isOfDevice(userId, deviceId), sql`${senseSignals.signalId} <= (${newestToDelete})`))
}

/** Deletes signals received before a time. `signalCount` of their devices is then only an upper bound. */
export const deleteOldSignals = async (db: Db, before: Date): Promise<void> => {
  await db.delete(senseSignals).where(lt(senseSignals.receivedAt, before))
}

/** Deletes the devices of a user, and by cascade their signals. */
export const deleteDevices = async (tx: Db, userId: string): Promise<void> => {
  await tx.delete(senseDevices).where(eq(senseDevices.userId, userId))
}
