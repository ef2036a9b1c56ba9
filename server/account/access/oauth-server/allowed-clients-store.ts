import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { orgMembers, orgs } from '../../organizations/table.ts'
import { sessions } from '../sessions/table.ts'
import { oauthConsents, oauthGrants } from './table.ts'

/** @returns undefined for a user who is not a member. */
export const findAllowedClients = async (
  db: Db,
  userId: string,
  orgId: string,
): Promise<{ clientIds: string[] | null } | undefined> => {
  const [row] = await db
    .select({ clientIds: orgs.allowedClients })
    .from(orgs)
    .innerJoin(orgMembers, and(eq(orgMembers.orgId, orgs.id), eq(orgMembers.userId, userId)))
    .where(eq(orgs.id, orgId))
  return row
}

export const saveAllowedClients = async (
  tx: Db,
  orgId: string,
  allowedClients: string[] | null,
): Promise<void> => {
  await tx.update(orgs).set({ allowedClients }).where(eq(orgs.id, orgId))
}

/** The clients that members use in an organization, by name. */
export const listUsedClients = async (
  db: Db,
  orgId: string,
): Promise<{ clientId: string; name: string }[]> => {
  const consents = await db
    .selectDistinctOn([oauthConsents.clientId], {
      clientId: oauthConsents.clientId,
      name: oauthConsents.clientName,
    })
    .from(oauthConsents)
    .where(eq(oauthConsents.orgId, orgId))
  const grants = await db
    .selectDistinctOn([oauthGrants.clientId], {
      clientId: oauthGrants.clientId,
      name: sql<string>`coalesce(regexp_replace(${sessions.userAgent}, ' \\((MCP|app)\\)$', ''), ${oauthGrants.clientId})`,
    })
    .from(oauthGrants)
    .innerJoin(sessions, eq(sessions.id, oauthGrants.sessionId))
    .where(
      and(
        eq(oauthGrants.orgId, orgId),
        isNull(sessions.revokedAt),
        gt(sessions.expiresAt, sql`now()`),
      ),
    )
  const byId = new Map([...grants, ...consents].map((client) => [client.clientId, client]))
  return [...byId.values()].sort((one, other) => one.name.localeCompare(other.name))
}
