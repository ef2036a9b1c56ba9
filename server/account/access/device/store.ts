import { and, eq, gt, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { sessions } from '../sessions/table.ts'
import { type DeviceLoginRow, deviceLogins } from './table.ts'

/** Added to the interval of a client that polls too fast (RFC 8628, section 3.5). */
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

/** Deletes logins that expired more than a day ago. */
export const deleteOldDeviceLogins = async (db: Db): Promise<void> => {
  await db.delete(deviceLogins).where(lt(deviceLogins.expiresAt, sql`now() - interval '1 day'`))
}

/** Records a poll, and lengthens the interval when the poll is too early. */
export const recordPoll = async (
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

/** @returns undefined when no pending login has this code. */
export const decideLogin = async (
  db: Db,
  userCode: string,
  decision: {
    status: 'approved' | 'denied'
    userId: string
    sessionId: string
    orgId: string | null
  },
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

/**
 * Marks an approved login as delivered. The caller must lock the user against `revokeApprovedLogins`.
 * @returns undefined when the login is not approved or already delivered; otherwise whether the session
 * that approved it is still live.
 */
export const markDelivered = async (
  tx: Db,
  id: string,
): Promise<{ isLive: boolean } | undefined> => {
  const isLive = sql<boolean>`exists (select from ${sessions} where ${sessions.id} = ${deviceLogins.sessionId}
    and ${sessions.revokedAt} is null and ${sessions.expiresAt} > now())`
  const [row] = await tx
    .update(deviceLogins)
    .set({ status: 'delivered' })
    .where(and(eq(deviceLogins.id, id), eq(deviceLogins.status, 'approved'), unexpired()))
    .returning({ isLive })
  return row
}

/** Revokes the undelivered logins that a user approved for an organization. */
export const revokeApprovedLoginsIn = async (
  tx: Db,
  orgId: string,
  userId: string,
): Promise<void> => {
  await tx
    .update(deviceLogins)
    .set({ status: 'revoked' })
    .where(
      and(
        eq(deviceLogins.userId, userId),
        eq(deviceLogins.orgId, orgId),
        eq(deviceLogins.status, 'approved'),
      ),
    )
}

/** Revokes the undelivered logins that a user approved. */
export const revokeApprovedLogins = async (tx: Db, userId: string): Promise<void> => {
  await tx
    .update(deviceLogins)
    .set({ status: 'revoked' })
    .where(and(eq(deviceLogins.userId, userId), eq(deviceLogins.status, 'approved')))
}
