import type { TierName } from '../../../shared/tiers.ts'
import { usernameCandidate, usernameFrom } from '../../account/users/email-address.ts'
import type { Cipher } from '../../platform/cipher.ts'
import type { Db } from '../../platform/db/database.ts'
import type { ImportedUser } from './line.ts'
import { findEmails, findIdentities, findUsernames, type NewUsers } from './store.ts'

const emailKey = (email: string) => `email ${email}`
const identityKey = ({ provider, subject }: { provider: string; subject: string }) =>
  `${provider} ${subject}`
/** The address and the identities, which no two accounts have in common. */
export const keysOf = ({ email, identities }: ImportedUser): string[] => [
  emailKey(email),
  ...identities.map(identityKey),
]

/**
 * The users of a batch whose address and identities no account has, each once.
 * @param wasSeen whether an earlier line that was not stored has them.
 */
export const selectNew = async (
  db: Db,
  batch: readonly ImportedUser[],
  wasSeen: (key: string) => boolean,
): Promise<ImportedUser[]> => {
  const emails = await findEmails(
    db,
    batch.map(({ email }) => email),
  )
  const identities = await findIdentities(
    db,
    batch.flatMap((user) => user.identities),
  )
  const taken = new Set([...emails.map(emailKey), ...identities.map(identityKey)])
  return batch.filter((user) => {
    const keys = keysOf(user)
    if (keys.some((key) => taken.has(key) || wasSeen(key))) return false
    for (const key of keys) taken.add(key)
    return true
  })
}

interface RowDeps {
  cipher: Cipher
  defaultTier: TierName
}

/** The rows of new users, in the order of their addresses, so that concurrent imports rarely deadlock. */
export const rowsOf = async (
  tx: Db,
  added: readonly ImportedUser[],
  { cipher, defaultTier }: RowDeps,
): Promise<NewUsers> => {
  const rows: NewUsers = { users: [], secrets: [], connections: [] }
  const now = new Date()
  const usernames = await chooseUsernames(tx, added)
  for (const user of added.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
    const userId = Bun.randomUUIDv7()
    const username = usernames.get(user) ?? wantedName(user)
    rows.users.push({
      id: userId,
      email: user.email,
      emailVerified: user.emailVerified,
      passwordHash: user.passwordHash ?? null,
      username,
      displayName: user.displayName ?? username,
      tier: defaultTier,
      disabledAt: user.isDisabled ? now : null,
      createdAt: user.createdAt ?? now,
    })
    if (user.totpSecret)
      rows.secrets.push({ userId, secret: cipher.seal(user.totpSecret, userId), enabledAt: now })
    for (const { provider, subject, email } of user.identities)
      rows.connections.push({ provider, subject, userId, email: email ?? null })
  }
  return rows
}

const wantedName = ({ username, email }: ImportedUser) =>
  usernameFrom(username === undefined ? email : username.replaceAll('@', '-'))

/** A username that is taken gets digits, as at a sign-up. */
const chooseUsernames = async (
  tx: Db,
  added: readonly ImportedUser[],
): Promise<Map<ImportedUser, string>> => {
  const chosen = new Map<string, ImportedUser>()
  let open = added
  for (let attempt = 0; open.length > 0; attempt++) {
    const wanted = new Map<string, ImportedUser>()
    for (const user of open) {
      const username = usernameCandidate(wantedName(user), attempt)
      if (!chosen.has(username) && !wanted.has(username)) wanted.set(username, user)
    }
    for (const username of await findUsernames(tx, [...wanted.keys()])) wanted.delete(username)
    for (const [username, user] of wanted) chosen.set(username, user)
    const found = new Set(wanted.values())
    open = open.filter((user) => !found.has(user))
  }
  return new Map([...chosen].map(([username, user]) => [user, username]))
}
