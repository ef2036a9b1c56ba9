import { errorText } from '../../../shared/errors.ts'
import type { AccessToken, SignIn, SignUp, TokenResponse } from '../../../shared/schemas/account.ts'
import type { TierName } from '../../../shared/schemas/billing.ts'
import type { MfaPending, VerifyMfa } from '../../../shared/schemas/mfa.ts'
import { actingIn, orgIdOf } from '../../people/orgs/acting.ts'
import { addOneByOne } from '../../platform/db/caps.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import type { Client } from '../../platform/http/route.ts'
import { recordAudit } from '../audit/store.ts'
import type { LinkService } from '../links/service.ts'
import type { MfaService } from '../mfa/service.ts'
import type { IsAdmin } from '../users/admin.ts'
import {
  couldBeEmail,
  emailTaken,
  normalizeEmail,
  readEmail,
  usernameFrom,
} from '../users/email.ts'
import { checkEnabled } from '../users/enabled.ts'
import type { Passwords } from '../users/passwords.ts'
import { presentCurrentUser, presentUser } from '../users/present.ts'
import { findUser, findUserByEmail, insertUser, lockPassword, lockSignIns } from '../users/store.ts'
import type { UserRow } from '../users/table.ts'
import type { SignInGuard } from './guard.ts'
import {
  deleteLongEndedSessions,
  type FoundSession,
  insertSession,
  prepareFindSession,
  revokeIdlest,
  revokeSession,
  revokeSessions,
  takeGeneration,
  touchSession,
} from './store.ts'
import type { SessionRow } from './table.ts'
import { REFRESH_TOKEN_SECONDS, type RefreshClaims, type Tokens } from './tokens.ts'

/** Of one person, alive at once: browsers, terminals and programs together. */
const MAX_SESSIONS = 100

/** A session just started: what its holder is answered, and the value of its cookie. */
export interface SignedIn {
  answer: TokenResponse
  refreshToken: string
}

/** A sign-in whose password was right, and which waits for a code. */
export interface SignInPending {
  answer: MfaPending
  refreshToken: undefined
}

export interface NewAccount {
  email: string
  emailVerified: boolean
  /** Null for one that signs in through a provider. */
  passwordHash: string | null
}

export interface SessionSurroundings {
  database: Database
  tokens: Tokens
  passwords: Passwords
  links: LinkService
  guard: SignInGuard
  mfa: Pick<MfaService, 'challenge' | 'attempt' | 'pass' | 'endChallenges'>
  /** The tier of new accounts. */
  defaultTier: TierName
  isAdmin: IsAdmin
}

export type SessionService = ReturnType<typeof createSessionService>

export const createSessionService = (surroundings: SessionSurroundings) => {
  const { tokens, passwords, links, guard, mfa, defaultTier, isAdmin } = surroundings
  const { db } = surroundings.database
  const findSession = prepareFindSession(db)

  /**
   * Opens a session whose tokens are somebody else's matter. Of too many the one that was not used for
   * longest ends.
   * @returns its id.
   * @throws ApiError 403 for a user who is kept out.
   */
  const open = async (tx: Db, user: UserRow, client: Client): Promise<string> => {
    checkEnabled(user)
    const sessionId = Bun.randomUUIDv7()
    await addOneByOne(tx, user.id, 'sessions')
    await insertSession(tx, {
      id: sessionId,
      userId: user.id,
      ip: client.ip,
      userAgent: client.userAgent,
      expiresAt: new Date(Date.now() + REFRESH_TOKEN_SECONDS * 1000),
    })
    await recordAudit(tx, {
      userId: user.id,
      action: 'session.started',
      subject: sessionId,
      ip: client.ip,
    })
    await deleteLongEndedSessions(tx, user.id)
    for (const subject of await revokeIdlest(tx, user.id, { keep: sessionId, most: MAX_SESSIONS }))
      await recordAudit(tx, {
        userId: user.id,
        action: 'session.ended',
        subject,
        details: { reason: 'one_too_many' },
      })
    return sessionId
  }

  /** @throws ApiError 403 for a user who is kept out. */
  const start = async (tx: Db, user: UserRow, client: Client): Promise<SignedIn> => {
    const sessionId = await open(tx, user, client)
    const [access_token, refreshToken] = await Promise.all([
      tokens.access({ userId: user.id, sessionId }),
      tokens.refresh({ sessionId, generation: 0 }),
    ])
    return {
      answer: { access_token, token_type: 'bearer', user: presentUser(user) },
      refreshToken,
    }
  }

  /**
   * Moves a session on by its refresh token, for whose predecessor there is a grace: see
   * `takeGeneration`. An older one ends the session: of the two who have it, one stole it.
   * @returns the session, or undefined when the token is good for nothing.
   */
  const advance = async (
    { sessionId, generation }: RefreshClaims,
    graceSeconds: number | null,
  ): Promise<SessionRow | undefined> => {
    const session = await takeGeneration(db, sessionId, generation, graceSeconds)
    if (session) return session
    const replayed = await revokeSession(db, sessionId)
    if (replayed)
      await recordAudit(db, {
        userId: replayed.userId,
        action: 'session.replayed',
        subject: sessionId,
      })
    return undefined
  }

  /** @throws ApiError 403 for an organization the person is not in. */
  const sessionCaller = (
    { session, user, acting }: FoundSession,
    named: string | null = null,
  ): Caller => {
    const { ownerId, org } = actingIn(user.id, acting, named)
    return {
      userId: user.id,
      ownerId,
      sessionId: session.id,
      keyId: null,
      timezone: user.timezone,
      me: { ...presentCurrentUser(user, isAdmin), tier: user.tier, credential: 'jwt', org },
    }
  }

  /**
   * The user that a browser's cookie belongs to, without rotating it.
   * @returns undefined for a cookie that is not good any more.
   */
  const userOfCookie = async (cookie: string | undefined): Promise<Caller | undefined> => {
    const read = cookie ? await tokens.readRefresh(cookie) : undefined
    const found = read?.ok ? await findSession(read.claims.sessionId, null) : undefined
    if (!found || !read?.ok) return undefined
    const age = found.session.generation - read.claims.generation
    return age === 0 || age === 1 ? sessionCaller(found) : undefined
  }

  /**
   * Makes an account and mails a link where its address has yet to be verified.
   * @throws ApiError 409 for an address that is taken.
   */
  const register = async (tx: Db, account: NewAccount, client: Client): Promise<UserRow> => {
    const user = await addUser(tx, account)
    await recordAudit(tx, { userId: user.id, action: 'user.signed_up', ip: client.ip })
    if (!user.emailVerified) await links.mailVerification(tx, user.id, user.email)
    return user
  }

  /** Lets somebody in whose first factor was right: a session, or what to go on with. */
  const admit = async (
    tx: Db,
    user: UserRow,
    client: Client,
  ): Promise<SignedIn | SignInPending> => {
    checkEnabled(user)
    const answer = await mfa.challenge(tx, user.id)
    return answer ? { answer, refreshToken: undefined } : start(tx, user, client)
  }

  return {
    /** Starts a session for a user who is known by other means than a password. */
    start,

    open,

    advance,

    /** Notes that a session was used; at most one write a minute. */
    touch: (sessionId: string): Promise<void> => touchSession(db, sessionId),

    /** Ends one session, if it lives. */
    async end(tx: Db, sessionId: string): Promise<void> {
      const ended = await revokeSession(tx, sessionId)
      if (ended)
        await recordAudit(tx, { userId: ended.userId, action: 'session.ended', subject: ended.id })
    },

    register,

    admit,

    /** Ends every session of a person, save the one that asks for it, and sign-ins that wait for a code. */
    async endAll(tx: Db, userId: string, exceptId: string | null = null): Promise<void> {
      await lockSignIns(tx, userId)
      await revokeSessions(tx, userId, exceptId)
      await mfa.endChallenges(tx, userId)
    },

    /** Forgets the failed sign-ins of an address whose owner has proved to be there. */
    unlock: (tx: Db, email: string): Promise<void> => guard.clear(email, tx),

    /** @throws ApiError 400 for an address or passwords that will not do, 409 for a known address. */
    async signUp(body: SignUp, client: Client): Promise<SignedIn> {
      const email = readEmail(body.email)
      if (body.password !== body.confirm_password) throw new ApiError(400, 'Passwords do not match')
      if (await findUserByEmail(db, email)) throw emailTaken()

      const passwordHash = await passwords.hash(body.password)
      return db.transaction(async (tx) => {
        const user = await register(tx, { email, passwordHash, emailVerified: false }, client)
        return start(tx, user, client)
      })
    },

    /**
     * @throws ApiError 401 for an unknown address or a wrong password alike, 400 for an account
     * without a password, 429 after ten failures in a row.
     * @returns a session, or what to go on with where a second factor is asked.
     */
    async signIn(body: SignIn, client: Client): Promise<SignedIn | SignInPending> {
      const email = normalizeEmail(body.email)
      if (!couldBeEmail(email)) throw wrongCredentials()
      await guard.reserve(email)

      const user = await findUserByEmail(db, email)
      const matches = await passwords.verify(body.password, user?.passwordHash ?? null)
      if (user && user.passwordHash === null)
        throw new ApiError(400, 'This account signs in through a provider and has no password')
      if (!user || !matches) {
        if (user)
          await recordAudit(db, { userId: user.id, action: 'session.failed', ip: client.ip })
        else await guard.touch(email)
        throw wrongCredentials()
      }
      return db.transaction(async (tx) => {
        // The password may have been changed while it was checked: then it opens nothing any more.
        if ((await lockPassword(tx, user.id)) !== user.passwordHash) throw wrongCredentials()
        const admitted = await admit(tx, user, client)
        // Earlier failures stay counted until the code is right too.
        if (admitted.refreshToken) await guard.clear(email, tx)
        else await guard.giveBack(email, tx)
        return admitted
      })
    },

    /**
     * Completes a sign-in with its second factor. Wrong codes count as failed sign-ins.
     * @throws ApiError 401 for a wrong code, or a partial token that is not good any more; 429 after
     * ten failures in a row.
     */
    async verifyCode({ partial_token, code }: VerifyMfa, client: Client): Promise<SignedIn> {
      const challenge = await mfa.attempt(partial_token)
      const user = await findUser(db, challenge.userId)
      if (!user) throw unauthorized('invalid')
      await guard.reserve(user.email)
      const signedIn = await db.transaction(async (tx) => {
        if (!(await mfa.pass(tx, challenge, code))) return undefined
        await guard.clear(user.email, tx)
        return start(tx, user, client)
      })
      if (signedIn) return signedIn
      await recordAudit(db, {
        userId: user.id,
        action: 'session.failed',
        ip: client.ip,
        details: { factor: 'code' },
      })
      throw new ApiError(401, 'Invalid code')
    },

    /**
     * Rotates the refresh cookie. A cookie older than the last two is somebody's copy: it ends the
     * session for everyone who holds it.
     * @throws ApiError 401 for a cookie that is missing, not ours, expired or used up.
     */
    async refresh(
      cookie: string | undefined,
    ): Promise<{ answer: AccessToken; refreshToken: string }> {
      const read = cookie ? await tokens.readRefresh(cookie) : undefined
      if (!read) throw new ApiError(401, errorText.badCredentials)
      if (!read.ok) throw unauthorized(read.reason)

      const { sessionId } = read.claims
      const session = await advance(read.claims, null)
      if (!session) throw unauthorized('invalid')
      const [access_token, refreshToken] = await Promise.all([
        tokens.access({ userId: session.userId, sessionId }),
        tokens.refresh({ sessionId, generation: session.generation }),
      ])
      return { answer: { access_token, token_type: 'bearer' }, refreshToken }
    },

    /** Ends the session that the cookie names, if there is one. */
    async signOut(cookie: string | undefined): Promise<void> {
      const read = cookie ? await tokens.readRefresh(cookie) : undefined
      if (!read?.ok) return
      const ended = await revokeSession(db, read.claims.sessionId)
      if (ended)
        await recordAudit(db, { userId: ended.userId, action: 'session.ended', subject: ended.id })
    },

    userOfCookie,

    /** @throws ApiError 401 for a cookie that is missing or not good any more. */
    async authenticateCookie(cookie: string | undefined): Promise<Caller> {
      const caller = await userOfCookie(cookie)
      if (!caller) throw new ApiError(401, errorText.badCredentials)
      return caller
    },

    /**
     * @throws ApiError 401 for a token that is not good, or whose session has ended; 403 for an
     * organization the person is not in.
     */
    async authenticate(token: string, named: string | null): Promise<Caller> {
      const read = await tokens.readAccess(token)
      if (!read.ok) throw unauthorized(read.reason)
      const found = await findSession(read.claims.sessionId, orgIdOf(named))
      if (!found || found.user.id !== read.claims.userId) throw unauthorized('invalid')
      if (found.session.lastSeenAt.getTime() < Date.now() - 20_000)
        await touchSession(db, found.session.id)
      return sessionCaller(found, named)
    },
  }

  async function addUser(tx: Db, account: NewAccount): Promise<UserRow> {
    const wanted = usernameFrom(account.email)
    for (let username = wanted; ; username = `${wanted}-${randomDigits()}`) {
      const user = await insertUser(tx, {
        id: Bun.randomUUIDv7(),
        ...account,
        username,
        displayName: username,
        tier: defaultTier,
      })
      if (user === 'email_taken') throw emailTaken()
      if (user !== 'username_taken') return user
    }
  }
}

const randomDigits = () => String(crypto.getRandomValues(new Uint32Array(1))[0]).slice(-6)

const wrongCredentials = () => new ApiError(401, 'Invalid email or password')

const unauthorized = (reason: 'expired' | 'invalid') =>
  new ApiError(401, reason === 'expired' ? errorText.tokenExpired : errorText.badCredentials, {
    headers: { 'www-authenticate': 'Bearer' },
  })
