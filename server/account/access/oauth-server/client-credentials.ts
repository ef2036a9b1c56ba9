import type { OAuthTokens } from '../../../../shared/contract/oauth-server.ts'
import type { Database } from '../../../platform/db/database.ts'
import type { RequestClient } from '../../../platform/http/context.ts'
import { ApiError } from '../../../platform/http/error.ts'
import { defineLimit, type Limiter, MINUTE_SECONDS } from '../../../platform/http/limits.ts'
import type { KeyService } from '../keys/service.ts'
import { isWellFormedKey } from '../keys/token.ts'
import { authenticateConfidential, invalidClient } from './client-authentication.ts'
import { OAuthError } from './errors.ts'
import type { TokenForm } from './forms.ts'
import { checkResource, MCP_SCOPE, type Resources } from './scopes.ts'
import { accessSeconds, type GrantTokens } from './tokens.ts'

/** Counts wrong secrets only, so that agents behind one address do not block each other. */
export const clientSecretLimit = defineLimit({
  name: 'client_secret',
  per: 'address',
  points: 10,
  windowSeconds: MINUTE_SECONDS,
  exceeded: 'Too many wrong client secrets',
})

/** Scopes that clients of the MCP endpoint request. A key has no refresh token, so `offline_access` is not granted. */
const ACCEPTED = new Set([MCP_SCOPE, 'offline_access'])

interface Deps {
  database: Database
  keys: Pick<KeyService, 'authenticate' | 'expiresAt'>
  limiter: Limiter
  tokens: Pick<GrantTokens, 'keyAccess'>
  resources: Resources
}

/** Whether an API key is the secret of the client. */
export const isKeyClient = ({ client_secret }: TokenForm): boolean =>
  client_secret !== undefined && isWellFormedKey(client_secret)

/**
 * Exchanges an API key for an access token of the MCP endpoint (RFC 6749, section 4.4; the extension
 * `io.modelcontextprotocol/oauth-client-credentials`): its id is the client id, and the key the secret. The
 * token acts as the key does, and each request checks the key: a token ends with it.
 * @throws OAuthError 401 for a wrong id or key, and for a key that is paused or not allowed from the address;
 * 400 for another resource or scope; 429 after too many wrong secrets.
 */
export const exchangeKey = async (
  { database, keys, limiter, tokens, resources }: Deps,
  form: TokenForm,
  client: RequestClient,
): Promise<OAuthTokens> => {
  checkResource(form.resource, resources.mcp)
  const words = (form.scope ?? '').split(' ').filter(Boolean)
  if (words.some((word) => !ACCEPTED.has(word)))
    throw new OAuthError('invalid_scope', `scope must be ${MCP_SCOPE}`)
  try {
    const { userId, keyId } = await authenticateKey({ database, keys }, form, client)
    const seconds = accessSeconds(await keys.expiresAt(keyId))
    return {
      access_token: await tokens.keyAccess({ userId, keyId, seconds }),
      token_type: 'Bearer',
      expires_in: seconds,
      scope: MCP_SCOPE,
    }
  } catch (error) {
    if (error instanceof ApiError && error.status === 401)
      await limiter.consume(clientSecretLimit, client.ip)
    throw error
  }
}

const authenticateKey = async (
  { database, keys }: Pick<Deps, 'database' | 'keys'>,
  form: TokenForm,
  client: RequestClient,
): Promise<{ userId: string; keyId: string }> => {
  if (!isKeyClient(form)) {
    // A registered app has users, who authorize it.
    await authenticateConfidential(database.db, form)
    throw new OAuthError('unauthorized_client', 'The client must use authorization_code')
  }
  const { userId, keyId } = await keys
    .authenticate(form.client_secret ?? '', null, () => client.ip)
    .catch((error: unknown) => {
      if (error instanceof ApiError && error.status < 500) throw invalidClient(error.message)
      throw error
    })
  if (!keyId || keyId !== form.client_id?.toLowerCase())
    throw invalidClient('The client id is not that of the API key')
  return { userId, keyId }
}
