import type { Database, Db } from '../../../platform/db/database.ts'
import type { Fetcher } from '../../../platform/fetch/fetcher.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { commonError } from '../../../platform/http/error.ts'
import { DAY_SECONDS, defineLimit, type Limiter } from '../../../platform/http/limits.ts'
import type { RequestClient } from '../../../platform/http/route.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import { lockMembership } from '../../organizations/membership.ts'
import { recordAudit } from '../../users/audit/store.ts'
import { parseOrgId } from '../caller.ts'
import { createClientFinder } from './clients.ts'
import { OAuthError } from './errors.ts'
import {
  type AuthorizationRequest,
  type RequestFields,
  readAuthorizationRequest,
  readChallenge,
} from './request.ts'
import { insertCode, listMemberships, touchClient } from './store.ts'

export const authorizedAppLimit = defineLimit({
  name: 'authorized_apps',
  per: 'user',
  points: 100,
  windowSeconds: DAY_SECONDS,
  exceeded: 'Daily limit of authorized apps reached',
})

const CODE_SECONDS = 60

/** An authorization request that waits for the user's decision. */
export interface ConsentRequest extends AuthorizationRequest {
  /** The organizations of the user, in which the client could act. */
  orgs: { id: string; name: string }[]
  /** A mistake in the request that only the client can correct. */
  fault: OAuthError | undefined
}

interface ConsentDeps {
  database: Database
  fetcher: Fetcher
  limiter: Limiter
  issuer: string
  /** The URL of the MCP endpoint. */
  resource: string
}

/** The authorization endpoint: a user authorizes or denies an OAuth client. */
export interface ConsentService {
  /** @throws ApiError 400 for an unknown client or a redirect URI that is not the client's. */
  find(caller: Caller, fields: RequestFields): Promise<ConsentRequest>

  /** @returns the URL that reports a fault to the client. */
  faultUrl(request: AuthorizationRequest, error: OAuthError): string

  /**
   * @returns the URL that reports the decision to the client.
   * @throws ApiError as `find` does, 403 for an organization that the user is not a member of, 429 for
   * too many authorized apps in a day.
   */
  decide(
    caller: Caller,
    fields: RequestFields,
    decision: { approve: boolean; orgId: string | null },
    client: RequestClient,
  ): Promise<string>
}

export const createConsentService = (deps: ConsentDeps): ConsentService => {
  const { limiter, issuer, resource } = deps
  const { db } = deps.database
  const clients = createClientFinder(deps.database, deps)

  return {
    async find(caller, fields) {
      return {
        ...(await readAuthorizationRequest(fields, clients, caller.userId)),
        orgs: await listMemberships(db, caller.userId),
        fault: faultOf(() => readChallenge(fields, resource)),
      }
    },

    faultUrl: (request, { code, message }) =>
      redirectUrl(issuer, request, { error: code, error_description: message }),

    async decide(caller, fields, { approve, orgId }, { ip }) {
      const { userId } = caller
      const request = await readAuthorizationRequest(fields, clients, userId)
      const codeChallenge = readChallenge(fields, resource)
      if (approve) await limiter.consume(authorizedAppLimit, userId)
      const code = approve && (await issueCode(db, caller, request, { codeChallenge, orgId }))
      await recordAudit(db, {
        userId,
        action: approve ? 'oauth_client.authorized' : 'oauth_client.denied',
        subject: request.client.id,
        ip,
        details: { name: request.client.name },
      })
      return redirectUrl(issuer, request, code ? { code } : { error: 'access_denied' })
    },
  }
}

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

/** @throws ApiError 401 without a session, 403 for an organization that the user is not a member of. */
const issueCode = async (
  db: Db,
  { userId, sessionId }: Caller,
  { client, redirectUri }: AuthorizationRequest,
  { codeChallenge, orgId }: { codeChallenge: string; orgId: string | null },
): Promise<string> => {
  if (!sessionId) throw commonError('bad_credentials')
  const code = createSecret()
  if (orgId !== null && parseOrgId(orgId) === null) throw commonError('not_org_member')
  await db.transaction(async (tx) => {
    if (orgId) await lockMembership(tx, userId, orgId)
    await insertCode(tx, {
      codeHash: hashSecret(code),
      userId,
      sessionId,
      orgId,
      clientId: client.id,
      clientName: client.name,
      redirectUri,
      codeChallenge,
      expiresAt: new Date(Date.now() + CODE_SECONDS * 1000),
    })
    if (client.site === null) await touchClient(tx, client.id)
  })
  return code
}

const faultOf = (check: () => unknown): OAuthError | undefined => {
  try {
    check()
    return undefined
  } catch (error) {
    if (error instanceof OAuthError) return error
    throw error
  }
}
