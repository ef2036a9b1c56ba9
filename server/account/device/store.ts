import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Db } from '../../platform/db/database.ts'
import { type DeviceLoginRow, deviceLogins } from './table.ts'

/** Seconds that a client which polls too fast must wait longer (RFC 8628, section 3.5). */
const SLOW_DOWN_SECONDS = 5

const unexpired = () => gt(deviceLogins.expiresAt, sql`now()`)

/** @returns whether the user code was still free. */
export const insertDeviceLogin = async (
  db: Db,
  login: typeof deviceLogins.$inferInsert,
): Promise<boolean> => {
  const rows = await db
    .insert(deviceLogins)
    .values(login)
    .onConflictDoNothing({ target: deviceLogins.userCode })
    .returning({ id: deviceLogins.id })
  return rows.length > 0
}

/** Old logins are of no use to anybody a day after they ended. */
export const deleteOldDeviceLogins = async (db: Db): Promise<void> => {
  await db.delete(deviceLogins).where(lt(deviceLogins.expiresAt, sql`now() - interval '1 day'`))
}

/**
 * Notes a poll, and lengthens the interval of a client that does not keep it.
 * @returns the login, and whether this poll came too early.
 */
export const notePoll = async (
  db: Db,
  deviceCodeHash: string,
): Promise<{ login: DeviceLoginRow; tooEarly: boolean } | undefined> => {
  const before = db.$with('before').as(
    db
      .select({
        id: deviceLogins.id,
        tooEarly:
          sql<boolean>`coalesce(${deviceLogins.lastPolledAt} + make_interval(secs => ${deviceLogins.intervalSeconds}) > now(), false)`.as(
            'too_early',
          ),
      })
      .from(deviceLogins)
      .where(eq(deviceLogins.deviceCodeHash, deviceCodeHash))
      .for('update'),
  )
  const [row] = await db
    .with(before)
    .update(deviceLogins)
    .set({
      lastPolledAt: sql`now()`,
      intervalSeconds: sql`${deviceLogins.intervalSeconds} + case when ${before.tooEarly} then ${SLOW_DOWN_SECONDS} else 0 end`,
    })
    .from(before)
    .where(eq(deviceLogins.id, before.id))
    .returning({ login: deviceLogins, tooEarly: before.tooEarly })
  return row
}

export const findPendingLogin = async (
  db: Db,
  userCode: string,
): Promise<DeviceLoginRow | undefined> => {
  const [row] = await db
    .select()
    .from(deviceLogins)
    .where(
      and(eq(deviceLogins.userCode, userCode), eq(deviceLogins.status, 'pending'), unexpired()),
    )
  return row
}

/** @returns the login if it was still waiting for an answer. */
export const decideLogin = async (
  db: Db,
  userCode: string,
  decision: { status: 'approved' | 'denied'; userId: string; orgId: string | null },
): Promise<DeviceLoginRow | undefined> => {
  const [row] = await db
    .update(deviceLogins)
    .set(decision)
    .where(
      and(eq(deviceLogins.userCode, userCode), eq(deviceLogins.status, 'pending'), unexpired()),
    )
    .returning()
  return row
}

/** @returns whether it was approved and not delivered yet: true exactly once. */
export const markDelivered = async (db: Db, id: string): Promise<boolean> => {
  const rows = await db
    .update(deviceLogins)
    .set({ status: 'delivered' })
    .where(and(eq(deviceLogins.id, id), eq(deviceLogins.status, 'approved'), unexpired()))
    .returning({ id: deviceLogins.id })
  return rows.length > 0
}
