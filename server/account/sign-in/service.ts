import { signIn, signUp, signUpPolicy, verifyMfa } from '../../../shared/contract/index.ts'
import type { VerifyMfa } from '../../../shared/contract/mfa.ts'
import type { MfaPending, SignIn } from '../../../shared/contract/sessions.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { RequestClient } from '../../platform/http/context.ts'
import type { Mount } from '../../platform/http/route.ts'
import { type SessionService, type SignedIn, sessionError } from '../access/sessions/service.ts'
import { recordAudit } from '../users/audit/store.ts'
import { isStorableEmail, normalizeEmail } from '../users/email-address.ts'
import type { Passwords } from '../users/passwords.ts'
import { findUser, findUserByEmail, lockForSignIn, replacePassword } from '../users/store.ts'
import type { UserRow } from '../users/table.ts'
import { checkEnabled } from '../users/user.ts'
import { signInError } from './errors.ts'
import type { SignInGuard } from './guard/service.ts'
import type { ChallengeService } from './mfa/challenges.ts'
import type { RegistrationService } from './registration.ts'
import type { SignUpPolicyService } from './sign-up-policy.ts'

/** A sign-in whose first factor was correct and that waits for a code. */
export interface SignInPending {
  challengeId: string
  response: MfaPending
  refreshToken: undefined
}

interface SignInDeps {
  database: Database
  sessions: Pick<SessionService, 'start'>
  passwords: Passwords
  guard: SignInGuard
  challenges: ChallengeService
}

/** Signs users in by password and second factor. */
export type SignInService = ReturnType<typeof createSignInService>

export const createSignInService = (deps: SignInDeps) => {
  const { sessions, passwords, guard, challenges } = deps
  const { db } = deps.database

  /**
   * Continues a sign-in whose first factor was correct.
   * @param method how it was proved: a built-in method or the name of a provider.
   * @throws ApiError 403 for a disabled user.
   */
  const completeFirstFactor = async (
    tx: Db,
    user: UserRow,
    client: RequestClient,
    method: string,
  ): Promise<SignedIn | SignInPending> => {
    checkEnabled(user)
    const challenge = await challenges.create(tx, user.id, method)
    if (!challenge) return sessions.start(tx, user, client, { method })
    const { id: challengeId, response } = challenge
    return { challengeId, response, refreshToken: undefined }
  }

  return {
    completeFirstFactor,

    /**
     * @throws ApiError 401 for an unknown address and for a wrong password, 400 for an account without
     * a password, 429 after ten failures in a row.
     */
    async signIn(body: SignIn, client: RequestClient): Promise<SignedIn | SignInPending> {
      const email = normalizeEmail(body.email)
      if (!isStorableEmail(email)) throw signInError('wrong_credentials')
      await guard.reserve(email)

      const user = await findUserByEmail(db, email)
      const matches = await passwords.verify(body.password, user?.passwordHash ?? null)
      if (user && user.passwordHash === null) throw signInError('no_password')
      if (!user || !matches) {
        await (user ? recordFailure(db, user.id, client) : guard.touch(email))
        throw signInError('wrong_credentials')
      }
      const known = await renewHash(deps, user, body.password)
      return db.transaction(async (tx) => {
        // The password may have changed during the check.
        const locked = await lockForSignIn(tx, user.id)
        if (known === undefined || locked?.passwordHash !== known)
          throw signInError('wrong_credentials')
        const signedIn = await completeFirstFactor(tx, locked, client, 'password')
        // Earlier failures still count until the code is correct too.
        if (signedIn.refreshToken) await guard.clear(email, tx)
        else await guard.refund(email, tx)
        return signedIn
      })
    },

    /**
     * Completes a sign-in with its second factor. Wrong codes count as failed sign-ins.
     * @throws ApiError 401 for a wrong code or an invalid partial token, 429 after ten failures in a row.
     */
    async verifyCode({ partial_token, code }: VerifyMfa, client: RequestClient): Promise<SignedIn> {
      const challenge = await challenges.attempt(partial_token)
      const user = await findUser(db, challenge.userId)
      if (!user) throw sessionError('session_token_invalid')
      await guard.reserve(user.email)
      const signedIn = await db.transaction(async (tx) => {
        // A revocation of all sessions ends the challenge before this lock, or waits for the new session.
        const locked = await lockForSignIn(tx, user.id)
        if (!locked) throw sessionError('session_token_invalid')
        if (!(await challenges.complete(tx, challenge, code))) return undefined
        await guard.clear(user.email, tx)
        const { method } = challenge
        const proof = { method, secondFactor: 'code' } as const
        const started = await sessions.start(tx, locked, client, proof)
        await challenges.bind(tx, challenge, started.sessionId)
        return started
      })
      if (signedIn) return signedIn
      await recordFailure(db, user.id, client, { factor: 'code' })
      throw signInError('wrong_sign_in_code')
    },
  }
}

/**
 * Replaces an imported hash, once its password is known, by one of svc. A sign-in at the same time may have
 * done so before.
 * @returns the hash of the account, or undefined when the password was changed meanwhile.
 */
const renewHash = async (
  { database: { db }, passwords }: Pick<SignInDeps, 'database' | 'passwords'>,
  { id, passwordHash: known }: UserRow,
  password: string,
): Promise<string | undefined> => {
  if (known === null || passwords.isCurrent(known)) return known ?? undefined
  const renewed = await passwords.renew(password)
  if (await replacePassword(db, id, known, renewed)) return renewed
  const current = (await findUser(db, id))?.passwordHash ?? null
  return (await passwords.verify(password, current)) ? (current ?? undefined) : undefined
}

const recordFailure = (
  db: Db,
  userId: string,
  client: RequestClient,
  details = {},
): Promise<void> => recordAudit(db, { userId, action: 'session.failed', ip: client.ip, details })

export const signInRoutes = (
  mount: Mount,
  registration: RegistrationService,
  signIns: SignInService,
  policy: SignUpPolicyService,
): void => {
  mount(signUpPolicy, () => policy.read())
  mount(signUp, async ({ body, client, refreshCookie }) => {
    const { response, refreshToken } = await registration.signUp(body, client)
    refreshCookie.set(refreshToken)
    return response
  })
  mount(signIn, async ({ body, client, refreshCookie }) => {
    const { response, refreshToken } = await signIns.signIn(body, client)
    if (refreshToken) refreshCookie.set(refreshToken)
    return response
  })
  mount(verifyMfa, async ({ body, client, refreshCookie }) => {
    const { response, refreshToken } = await signIns.verifyCode(body, client)
    refreshCookie.set(refreshToken)
    return response
  })
}
