import { readFileSync } from 'node:fs'
import { type Client, type ClientOptions, createClient } from '../../shared/client.ts'
import { LOCKDOWN_TRUST, MCP_CHANNEL } from '../../shared/contract/common.ts'
import type { Trust } from '../../shared/contract/memories.ts'
import { withScheme } from '../../shared/server-url.ts'
import { addressOf } from '../../shared/urls.ts'
import {
  chooseKey,
  credentialsPath,
  DEFAULT_PROFILE,
  DEFAULT_URL,
  isApiKey,
  isStoredKey,
  parseCredentials,
  parseHttpUrl,
  type StoredSignIn,
} from './local-config.ts'

/** The server to call, and the API key. */
export interface ServerConnection {
  /** The origin, for example `http://localhost:3000`. */
  url: string
  /** The setting that chose the URL; SVC_URL if the profile or the default did. */
  urlSetting: string
  /** The profile that `svc login` writes to. */
  profile: string
  apiKey: string | undefined
  /** The trust of the memories that tools see. Default: all of them. */
  minTrust?: Trust
  /** The source of the key: SVC_API_KEY or the profile. */
  keyFrom: 'environment' | 'profile'
  /** The id or name of the organization to act in. Default: that of the key, or none. */
  org: Setting | undefined
}

/** A server URL or an organization, and the setting that it is from, which errors name. */
export interface Setting {
  text: string
  source: string
}

/** Settings from options, the environment or `svc config`. */
interface ConnectionSettings {
  url?: Setting | undefined
  org?: Setting | undefined
  profile?: string | undefined
  apiKey?: string | undefined
  configDirectory: string
}

/** A variable or the credentials file is invalid. The message names it. */
export class InvalidSettingsError extends Error {
  override name = 'InvalidSettingsError'
}

/** There is no API key for the server. */
export class MissingKeyError extends Error {
  override name = 'MissingKeyError'
}

/**
 * Chooses server and key. Explicit settings take precedence over the stored profile.
 * @throws InvalidSettingsError
 */
export const resolveConnection = (settings: ConnectionSettings): ServerConnection => {
  const profile = settings.profile || DEFAULT_PROFILE
  const file = credentialsPath(settings.configDirectory)
  const stored = readProfile(file, profile)
  const url = settings.url
    ? readOrigin(settings.url.text, settings.url.source)
    : (stored?.url ?? DEFAULT_URL)
  const chosen = chooseKey(settings.apiKey?.trim(), stored, url)
  const keyFrom = chosen?.source ?? 'profile'
  if (chosen && !isApiKey(chosen.key))
    throw new InvalidSettingsError(
      `${keyFrom === 'environment' ? 'SVC_API_KEY' : file} does not contain an API key, which starts with svc_`,
    )
  const urlSetting = settings.url?.source ?? 'SVC_URL'
  return { url, urlSetting, profile, apiKey: chosen?.key, keyFrom, org: settings.org }
}

const readProfile = (file: string, name: string): StoredSignIn | undefined => {
  const profiles = readCredentials(file)
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined
  return profile && { ...profile, url: readOrigin(profile.url, file) }
}

const readCredentials = (file: string): Record<string, StoredSignIn> => {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw unreadable(file, cause)
  }
  const profiles = parseCredentials(text, isStoredKey)
  if (!profiles) throw unreadable(file)
  return profiles
}

const unreadable = (file: string, cause?: unknown) =>
  new InvalidSettingsError(`${file} cannot be read as credentials`, { cause })

const readOrigin = (text: string, source: string): string => {
  const url = parseHttpUrl(withScheme(text))
  if (url) return addressOf(url.href)
  throw new InvalidSettingsError(`${source} does not contain a URL such as ${DEFAULT_URL}`)
}

/** @throws MissingKeyError */
export const openClient = (
  { url, apiKey, minTrust }: ServerConnection,
  options: Pick<ClientOptions, 'timeoutMs' | 'orgId'> = {},
): Client => {
  if (!apiKey) throw new MissingKeyError(`No API key for ${url}`)
  return createClient({
    baseUrl: url,
    credential: apiKey,
    userAgent: 'svc-mcp',
    channel: MCP_CHANNEL,
    minTrust,
    ...options,
  })
}

/** A connection whose tools see only memories of the user and of assistants, if that is asked for. */
export const inLockdown = (
  connection: ServerConnection,
  isLocked: boolean | undefined,
): ServerConnection => (isLocked ? { ...connection, minTrust: LOCKDOWN_TRUST } : connection)
