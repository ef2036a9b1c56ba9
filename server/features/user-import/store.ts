import { inArray, or, sql } from 'drizzle-orm'
import { mfaSecrets } from '../../account/sign-in/mfa/table.ts'
import { oauthConnections } from '../../account/sign-in/oauth/table.ts'
import { users } from '../../account/users/table.ts'
import type { Db } from '../../platform/db/database.ts'

/** The addresses of a list that accounts have. */
export const findEmails = async (db: Db, emails: string[]): Promise<string[]> => {
  const rows = await db
    .select({ email: users.email })
    .from(users)
    .where(inArray(users.email, emails))
  return rows.map(({ email }) => email)
}

/** The usernames of a list that accounts have. */
export const findUsernames = async (db: Db, usernames: string[]): Promise<string[]> => {
  const rows = await db
    .select({ username: users.username })
    .from(users)
    .where(inArray(users.username, usernames))
  return rows.map(({ username }) => username)
}

interface Identity {
  provider: (typeof oauthConnections.$inferSelect)['provider']
  subject: string
}

/** The identities of a list that accounts have. */
export const findIdentities = async (db: Db, identities: Identity[]): Promise<Identity[]> => {
  if (identities.length === 0) return []
  const { provider, subject } = oauthConnections
  return db
    .select({ provider, subject })
    .from(oauthConnections)
    .where(
      or(
        ...identities.map(
          (each) => sql`(${provider} = ${each.provider} and ${subject} = ${each.subject})`,
        ),
      ),
    )
}

export interface NewUsers {
  users: (typeof users.$inferInsert)[]
  secrets: (typeof mfaSecrets.$inferInsert)[]
  connections: (typeof oauthConnections.$inferInsert)[]
}

/** @throws the unique violation of the database when a concurrent transaction has stored one of them. */
export const insertUsers = async (tx: Db, added: NewUsers): Promise<void> => {
  if (added.users.length === 0) return
  await tx.insert(users).values(added.users)
  if (added.secrets.length) await tx.insert(mfaSecrets).values(added.secrets)
  if (added.connections.length) await tx.insert(oauthConnections).values(added.connections)
}
