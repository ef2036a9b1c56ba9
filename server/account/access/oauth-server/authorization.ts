import type { AppScope } from '../../../../shared/contract/app-scopes.ts'
import type { OAuthClient } from './clients.ts'
import { OAuthError, type OAuthErrorCode } from './errors.ts'
import type { AuthorizationRequest, RequestDetails } from './request.ts'
import type { OAuthConsentRow } from './table.ts'

/** An authorization request of an app. */
export interface AppRequest extends AuthorizationRequest, RequestDetails {
  scopes: AppScope[]
}

/** The state of the user and the app when the page is requested. */
export interface Circumstances {
  /** How long ago the user signed in, in seconds. */
  signInAge: number
  /** The user signed in again because the server asked for it. */
  hasSignedInAgain: boolean
  /** The user of the request's ID token, if it has one, is not the signed-in one. */
  isOtherUser: boolean
  consent: OAuthConsentRow | undefined
  /** The organizations in which the app may act for the user. */
  orgIds: readonly string[]
  /** The organization of the user's requests. */
  activeOrgId: string | null
}

/** The access that the app gets. */
export interface Agreement {
  orgId: string | null
  scopes: AppScope[]
}

export type Decision =
  | { kind: 'agreed'; agreement: Agreement }
  | { kind: 'ask' }
  | { kind: 'sign_in' }
  | { kind: 'refused'; error: OAuthError }

/** Decides whether an app gets a code without a page (OpenID Connect Core 1.0, section 3.1.2.3). */
export const decideOnApp = (request: AppRequest, state: Circumstances): Decision => {
  const isSilent = request.prompts.has('none')
  if (requiresSignIn(request, state))
    return isSilent || state.hasSignedInAgain
      ? refused('login_required', 'The user must sign in')
      : { kind: 'sign_in' }
  const agreement = request.prompts.has('consent') ? undefined : knownAgreement(request, state)
  if (agreement && !request.prompts.has('select_account')) return { kind: 'agreed', agreement }
  if (!isSilent) return { kind: 'ask' }
  return coversScopes(request, state.consent) && !isUsable(state.consent, state)
    ? refused('interaction_required', 'The user must choose whose memory the app uses')
    : refused('consent_required', 'The user must agree')
}

const requiresSignIn = (
  { prompts, maxAge }: AppRequest,
  { signInAge, hasSignedInAgain, isOtherUser }: Circumstances,
): boolean => {
  if (isOtherUser) return true
  const isOld = maxAge !== undefined && signInAge > maxAge
  return (prompts.has('login') || isOld) && !hasSignedInAgain
}

/** The access that the user agreed to before, or need not agree to. */
const knownAgreement = (request: AppRequest, state: Circumstances): Agreement | undefined => {
  const { client, scopes } = request
  const { consent, orgIds, activeOrgId } = state
  if (client.skipsConsent) {
    const orgId = consent ? consent.orgId : activeOrgId
    return { orgId: orgId !== null && orgIds.includes(orgId) ? orgId : null, scopes }
  }
  if (!consent || !isUsable(consent, state) || !coversScopes(request, consent)) return undefined
  if (!isProven(client, request.redirectUri)) return undefined
  return {
    orgId: consent.orgId,
    scopes: scopes.filter((scope) => consent.scopes.includes(scope)),
  }
}

/** Any app on a device can use the redirect URI of a public one there (RFC 8252, section 8.6). */
const isProven = ({ isConfidential }: OAuthClient, redirectUri: string): boolean =>
  isConfidential || redirectUri.startsWith('https:')

const coversScopes = ({ scopes }: AppRequest, consent: OAuthConsentRow | undefined): boolean =>
  consent !== undefined &&
  scopes.every((scope) => [...consent.scopes, ...consent.declinedScopes].includes(scope))

const isUsable = (
  consent: OAuthConsentRow | undefined,
  { orgIds }: Pick<Circumstances, 'orgIds'>,
): boolean => consent !== undefined && (consent.orgId === null || orgIds.includes(consent.orgId))

const refused = (code: OAuthErrorCode, description: string): Decision => ({
  kind: 'refused',
  error: new OAuthError(code, description),
})
