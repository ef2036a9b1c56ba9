import type { OAuthProvider } from '../../../../shared/contract/oauth-sign-in.ts'
import type { SettingTest } from '../../../../shared/contract/server-settings.ts'
import {
  type ConfiguredProvider,
  createBuiltInProviders,
} from '../../../account/sign-in/oauth/providers/index.ts'
import type { OAuthProviderSettings } from '../../../account/sign-in/oauth/providers/provider.ts'
import { createSecret } from '../../../platform/secrets.ts'

export interface SignInConfig {
  oauth: Record<OAuthProvider, OAuthProviderSettings | undefined>
}

/** Asks each provider for tokens with a code that no user has: it first checks the id and the secret. */
export const testSignIn = async (
  { oauth }: SignInConfig,
  baseUrl: string,
  signal: AbortSignal,
): Promise<SettingTest[]> => {
  const providers = createBuiltInProviders(oauth)
  if (providers.length === 0)
    return [{ target: 'sign_in', ok: false, message: 'No sign-in provider is set.' }]
  return Promise.all(providers.map((each) => tryProvider(each, baseUrl, signal)))
}

const tryProvider = async (
  { name: target, provider }: ConfiguredProvider,
  baseUrl: string,
  signal: AbortSignal,
): Promise<SettingTest> => {
  const attempt = {
    redirectUri: `${baseUrl}/api/auth/oauth/${target}/callback`,
    state: createSecret(),
    nonce: createSecret(),
    verifier: createSecret(),
  }
  const timeout = Promise.withResolvers<never>()
  signal.addEventListener('abort', () => timeout.reject(signal.reason), { once: true })
  try {
    await Promise.race([
      provider.account(attempt, { code: createSecret(), iss: undefined }),
      timeout.promise,
    ])
    return { target, ok: false, message: 'The provider accepted a code that it never gave.' }
  } catch (error) {
    if (signal.aborted)
      return { target, ok: false, message: 'The provider did not answer in time.' }
    return { target, ...resultOf(error) }
  }
}

/** Codes of RFC 6749 (section 5.2) and of GitHub for a wrong id or secret, and for a wrong code. */
const CREDENTIALS_REFUSED = [
  'invalid_client',
  'unauthorized_client',
  'incorrect_client_credentials',
]
const CODE_REFUSED = ['invalid_grant', 'invalid_request', 'bad_verification_code']

interface Failure {
  error?: unknown
  status?: unknown
  body?: { error?: unknown }
  cause?: unknown
}

/** The error code that the provider sent. GitHub sends its codes with the status 200. */
const readFailure = (failure: unknown): { code?: string; status?: number } => {
  if (typeof failure !== 'object' || failure === null) return {}
  const { error, body, status, cause } = failure as Failure
  const code = error ?? body?.error
  if (typeof code === 'string') return { code, ...(typeof status === 'number' && { status }) }
  return readFailure(cause)
}

const resultOf = (error: unknown): Omit<SettingTest, 'target'> => {
  const { code, status } = readFailure(error)
  if (code && CODE_REFUSED.includes(code))
    return { ok: true, message: 'The provider accepted the client id and the secret.' }
  if (status === 401 || (code && CREDENTIALS_REFUSED.includes(code)))
    return { ok: false, message: 'The provider refused the client id or the secret.' }
  if (code === 'redirect_uri_mismatch')
    return { ok: false, message: 'The provider does not know the redirect URI of this server.' }
  return { ok: false, message: 'The provider cannot be reached, or sent no readable answer.' }
}
