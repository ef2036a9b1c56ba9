import type { AppScope } from '../../../../shared/contract/app-scopes.ts'
import type { Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { commonError } from '../../../platform/http/error.ts'
import { createSecret, hashSecret } from '../../../platform/secrets.ts'
import { checkOrgPolicies } from '../../organizations/policies/check.ts'
import { parseOrgId } from '../caller.ts'
import { touchClient } from './client-store.ts'
import { findConsent, saveConsent } from './consent-store.ts'
import type { AuthorizationRequest, RequestDetails } from './request.ts'
import { insertCode, lockUse } from './store.ts'

const CODE_SECONDS = 60

interface CodeRequest extends AuthorizationRequest, RequestDetails {}

/**
 * Issues an authorization code, and stores what the user agreed that an app may do.
 * @param agreed the scopes of an app; null for the MCP endpoint.
 * @throws ApiError 401 without a session, 403 for an organization that the user is not a member of, that does
 * not allow the client, or whose policies the session falls short of.
 */
export const issueCode = async (
  db: Db,
  caller: Caller,
  request: CodeRequest,
  { orgId, scopes: agreed }: { orgId: string | null; scopes: AppScope[] | null },
): Promise<string> => {
  const { client, redirectUri, codeChallenge, nonce } = request
  const { userId, sessionId } = caller
  if (!sessionId) throw commonError('bad_credentials')
  if (orgId !== null && parseOrgId(orgId) === null) throw commonError('not_org_member')
  const code = createSecret()
  const use = { userId, orgId, clientId: client.id }
  await db.transaction(async (tx) => {
    if (!(await lockUse(tx, use))) throw commonError('not_org_member')
    if (orgId) await checkOrgPolicies(tx, caller, orgId)
    if (client.kind !== 'document') await touchClient(tx, client.id)
    await insertCode(tx, {
      ...use,
      codeHash: hashSecret(code),
      sessionId,
      clientName: client.name,
      redirectUri,
      codeChallenge,
      scopes: agreed,
      nonce,
      expiresAt: new Date(Date.now() + CODE_SECONDS * 1000),
    })
    if (agreed) await storeConsent(tx, use, request, agreed)
  })
  return code
}

/** Adds to an earlier consent for the same memory, and replaces one for another. */
const storeConsent = async (
  tx: Db,
  use: { userId: string; orgId: string | null; clientId: string },
  { client, scopes }: CodeRequest,
  agreed: AppScope[],
): Promise<void> => {
  const earlier = await findConsent(tx, use.userId, use.clientId)
  const kept = earlier?.orgId === use.orgId ? earlier : undefined
  const declined = (scopes ?? []).filter((scope) => !agreed.includes(scope))
  const all = new Set([...(kept?.scopes ?? []), ...agreed])
  const allDeclined = new Set([...(kept?.declinedScopes ?? []), ...declined])
  await saveConsent(tx, {
    id: Bun.randomUUIDv7(),
    ...use,
    clientName: client.name,
    scopes: [...all].filter((scope) => !declined.includes(scope)),
    declinedScopes: [...allDeclined].filter((scope) => !agreed.includes(scope)),
  })
}
