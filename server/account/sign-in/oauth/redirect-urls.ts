import type { AccountSignIn } from './account-sign-in.ts'
import type { FailureCode } from './errors.ts'
import type { ReturnTo } from './state.ts'

/** The place in the console where a connection starts and ends. */
export const consoleUrl = (baseUrl: string, query: Record<string, string>): string =>
  `${baseUrl}/app/settings/connections?${new URLSearchParams(query)}`

const callbackUrl = (baseUrl: string, { origin = baseUrl }: ReturnTo, query: object) =>
  `${origin}/auth/callback?${new URLSearchParams({ ...query })}`

export const successUrl = (baseUrl: string, returnTo: ReturnTo, signIn: AccountSignIn): string => {
  const { isNew, response } = signIn
  const isPending = 'mfa_required' in response
  const { userCode } = returnTo
  if (userCode !== undefined) {
    const query = new URLSearchParams({
      ...(userCode && { user_code: userCode }),
      ...(isPending && { partial_token: response.partial_token }),
    })
    return `${baseUrl}/api/auth/mcp/device?${query}`
  }
  const query = isPending
    ? { mfa_required: '1', partial_token: response.partial_token }
    : { token: response.access_token, new: isNew ? '1' : '0' }
  return callbackUrl(baseUrl, returnTo, query)
}

export const failureUrl = (baseUrl: string, returnTo: ReturnTo, error: FailureCode): string => {
  const { userCode, connectTo } = returnTo
  if (connectTo !== undefined) return consoleUrl(baseUrl, { error })
  const query = { error, ...(userCode !== undefined && { user_code: userCode }) }
  return callbackUrl(baseUrl, returnTo, query)
}
