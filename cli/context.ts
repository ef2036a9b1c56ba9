import { type Client, createClient } from '../shared/client.ts'
import { DEFAULT_PROFILE, DEFAULT_URL, readKey, readProfileName, readUrl } from './accepted.ts'
import type { Environment } from './config.ts'
import { type Credentials, openCredentials, type Profile } from './credentials.ts'
import { CliError } from './errors.ts'
import type { Io } from './output.ts'
import {
  openSettings,
  type Settings,
  type SettingsOfProfile,
  type StoredSettings,
  settingsOf,
} from './settings.ts'
import { traced } from './trace.ts'
import { waiting } from './waiting.ts'

/** The options that every command takes. */
export interface GlobalOptions {
  url?: string
  profile?: string
  org?: string
  json?: boolean
  quiet?: boolean
  debug?: boolean
  /** False for `--no-color`. */
  color?: boolean
}

export interface Credential {
  key: string
  from: { kind: 'environment'; name: 'SVC_API_KEY' } | { kind: 'profile'; name: string }
}

/** Where a setting was found: an option, a variable, a file, or nowhere. */
export type Origin = `--${string}` | `SVC_${string}` | 'config' | 'profile' | 'default'

/** What a command works with. */
export interface Context {
  io: Io
  json: boolean
  environment: Environment
  credentials: Credentials
  settings: Settings
  /** The server's origin. */
  url: string
  profileName: string
  /** The organization to act in, by its id or its name. */
  org: string | undefined
  from: { url: Origin; profile: Origin; org: Origin }
  /** As it was when the command began; not read where the URL and the key are given. */
  profile: Profile | undefined
  /** What was settled for the profile. */
  settled: SettingsOfProfile
  /** What requests are signed with; absent when nobody is signed in to this server. */
  credential: Credential | undefined
  /** A client with other credentials than the usual ones. */
  connect(options?: Partial<Parameters<typeof createClient>[0]>): Client
}

/**
 * Settles each setting: flag over environment over what is stored over default. A stored key goes
 * to the server that it was made by and to no other.
 * @throws CliError for a wrong value, or when the stored profile is needed and damaged.
 */
export const createContext = (
  options: GlobalOptions,
  environment: Environment,
  io: Io,
): Context => {
  const credentials = openCredentials(environment.configDir)
  const settings = openSettings(environment.configDir)
  const given = options.url ?? environment.url
  const needed = given === undefined || environment.apiKey === undefined
  const stored = readSettings(settings, needed)
  const named = pick<string>(
    ['--profile', options.profile],
    ['SVC_PROFILE', environment.profile],
    ['config', stored.profile],
    ['default', DEFAULT_PROFILE],
  )
  const profileName = readProfileName(named.value)
  const settled = settingsOf(stored, profileName)
  const profile = needed ? credentials.read(profileName) : undefined
  const at = pick<string>(
    ['--url', options.url],
    ['SVC_URL', environment.url],
    ['config', settled.url],
    ['profile', profile?.url],
    ['default', DEFAULT_URL],
  )
  const url = readUrl(at.value, at.from)
  const org = pick<string | undefined>(
    ['--org', options.org],
    ['config', settled.org],
    ['default', undefined],
  )
  return {
    io,
    json: options.json ?? false,
    environment,
    credentials,
    settings,
    url,
    profileName,
    org: org.value,
    from: { url: at.from, profile: named.from, org: org.from },
    profile,
    settled,
    credential: chooseCredential(environment.apiKey, profile, url, profileName),
    connect: (other) => {
      const client = createClient({ baseUrl: url, userAgent: 'svc-cli', ...other })
      const told = options.debug ? traced(client, io) : client
      return environment.color && options.color !== false ? waiting(told, io) : told
    },
  }
}

/** Where the environment says it all, as in a container, there need not be a directory for svc. */
const readSettings = (settings: Settings, needed: boolean): StoredSettings => {
  try {
    return settings.read()
  } catch (error) {
    if (needed) throw error
    return { profiles: {} }
  }
}

/** The first that was given. The last is given always. */
const pick = <T>(
  ...choices: [from: Origin, value: T | undefined][]
): { from: Origin; value: T } => {
  const [from, value] = choices.find(([, each]) => each !== undefined) ?? choices.at(-1) ?? []
  return { from: from ?? 'default', value: value as T }
}

const chooseCredential = (
  apiKey: string | undefined,
  profile: Profile | undefined,
  url: string,
  profileName: string,
): Credential | undefined => {
  if (apiKey !== undefined)
    return {
      key: readKey(apiKey, 'SVC_API_KEY'),
      from: { kind: 'environment', name: 'SVC_API_KEY' },
    }
  if (profile?.url !== url) return undefined
  return { key: profile.api_key, from: { kind: 'profile', name: profileName } }
}

/**
 * The client that signs with the credential in force, and acts in the organization in force.
 * @param timeoutMs how long the first of an answer may take, if not as long as usual.
 * @throws CliError when there is no credential.
 */
export const signedIn = (context: Context, timeoutMs?: number): Client => {
  if (!context.credential) throw notSignedIn(context)
  const options = { credential: context.credential.key, ...(timeoutMs && { timeoutMs }) }
  if (context.org === undefined) return context.connect(options)
  let client: Promise<Client> | undefined
  const find = async () => {
    const { organizationId } = await import('./organization.ts')
    return context.connect({ ...options, orgId: await organizationId(context) })
  }
  return {
    async call(row, ...args) {
      client ??= find()
      return (await client).call(row, ...args)
    },
  }
}

const notSignedIn = (context: Context) => {
  const { profile, profileName, url } = context
  const message = profile
    ? `Profile ${profileName} is signed in to ${profile.url}, not to ${url}.`
    : `Not signed in to ${url}.`
  return new CliError(message, `Run: ${loginCommand(context)}`, { kind: 'not_signed_in' })
}

/** The command that signs in to the server and profile in force. */
export const loginCommand = ({ url, profileName }: Context): string =>
  [
    'svc login',
    url !== DEFAULT_URL && `--url ${url}`,
    profileName !== DEFAULT_PROFILE && `--profile ${profileName}`,
  ]
    .filter(Boolean)
    .join(' ')
