import { and, eq, gt, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm'
import { oauthClients, oauthGrants } from '../../account/access/oauth-server/table.ts'
import { sessions } from '../../account/access/sessions/table.ts'
import type { Db } from '../../platform/db/database.ts'

/**
 * Marks the grants of apps that want to know that the session of their user has ended.
 * @returns each ended session of an app once.
 */
export const claimEndedSignIns = async (
  tx: Db,
): Promise<{ clientId: string; userId: string; signInId: string }[]> => {
  const notified = tx
    .select({ id: sql<string>`${oauthClients.id}::text` })
    .from(oauthClients)
    .where(isNotNull(oauthClients.backchannelLogoutUri))
  const live = tx
    .select({ one: sql`1` })
    .from(sessions)
    .where(
      and(
        eq(sessions.id, oauthGrants.signInId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
      ),
    )
  const rows = await tx
    .update(oauthGrants)
    .set({ logoutSentAt: sql`now()` })
    .where(
      and(
        inArray(oauthGrants.clientId, notified),
        isNotNull(oauthGrants.signInId),
        isNull(oauthGrants.logoutSentAt),
        notExists(live),
      ),
    )
    .returning({
      clientId: oauthGrants.clientId,
      userId: oauthGrants.userId,
      signInId: oauthGrants.signInId,
    })
  const ended = rows.map(({ signInId, ...grant }) => ({ ...grant, signInId: signInId ?? '' }))
  return [...new Map(ended.map((each) => [`${each.clientId} ${each.signInId}`, each])).values()]
}

/** The URI that gets the notices of a client; undefined for one without, and for a deleted client. */
export const findLogoutUri = async (db: Db, clientId: string): Promise<string | undefined> => {
  const [row] = await db
    .select({ uri: oauthClients.backchannelLogoutUri })
    .from(oauthClients)
    .where(eq(oauthClients.id, clientId))
  return row?.uri ?? undefined
}
