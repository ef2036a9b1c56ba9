import type { SignUp } from '../../../shared/contract/sessions.ts'
import type { TierName } from '../../../shared/tiers.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import type { SessionService, SignedIn } from '../access/sessions/service.ts'
import { recordAudit } from '../users/audit/store.ts'
import { readEmail, usernameCandidate, usernameFrom } from '../users/email-address.ts'
import { userError } from '../users/errors.ts'
import type { Passwords } from '../users/passwords.ts'
import { findUserByEmail, insertUser } from '../users/store.ts'
import type { UserRow } from '../users/table.ts'
import { signInError } from './errors.ts'
import type { LinkService } from './links/service.ts'
import { isAddressHeld } from './links/store.ts'
import type { Admission, SignUpPolicyService } from './sign-up-policy.ts'

export interface NewAccount {
  email: string
  emailVerified: boolean
  /** Null for an account that signs in through an OAuth provider. */
  passwordHash: string | null
}

interface RegistrationDeps {
  database: Database
  sessions: Pick<SessionService, 'start'>
  passwords: Passwords
  links: LinkService
  policy: Pick<SignUpPolicyService, 'check' | 'checkReachable'>
  /** The tier of new accounts. */
  defaultTier: () => TierName
}

/** Creates accounts. Every account but an imported one comes to be in `register`. */
export type RegistrationService = ReturnType<typeof createRegistrationService>

export const createRegistrationService = (deps: RegistrationDeps) => {
  const { sessions, passwords, links, policy, defaultTier } = deps
  const { db } = deps.database

  const addUser = async (tx: Db, account: NewAccount): Promise<UserRow> => {
    const base = usernameFrom(account.email)
    for (let attempt = 0; ; attempt++) {
      const username = usernameCandidate(base, attempt)
      const user = await insertUser(tx, {
        id: Bun.randomUUIDv7(),
        ...account,
        username,
        displayName: username,
        tier: defaultTier(),
      })
      if (user === 'email_taken') throw userError('email_taken')
      if (user !== 'username_taken') return user
    }
  }

  /**
   * Creates an account and mails a verification link when the address is not verified.
   * @param client of the user; undefined when an identity provider creates the account.
   * @throws ApiError 403 for a person who may not create it, 409 for an address that another account has.
   */
  const register = async (
    tx: Db,
    account: NewAccount,
    admission: Admission,
    client: RequestClient | undefined,
  ): Promise<UserRow> => {
    if (admission === 'person') await policy.check(tx, account.email)
    const user = await addUser(tx, account)
    // After the insert, which waited for a change of the address that was under way.
    if (await isAddressHeld(tx, user.email, user.id)) throw userError('email_taken')
    const ip = client && { ip: client.ip }
    await recordAudit(tx, { userId: user.id, action: 'user.signed_up', ...ip })
    if (!user.emailVerified) await links.mailVerification(tx, user.id, user.email)
    return user
  }

  return {
    register,

    /**
     * @throws ApiError 400 for an invalid address or password, 403 for a person who may not create an account,
     * 409 for an address that is taken.
     */
    async signUp(
      body: SignUp,
      client: RequestClient,
      admission: Admission = 'person',
    ): Promise<SignedIn> {
      const email = readEmail(body.email)
      if (body.password !== body.confirm_password) throw signInError('passwords_do_not_match')
      // Before the look-up, so that a refusal does not reveal which accounts exist.
      if (admission === 'person') await policy.check(db, email)
      await policy.checkReachable(email)
      if (await findUserByEmail(db, email)) throw userError('email_taken')

      const passwordHash = await passwords.hash(body.password)
      return db.transaction(async (tx) => {
        const user = await register(
          tx,
          { email, passwordHash, emailVerified: false },
          admission,
          client,
        )
        return sessions.start(tx, user, client, { method: 'password' })
      })
    },
  }
}
