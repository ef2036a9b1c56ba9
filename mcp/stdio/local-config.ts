import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

/*
 * The rules for the settings that the terminal and the stdio MCP server share: defaults, file
 * locations, formats, and which key goes to which server. Both report errors in their own words.
 */

export const DEFAULT_URL = 'http://localhost:3000'
export const DEFAULT_PROFILE = 'default'

type Env = Readonly<Record<string, string | undefined>>

/** The directory of the credentials and settings files. An empty variable counts as unset. */
export const configDirectory = (env: Env): string =>
  env.SVC_CONFIG_DIR
    ? resolve(env.SVC_CONFIG_DIR)
    : join(env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config'), 'svc')

export const credentialsPath = (directory: string): string => join(directory, 'credentials.json')

/** HTTP headers carry visible ASCII only. */
export const isApiKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

/** @returns undefined unless the text is an http or https URL. */
export const parseHttpUrl = (text: string): URL | undefined => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url && /^https?:$/.test(url.protocol) ? url : undefined
}

export const isProfileName = (text: string): boolean =>
  /^[A-Za-z0-9][\w.-]{0,63}$/.test(text) && text !== '__proto__'

/** The fields of a stored sign-in that every reader needs. */
export interface StoredSignIn {
  url: string
  api_key: string
}

export const isStoredKey = (value: unknown): value is StoredSignIn => {
  const { url, api_key } = (value ?? {}) as Record<string, unknown>
  return typeof url === 'string' && typeof api_key === 'string'
}

/** @returns undefined if the text is not a credentials file. */
export const parseCredentials = <T>(
  text: string,
  isProfile: (value: unknown) => value is T,
): Record<string, T> | undefined => {
  try {
    const { profiles } = JSON.parse(text) as { profiles: Record<string, T> }
    return Object.values(profiles).every(isProfile) ? profiles : undefined
  } catch {
    return undefined
  }
}

interface ChosenKey {
  key: string
  source: 'environment' | 'profile'
}

/** SVC_API_KEY takes precedence. A stored key is sent only to the server that issued it. */
export const chooseKey = (
  environmentKey: string | undefined,
  stored: StoredSignIn | undefined,
  url: string,
): ChosenKey | undefined => {
  if (environmentKey) return { key: environmentKey, source: 'environment' }
  return stored?.url === url ? { key: stored.api_key, source: 'profile' } : undefined
}

/** The arguments of `svc` that sign in to a server and profile. */
export const loginArguments = (url: string, profile: string): string =>
  [
    'login',
    ...(url === DEFAULT_URL ? [] : ['--url', url]),
    ...(profile === DEFAULT_PROFILE ? [] : ['--profile', profile]),
  ].join(' ')
