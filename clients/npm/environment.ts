import { withScheme } from '../../shared/server-url.ts'
import type { ClientOptions } from './options.ts'
import { isBrowser } from './session.ts'

const DEFAULT_URL = 'http://localhost:3000'

type Variables = Readonly<Record<string, string | undefined>>

/** None in a browser, where bundlers replace some variables by their values. */
const environment = (): Variables => {
  const { process } = globalThis as { process?: { env?: Variables } }
  return (isBrowser() ? undefined : process?.env) ?? {}
}

/**
 * The options with the address and the key of the environment. `SVC_API_KEY` is the key of the server of `SVC_URL`: a
 * client with another address or a sign-in does not send it.
 * @throws TypeError if there is no HTTP URL, or no header can hold the key.
 */
export const withEnvironment = (options: ClientOptions): ClientOptions & { baseUrl: string } => {
  const env = environment()
  const isOther = options.baseUrl ?? options.accessToken ?? options.refreshToken
  const apiKey = (options.apiKey ?? (isOther === undefined ? env.SVC_API_KEY : undefined))?.trim()
  // The error of `fetch` would show the key.
  if (apiKey && !/^[!-~]+$/.test(apiKey))
    throw new TypeError('apiKey has a character that no credential has')
  const fallback = isBrowser() ? undefined : withScheme(env.SVC_URL?.trim() || DEFAULT_URL)
  const baseUrl = options.baseUrl ?? fallback
  if (baseUrl === undefined) throw new TypeError('baseUrl is missing')
  // `localhost:3000` is a URL too, of the scheme `localhost`.
  if (!['http:', 'https:'].includes(new URL(baseUrl).protocol))
    throw new TypeError(`baseUrl must begin with http:// or https://: ${baseUrl}`)
  return { ...options, baseUrl, apiKey: apiKey || undefined }
}
