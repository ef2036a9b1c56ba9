import { and, eq, isNotNull, sql } from 'drizzle-orm'
import type { OrgPolicies } from '../../../../shared/contract/organization-policies.ts'
import type { OrgRole } from '../../../../shared/contract/organizations.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { SecondFactor } from '../../../platform/http/caller.ts'
import { users } from '../../users/table.ts'
import { orgMembers, orgs } from '../table.ts'

/**
 * The strongest second factor that a user has set up, where the policies of the organization ask for one. Part
 * of the statements that find a caller, with the names of their tables.
 */
export const accountFactorSql = (org: string, user: string): string => `case
  when coalesce(${org}.policies->>'second_factor', 'none') = 'none' then null
  when exists (select from passkeys factor where factor.user_id = ${user}.id) then 'passkey'
  when exists (select from mfa_secrets factor
    where factor.user_id = ${user}.id and factor.enabled_at is not null) then 'code' end`

/** Columns of a statement with `orgs` and `users`. */
export const policyColumns = {
  policies: orgs.policies,
  accountFactor: sql<SecondFactor | null>`${sql.raw(accountFactorSql('orgs', 'users'))}`,
}

export interface MemberPolicies {
  org: { id: string; name: string }
  role: OrgRole
  policies: OrgPolicies | null
  accountFactor: SecondFactor | null
}

/** @returns undefined for a user who is not a member. */
export const findMemberPolicies = async (
  db: Db,
  orgId: string,
  userId: string,
): Promise<MemberPolicies | undefined> => {
  const [row] = await db
    .select({ org: { id: orgs.id, name: orgs.name }, role: orgMembers.role, ...policyColumns })
    .from(orgs)
    .innerJoin(orgMembers, eq(orgMembers.orgId, orgs.id))
    .innerJoin(users, eq(users.id, orgMembers.userId))
    .where(and(eq(orgs.id, orgId), eq(users.id, userId)))
  return row
}

/** Whether an organization lets a provider open the accounts that it manages. */
export const allowsManagedSignIn = async (
  db: Db,
  orgId: string,
  provider: string,
): Promise<boolean> =>
  (await db.$count(
    orgs,
    and(eq(orgs.id, orgId), sql`${orgs.policies}->'managed_sign_in' ? ${provider}`),
  )) > 0

/** The organizations of a user that have policies. */
export const listMemberPolicies = (
  db: Db,
  userId: string,
): Promise<Pick<MemberPolicies, 'org' | 'policies' | 'accountFactor'>[]> =>
  db
    .select({ org: { id: orgs.id, name: orgs.name }, ...policyColumns })
    .from(orgs)
    .innerJoin(orgMembers, eq(orgMembers.orgId, orgs.id))
    .innerJoin(users, eq(users.id, orgMembers.userId))
    .where(and(eq(users.id, userId), isNotNull(orgs.policies)))
    .orderBy(orgs.id)

/** The strongest second factor that a user has set up, whatever an organization asks for. */
export const findAccountFactor = async (db: Db, userId: string): Promise<SecondFactor | null> => {
  const org = `(select '{"second_factor": "any"}'::jsonb as policies) asking`
  const [row] = await db
    .select({
      factor: sql<SecondFactor | null>`(select ${sql.raw(accountFactorSql('asking', 'users'))} from ${sql.raw(org)})`,
    })
    .from(users)
    .where(eq(users.id, userId))
  return row?.factor ?? null
}

export const savePolicies = async (
  tx: Db,
  orgId: string,
  policies: OrgPolicies | null,
): Promise<void> => {
  await tx.update(orgs).set({ policies, updatedAt: sql`now()` }).where(eq(orgs.id, orgId))
}

/** The scopes that keys may have in an organization; null: all. */
export const findKeyScopes = async (
  db: Db,
  orgId: string,
): Promise<{ id: string; name: string; keyScopes: OrgPolicies['key_scopes'] } | undefined> => {
  const [row] = await db
    .select({ id: orgs.id, name: orgs.name, policies: orgs.policies })
    .from(orgs)
    .where(eq(orgs.id, orgId))
  return row && { id: row.id, name: row.name, keyScopes: row.policies?.key_scopes ?? null }
}
