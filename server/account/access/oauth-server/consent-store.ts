import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../platform/db/database.ts'
import { orgs } from '../../organizations/table.ts'
import { type OAuthConsentRow, oauthConsents } from './table.ts'

export const findConsent = async (
  db: Db,
  userId: string,
  clientId: string,
): Promise<OAuthConsentRow | undefined> => {
  const [row] = await db
    .select()
    .from(oauthConsents)
    .where(and(eq(oauthConsents.userId, userId), eq(oauthConsents.clientId, clientId)))
  return row
}

/** Stores a consent in place of an earlier one for the client. */
export const saveConsent = async (
  tx: Db,
  consent: typeof oauthConsents.$inferInsert,
): Promise<void> => {
  const { clientName, orgId, scopes, declinedScopes } = consent
  await tx
    .insert(oauthConsents)
    .values(consent)
    .onConflictDoUpdate({
      target: [oauthConsents.userId, oauthConsents.clientId],
      set: { clientName, orgId, scopes, declinedScopes, lastUsedAt: sql`now()` },
    })
}

export interface ListedConsent {
  consent: OAuthConsentRow
  org: { id: string; name: string } | null
}

/** The consents of a user, the last used first. */
export const listConsents = (db: Db, userId: string): Promise<ListedConsent[]> =>
  db
    .select({ consent: oauthConsents, org: { id: orgs.id, name: orgs.name } })
    .from(oauthConsents)
    .leftJoin(orgs, eq(orgs.id, oauthConsents.orgId))
    .where(eq(oauthConsents.userId, userId))
    .orderBy(desc(oauthConsents.lastUsedAt), desc(oauthConsents.id))

/** @returns undefined for no such consent of the user. */
export const findConsentById = async (
  db: Db,
  userId: string,
  id: string,
): Promise<OAuthConsentRow | undefined> => {
  const [row] = await db
    .select()
    .from(oauthConsents)
    .where(and(eq(oauthConsents.userId, userId), eq(oauthConsents.id, id)))
  return row
}
