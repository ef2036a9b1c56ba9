import type { OrgPolicyRefusal } from '../../../../shared/contract/organization-policies.ts'
import type { AccessToken, TokenResponse } from '../../../../shared/contract/sessions.ts'
import { errorText } from '../../../../shared/errors.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import { serializeAdds } from '../../../platform/db/locks.ts'
import type { SecondFactor } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { commonError, defineErrors } from '../../../platform/http/error.ts'
import type { JoinByDomain } from '../../organizations/domains/join.ts'
import { refusalOf, shortfallOf } from '../../organizations/policies/shortfall.ts'
import { listMemberPolicies } from '../../organizations/policies/store.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { lockSignIns } from '../../users/store.ts'
import type { UserRow } from '../../users/table.ts'
import { checkEnabled, presentUser } from '../../users/user.ts'
import {
  advanceGeneration,
  deleteLongEndedSessions,
  findSignIn,
  insertSession,
  recordSecondFactor,
  revokeIdlest,
  revokeSession,
  revokeSessions,
  type SessionSignIn,
  touchSession,
} from './store.ts'
import type { SessionRow } from './table.ts'
import { REFRESH_TOKEN_SECONDS, type RefreshClaims, type SessionTokens } from './tokens.ts'

/** The contract asks for this header on a 401 that an invalid token causes. */
const headers = { 'www-authenticate': 'Bearer' }

export const sessionError = defineErrors({
  session_token_expired: { status: 401, detail: errorText.tokenExpired, headers },
  session_token_invalid: { status: 401, detail: errorText.badCredentials, headers },
  session_not_found: { status: 404, detail: 'Session not found' },
})

/** Live sessions of one user: browsers, terminals and OAuth clients together. */
const MAX_SESSIONS = 100

/** Keeps other transactions from starting a session of a user. */
export const lockSessionStarts = (tx: Db, userId: string): Promise<void> =>
  serializeAdds(tx, userId, 'sessions')

/** How a user proved who they are. */
export type SignInProof =
  | { method: string | null; secondFactor?: SecondFactor }
  /** A session that passes its sign-in on. */
  | { sessionId: string | null }

/** A new session: the response body, and the value of the refresh cookie. */
export interface SignedIn {
  sessionId: string
  response: TokenResponse
  refreshToken: string
}

export interface SessionDeps {
  database: Database
  tokens: SessionTokens
  /** Each revokes one kind of thing that would become a session: codes, approvals, mailed links. */
  revokePending: ((tx: Db, userId: string) => Promise<void>)[]
  /** Is called before a user is signed in. */
  joinByDomain: JoinByDomain
}

/** Starts, refreshes and ends sessions. */
export type SessionService = ReturnType<typeof createSessionService>

export const createSessionService = ({
  database,
  tokens,
  revokePending,
  joinByDomain,
}: SessionDeps) => {
  const { db } = database

  return {
    /**
     * Opens a session without tokens. A user with too many sessions loses the least recently used one.
     * @param client with the lifetime of the session in `seconds`, if it is a shorter one.
     * @param proof is compared with the policies of organizations.
     * @returns the id of the session.
     * @throws ApiError 403 for a disabled user.
     */
    open: openSession,

    /** Ends a session, if it is live. @returns whether it was. */
    end: endSession,

    /**
     * Refresh token rotation with reuse detection: see `advanceGeneration` for the grace of the previous
     * token. An older token ends the session, because one of its two holders stole it.
     * @returns undefined when the token is not valid any more.
     */
    advance: (
      claims: RefreshClaims,
      graceSeconds: number | null,
    ): Promise<SessionRow | undefined> => advanceSession(db, claims, graceSeconds),

    /** @throws ApiError 403 for a disabled user. */
    async start(
      tx: Db,
      user: UserRow,
      client: RequestClient,
      proof: SignInProof,
    ): Promise<SignedIn> {
      checkEnabled(user)
      await joinByDomain(tx, user)
      const sessionId = await openSession(tx, user, client, proof)
      const [access_token, refreshToken] = await Promise.all([
        tokens.access({ userId: user.id, sessionId }),
        tokens.refresh({ sessionId, generation: 0 }),
      ])
      const refused = await listRefusals(tx, user.id, proof)
      const response = {
        access_token,
        token_type: 'bearer' as const,
        user: presentUser(user),
        ...(refused.length > 0 && { refused_orgs: refused }),
      }
      return { sessionId, response, refreshToken }
    },

    /** Records that the user proved a second factor within a session. */
    proveFactor: recordSecondFactor,

    /** Records that a session was used. */
    touch: (sessionId: string): Promise<void> => touchSession(db, sessionId),

    /**
     * Ends all sessions of a user except `exceptId`, and revokes pending sign-ins, approvals and
     * links that would become a session.
     */
    async endAll(tx: Db, userId: string, exceptId: string | null = null): Promise<void> {
      await lockSignIns(tx, userId)
      for (const revoke of revokePending) await revoke(tx, userId)
      await revokeSessions(tx, userId, exceptId)
    },

    /**
     * Rotates the refresh cookie (refresh token rotation). A cookie older than the last two ends the session.
     * @throws ApiError 401 for a cookie that is missing, invalid, expired or replaced.
     */
    async refresh(
      cookie: string | undefined,
    ): Promise<{ response: AccessToken; refreshToken: string }> {
      const read = cookie ? await tokens.readRefresh(cookie) : undefined
      if (!read) throw commonError('bad_credentials')
      if (!read.ok) throw sessionError(`session_token_${read.reason}`)
      const { sessionId } = read.claims
      const session = await advanceSession(db, read.claims, null)
      if (!session) throw sessionError('session_token_invalid')
      const [access_token, refreshToken] = await Promise.all([
        tokens.access({ userId: session.userId, sessionId }),
        tokens.refresh({ sessionId, generation: session.generation }),
      ])
      return { response: { access_token, token_type: 'bearer' }, refreshToken }
    },

    /** Ends the session of the cookie, if it is live. @returns its id. */
    async signOut(cookie: string | undefined): Promise<string | undefined> {
      const read = cookie ? await tokens.readRefresh(cookie) : undefined
      if (!read?.ok) return undefined
      const { sessionId } = read.claims
      return (await endSession(db, sessionId)) ? sessionId : undefined
    },
  }
}

const openSession = async (
  tx: Db,
  user: UserRow,
  client: RequestClient & { seconds?: number },
  proof: SignInProof,
): Promise<string> => {
  checkEnabled(user)
  const { id: userId } = user
  const sessionId = Bun.randomUUIDv7()
  await lockSessionStarts(tx, userId)
  await insertSession(tx, {
    id: sessionId,
    userId,
    ip: client.ip,
    userAgent: client.userAgent,
    ...(await signInOf(tx, proof)),
    expiresAt: new Date(Date.now() + (client.seconds ?? REFRESH_TOKEN_SECONDS) * 1000),
  })
  await recordAudit(tx, { userId, action: 'session.started', subject: sessionId, ip: client.ip })
  await deleteLongEndedSessions(tx, userId)
  const details = { reason: 'one_too_many' }
  for (const subject of await revokeIdlest(tx, userId, {
    exceptId: sessionId,
    max: MAX_SESSIONS,
  }))
    await recordAudit(tx, { userId, action: 'session.ended', subject, details })
  return sessionId
}

/** The organizations whose policies the sign-in does not meet. */
const listRefusals = async (
  tx: Db,
  userId: string,
  proof: SignInProof,
): Promise<OrgPolicyRefusal[]> => {
  const held = await listMemberPolicies(tx, userId)
  if (held.length === 0) return []
  const signIn = await signInOf(tx, proof)
  const session = { kind: 'session', signedInAt: new Date(), scopes: null, ...signIn } as const
  return held.flatMap(({ org, ...facts }) => {
    const missing = shortfallOf(facts, session)
    return missing.length ? [refusalOf(org, missing)] : []
  })
}

const signInOf = async (tx: Db, proof: SignInProof): Promise<SessionSignIn> => {
  if ('method' in proof) return { secondFactor: null, ...proof }
  const passed = proof.sessionId ? await findSignIn(tx, proof.sessionId) : undefined
  return passed ?? { method: null, secondFactor: null }
}

const endSession = async (tx: Db, sessionId: string): Promise<boolean> => {
  const ended = await revokeSession(tx, sessionId)
  if (ended)
    await recordAudit(tx, { userId: ended.userId, action: 'session.ended', subject: ended.id })
  return ended !== undefined
}

const advanceSession = async (
  db: Db,
  { sessionId, generation }: RefreshClaims,
  graceSeconds: number | null,
): Promise<SessionRow | undefined> => {
  const session = await advanceGeneration(db, sessionId, generation, graceSeconds)
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
