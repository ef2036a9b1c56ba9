import type { AppScope } from '../../../../shared/contract/app-scopes.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { commonError } from '../../../platform/http/error.ts'
import { DAY_SECONDS, defineLimit, type Limiter } from '../../../platform/http/limits.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { type AppRequest, decideOnApp } from './authorization.ts'
import { type ClientFinder, isRegisteredId } from './clients.ts'
import { issueCode } from './codes.ts'
import { findConsent } from './consent-store.ts'
import { OAuthError } from './errors.ts'
import type { FindOpenId } from './openid.ts'
import {
  type AuthorizationRequest,
  type RequestDetails,
  type RequestFields,
  readAuthorizationRequest,
  readDetails,
  SIGN_IN_AGAIN,
} from './request.ts'
import type { Resources } from './scopes.ts'
import { findSignIn, listMemberships } from './store.ts'
import type { OAuthConsentRow } from './table.ts'

export const authorizedAppLimit = defineLimit({
  name: 'authorized_apps',
  per: 'user',
  points: 100,
  windowSeconds: DAY_SECONDS,
  exceeded: 'Daily limit of authorized apps reached',
})

/** An authorization request that waits for the user's decision. */
export interface ConsentRequest extends AuthorizationRequest {
  /** The scopes that an app requests; null for the MCP endpoint. */
  scopes: AppScope[] | null
  /** The organizations of the user, in which the client may act. */
  orgs: { id: string; name: string }[]
  /** The earlier decision of the user. */
  consent: OAuthConsentRow | undefined
}

/** The next step of the authorization endpoint. */
export type ConsentStep =
  | { kind: 'redirect'; url: string }
  /** The user signs in again; the fields are those of the request after that. */
  | { kind: 'sign_in'; fields: RequestFields }
  | { kind: 'ask'; request: ConsentRequest }
  /** The request is invalid. The URL reports it to the client. */
  | { kind: 'fault'; request: AuthorizationRequest; error: OAuthError; url: string }

interface ConsentDeps {
  database: Database
  clients: ClientFinder
  limiter: Limiter
  openId: FindOpenId
  issuer: string
  resources: Resources
}

/** The authorization endpoint: a user authorizes or denies an OAuth client. */
export type ConsentService = ReturnType<typeof createConsentService>

export const createConsentService = (deps: ConsentDeps) => {
  const { clients, limiter, issuer, resources } = deps
  const { db } = deps.database
  const nextOfApp = createNextOfApp(deps)

  return {
    /** @throws ApiError 400 for an unknown client or a redirect URI that is not the client's. */
    async next(caller: Caller, fields: RequestFields): Promise<ConsentStep> {
      const request = await readAuthorizationRequest(fields, clients, caller.userId)
      const details = attempt(() => readDetails(fields, request.client, resources))
      if (details instanceof OAuthError) return report(issuer, request, details, false)
      const { scopes } = details
      if (scopes) return nextOfApp(caller, fields, { ...request, ...details, scopes })
      const orgs = await listMemberships(db, caller.userId, request.client.id)
      return { kind: 'ask', request: { ...request, scopes, orgs, consent: undefined } }
    },

    /**
     * A user who is not signed in sees the sign-in page, unless an app of the server wants no page.
     * @returns the URL that reports this to the app, or undefined.
     * @throws ApiError as `next`.
     */
    async signedOutUrl(fields: RequestFields): Promise<string | undefined> {
      const { prompt = '', client_id = '' } = fields
      if (!prompt.split(' ').includes('none') || !isRegisteredId(client_id)) return undefined
      // A registered client needs no document, which is fetched for a user.
      const request = await readAuthorizationRequest(fields, clients, '')
      if (request.client.kind !== 'managed') return undefined
      const details = attempt(() => readDetails(fields, request.client, resources))
      return faultUrl(
        issuer,
        request,
        details instanceof OAuthError
          ? details
          : new OAuthError('login_required', 'The user is not signed in'),
      )
    },

    /**
     * @returns the URL that reports the decision to the client.
     * @throws ApiError as `next` does, 403 for an organization that the user is not a member of or that does
     * not allow the client, 429 for too many authorized apps in a day.
     */
    async decide(
      caller: Caller,
      fields: RequestFields,
      {
        approve,
        orgId,
        granted,
      }: { approve: boolean; orgId: string | null; granted: readonly string[] },
      { ip }: RequestClient,
    ): Promise<string> {
      const { userId } = caller
      const request = await readAuthorizationRequest(fields, clients, userId)
      const details = readDetails(fields, request.client, resources)
      const scopes = agreedScopes(details, granted)
      const isAllowed = approve && scopes?.length !== 0
      if (isAllowed) await limiter.consume(authorizedAppLimit, userId)
      const code =
        isAllowed && (await issueCode(db, caller, { ...request, ...details }, { orgId, scopes }))
      await recordAudit(db, {
        userId,
        action: code ? 'oauth_client.authorized' : 'oauth_client.denied',
        subject: request.client.id,
        ip,
        orgId: orgId ?? null,
        details: {
          name: request.client.name,
          ...(code && scopes && { scopes: scopes.join(' ') }),
        },
      })
      return redirectUrl(issuer, request, code ? { code } : { error: 'access_denied' })
    },
  }
}

const faultUrl = (
  issuer: string,
  request: AuthorizationRequest,
  { code, message }: OAuthError,
): string => redirectUrl(issuer, request, { error: code, error_description: message })

/** Redirects without a page lead only to clients of an admin, and to those that the user knows. */
const report = (
  issuer: string,
  request: AuthorizationRequest,
  error: OAuthError,
  isKnown: boolean,
): ConsentStep => {
  const url = faultUrl(issuer, request, error)
  return request.client.kind === 'managed' || isKnown
    ? { kind: 'redirect', url }
    : { kind: 'fault', request, error, url }
}

/** Decides about the request of an app of the server, which may need a sign-in or an agreement first. */
const createNextOfApp =
  ({ database: { db }, issuer, openId }: Pick<ConsentDeps, 'database' | 'issuer' | 'openId'>) =>
  async (caller: Caller, fields: RequestFields, request: AppRequest): Promise<ConsentStep> => {
    const { userId, sessionId } = caller
    const signedInAt = sessionId && (await findSignIn(db, sessionId))
    if (!signedInAt) throw commonError('bad_credentials')
    const consent = await findConsent(db, userId, request.client.id)
    const isKnown = consent !== undefined
    const { id_token_hint, [SIGN_IN_AGAIN]: again } = fields
    const hint = id_token_hint === undefined ? undefined : await openId()?.readHint(id_token_hint)
    if (id_token_hint !== undefined && hint?.clientId !== request.client.id) {
      const error = new OAuthError(
        'invalid_request',
        'id_token_hint is not an ID token of the client',
      )
      return report(issuer, request, error, isKnown)
    }
    const orgs = await listMemberships(db, userId, request.client.id)
    const decision = decideOnApp(request, {
      signInAge: (Date.now() - signedInAt.getTime()) / 1000,
      hasSignedInAgain: again !== undefined && again !== sessionId,
      isOtherUser: hint !== undefined && hint.userId !== userId,
      consent,
      orgIds: orgs.map(({ id }) => id),
      activeOrgId: caller.me.org?.id ?? null,
    })
    if (decision.kind === 'refused') return report(issuer, request, decision.error, isKnown)
    if (decision.kind === 'sign_in')
      return { kind: 'sign_in', fields: { ...fields, [SIGN_IN_AGAIN]: sessionId } }
    if (decision.kind === 'ask') return { kind: 'ask', request: { ...request, orgs, consent } }
    const code = await issueCode(db, caller, request, decision.agreement)
    return { kind: 'redirect', url: redirectUrl(issuer, request, { code }) }
  }

/** The scopes that the user agreed to. To sign in at all means `openid`. */
const agreedScopes = ({ scopes }: RequestDetails, granted: readonly string[]): AppScope[] | null =>
  scopes?.filter((scope) => scope === 'openid' || granted.includes(scope)) ?? null

/** The redirect URI with the response parameters, always with the issuer (RFC 9207). */
const redirectUrl = (
  issuer: string,
  { redirectUri, state }: AuthorizationRequest,
  response: Record<string, string>,
): string => {
  const url = new URL(redirectUri)
  const parameters = { ...response, ...(state && { state }), iss: issuer }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return url.href
}

/** @returns the result, or the error for the client. */
const attempt = <T>(check: () => T): T | OAuthError => {
  try {
    return check()
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}
