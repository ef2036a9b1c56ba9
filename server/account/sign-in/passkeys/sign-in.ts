import { Value } from '@sinclair/typebox/value'
import {
  signInWithPasskey,
  startPasskeySignIn,
  verifyPasskey,
} from '../../../../shared/contract/index.ts'
import {
  AuthenticationResponse,
  type PasskeySignIn,
  type VerifyPasskey,
} from '../../../../shared/contract/passkeys.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { defineLimit, type Limiter, MINUTE_SECONDS } from '../../../platform/http/limits.ts'
import type { Mount } from '../../../platform/http/route.ts'
import type { SessionService, SignedIn } from '../../access/sessions/service.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { lockForSignIn } from '../../users/store.ts'
import type { SignInGuard } from '../guard/service.ts'
import type { Challenge, ChallengeService } from '../mfa/challenges.ts'
import type { Assertion, PasskeyCeremonies } from './ceremonies.ts'
import { passkeyError } from './errors.ts'
import { advancePasskey, consumePasskeyChallenge, findPasskeyByCredential } from './store.ts'
import type { PasskeyRow } from './table.ts'

/** A signature cannot be guessed: the limit bounds the work. */
export const passkeySignInLimit = defineLimit({
  name: 'passkey_sign_ins',
  per: 'address',
  points: 60,
  windowSeconds: MINUTE_SECONDS,
  exceeded: 'Too many sign-ins with a passkey',
})

interface PasskeySignInDeps {
  database: Database
  ceremonies: PasskeyCeremonies
  sessions: Pick<SessionService, 'start'>
  challenges: Pick<ChallengeService, 'attempt' | 'finish' | 'bind'>
  guard: Pick<SignInGuard, 'clear'>
  limiter: Limiter
}

/** Signs users in by a passkey: alone, or as the second factor after a password. */
export type PasskeySignInService = ReturnType<typeof createPasskeySignInService>

export const createPasskeySignInService = (deps: PasskeySignInDeps) => {
  const { ceremonies, sessions, challenges, guard, limiter } = deps
  const { db } = deps.database

  const verifyResponse = async (response: AuthenticationResponse, client: RequestClient) => {
    await limiter.consume(passkeySignInLimit, client.ip)
    const passkey = await findPasskeyByCredential(db, response.id)
    if (!passkey) throw passkeyError('passkey_refused')
    return { passkey, assertion: await ceremonies.verifySignIn(passkey, response) }
  }

  /** Locks the user, consumes the signed challenge and that of the sign-in, and starts the session. */
  const complete = async (
    { passkey, assertion }: { passkey: PasskeyRow; assertion: Assertion },
    client: RequestClient,
    challenge?: Challenge,
  ): Promise<SignedIn> => {
    const signedIn = await db.transaction(async (tx) => {
      const user = await lockForSignIn(tx, passkey.userId)
      const { id, expiresAt } = assertion.challenge
      if (!user || !(await consumePasskeyChallenge(tx, id, expiresAt)))
        throw passkeyError('passkey_refused')
      if (!(await advancePasskey(tx, passkey.id, assertion))) return undefined
      const start = (method: string | null) =>
        sessions.start(tx, user, client, { method, secondFactor: 'passkey' })
      if (!challenge) return start('passkey')
      await challenges.finish(tx, challenge)
      await guard.clear(user.email, tx)
      const started = await start(challenge.method)
      await challenges.bind(tx, challenge, started.sessionId)
      return started
    })
    if (signedIn) return signedIn
    await recordAudit(db, {
      userId: passkey.userId,
      action: 'passkey.copied',
      subject: passkey.id,
      ip: client.ip,
      details: { name: passkey.name },
    })
    throw passkeyError('passkey_copied')
  }

  return {
    /** @returns undefined when the server has no host name, which passkeys need. */
    pageOptions: (): PasskeySignIn['options'] | undefined =>
      ceremonies.isAvailable ? ceremonies.signInOptions() : undefined,

    /** @throws ApiError 409 when the server has no host name. */
    start: (): PasskeySignIn => ({ options: ceremonies.signInOptions() }),

    /**
     * @throws ApiError 401 for a passkey that is unknown, not correctly signed, or copied; 403 for a
     * disabled user, 429 for too many attempts of an address.
     */
    async signIn(response: AuthenticationResponse, client: RequestClient): Promise<SignedIn> {
      return complete(await verifyResponse(response, client), client)
    },

    /**
     * Completes a sign-in that waits for its second factor.
     * @throws ApiError as `signIn` does, and 401 for a partial token that has ended and for a passkey of
     * another account.
     */
    async verify(
      { partial_token, response }: VerifyPasskey,
      client: RequestClient,
    ): Promise<SignedIn> {
      const challenge = await challenges.attempt(partial_token)
      const verified = await verifyResponse(response, client)
      if (verified.passkey.userId !== challenge.userId) throw passkeyError('passkey_refused')
      return complete(verified, client, challenge)
    },
  }
}

/**
 * Reads the response of an authenticator from the field of a form.
 * @throws ApiError 401 for a text that is no response.
 */
export const readPasskeyResponse = (field: string | null): AuthenticationResponse => {
  let response: unknown
  try {
    response = JSON.parse(field ?? '')
  } catch (cause) {
    throw passkeyError('passkey_refused', cause)
  }
  if (!Value.Check(AuthenticationResponse, response)) throw passkeyError('passkey_refused')
  return response
}

export const passkeySignInRoutes = (mount: Mount, service: PasskeySignInService): void => {
  mount(startPasskeySignIn, () => service.start())
  mount(signInWithPasskey, async ({ body, client, refreshCookie }) => {
    const { response, refreshToken } = await service.signIn(body.response, client)
    refreshCookie.set(refreshToken)
    return response
  })
  mount(verifyPasskey, async ({ body, client, refreshCookie }) => {
    const { response, refreshToken } = await service.verify(body, client)
    refreshCookie.set(refreshToken)
    return response
  })
}
