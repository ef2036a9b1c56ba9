import { backchannelLogout } from '../../../../shared/contract/index.ts'
import { budgets } from '../../../platform/budgets.ts'
import { ApiError } from '../../../platform/http/error.ts'
import type { MountRaw, RawCall } from '../../../platform/http/mounts.ts'
import type { Log } from '../../../platform/log.ts'
import { oauthSignInError } from './errors.ts'
import type { ProviderSessionService } from './provider-sessions.ts'
import type { Providers } from './providers/index.ts'
import { LogoutTokenError } from './providers/openid-tokens.ts'

interface BackchannelLogoutDeps {
  /** The current providers of the configuration. */
  providers: () => Providers
  providerSessions: Pick<ProviderSessionService, 'end'>
  log: Log
}

/** The endpoint that OpenID providers call when a user signs out (OpenID Connect Back-Channel Logout 1.0). */
export const backchannelLogoutRoute = (mount: MountRaw, deps: BackchannelLogoutDeps): void => {
  const end = async (call: RawCall): Promise<void> => {
    const found = deps.providers().get(call.params.provider ?? '')
    if (!found?.openId) throw oauthSignInError('oauth_provider_unknown')
    const token = await readToken(call)
    const logout = await found.openId.readLogoutToken(token).catch((cause) => {
      if (cause instanceof LogoutTokenError) throw cause
      throw oauthSignInError('oauth_provider_unreachable', cause)
    })
    await deps.providerSessions.end(found.name, logout)
  }

  mount(backchannelLogout, async (call) => {
    try {
      await end(call)
      return respond({}, 200)
    } catch (error) {
      if (error instanceof LogoutTokenError) {
        deps.log.warn({ reason: error.message }, 'back-channel logout refused')
        return respond(oauthError('invalid_request', error.message), 400)
      }
      if (!(error instanceof ApiError) || typeof error.detail !== 'string') throw error
      if (error.status === 503) deps.log.warn({ cause: error.cause }, 'back-channel logout failed')
      const code = error.status === 503 ? 'temporarily_unavailable' : 'invalid_request'
      return respond(oauthError(code, error.detail), error.status)
    }
  })
}

const oauthError = (error: string, error_description: string) => ({ error, error_description })

const respond = (body: object, status: number): Response =>
  Response.json(body, { status, headers: { 'cache-control': 'no-store' } })

const readToken = async ({ request, text }: RawCall): Promise<string> => {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/x-www-form-urlencoded')
    throw new LogoutTokenError('Content-Type must be application/x-www-form-urlencoded')
  const [token, ...others] = new URLSearchParams(await text(budgets.oauthForm.bytes)).getAll(
    'logout_token',
  )
  if (!token || others.length) throw new LogoutTokenError('logout_token is missing or repeated')
  return token
}
