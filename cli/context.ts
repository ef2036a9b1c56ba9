import {
  chooseKey,
  DEFAULT_PROFILE,
  DEFAULT_URL,
  loginArguments,
} from '../mcp/stdio/local-config.ts'
import { type Client, createClient } from '../shared/client.ts'
import { openOutages } from './assistants/outages.ts'
import type { CliEnvironment } from './config.ts'
import { type CliProfile, openCredentials } from './credentials.ts'
import { CliError } from './errors.ts'
import type { Io } from './output.ts'
import { withKnownFields, withRecovery, withSpinner, withTrace } from './requests.ts'
import {
  openProfilesFile,
  type ProfilesFile,
  parseApiKey,
  parseProfileName,
  parseServerUrl,
  type StoredProfiles,
  settingsForProfile,
} from './settings.ts'

/** The options of every command. */
export interface GlobalOptions {
  url?: string
  profile?: string
  org?: string
  /** Also set for `--jq` and `--template`. */
  json?: boolean
  jq?: string
  template?: string
  quiet?: boolean
  debug?: boolean
  /** False for `--no-color`. */
  color?: boolean
  /** False for `--no-pager`. */
  pager?: boolean
}

interface Credential {
  key: string
  source: { kind: 'environment'; name: 'SVC_API_KEY' } | { kind: 'profile'; name: string }
}

/** The source of a setting: an option, a variable, a file or the default. */
export type SettingSource = `--${string}` | `SVC_${string}` | 'config' | 'profile' | 'default'

/** The resolved settings and tools of a command. */
export type Context = ReturnType<typeof createContext>

/**
 * Resolves each setting in this order: option, variable, stored setting, default.
 * @throws CliError for an invalid value, or if a needed file is damaged.
 */
export const createContext = (options: GlobalOptions, environment: CliEnvironment, io: Io) => {
  const credentials = openCredentials(environment.configDir)
  const settings = openProfilesFile(environment.configDir)
  const hasUrl = (options.url ?? environment.url) !== undefined
  const needsFiles = !hasUrl || environment.apiKey === undefined
  const stored = readSettings(settings, needsFiles)
  const profileSetting = firstDefined<string>(
    ['--profile', options.profile],
    ['SVC_PROFILE', environment.profile],
    ['config', stored.profile],
    ['default', DEFAULT_PROFILE],
  )
  const profileName = parseProfileName(profileSetting.value)
  /** The settings of the profile in config.json. */
  const storedSettings = settingsForProfile(stored, profileName)
  /** The stored sign-in at the start. It is not read if URL and key come from options or variables. */
  const profile = needsFiles ? credentials.read(profileName) : undefined
  const urlSetting = firstDefined<string>(
    ['--url', options.url],
    ['SVC_URL', environment.url],
    ['config', storedSettings.url],
    ['profile', profile?.url],
    ['default', DEFAULT_URL],
  )
  /** The origin of the server. */
  const url = parseServerUrl(urlSetting.value, urlSetting.source)
  const org = firstDefined<string | undefined>(
    ['--org', options.org],
    ['config', storedSettings.org],
    ['default', undefined],
  )
  return {
    io,
    json: options.json ?? false,

    /** Whether requests are logged to stderr. */
    debug: options.debug ?? false,
    environment,
    credentials,
    settings,
    url,
    profileName,

    /** The id or name of the organization to act in. */
    org: org.value,
    sources: { url: urlSetting.source, profile: profileSetting.source, org: org.source },
    profile,
    storedSettings,

    /** Undefined if there is no key for this server. */
    credential: chooseCredential(environment.apiKey, profile, url, profileName),

    /** Creates a client without the default credential. */
    connect: (clientOptions?: Partial<Parameters<typeof createClient>[0]>): Client => {
      const outages = openOutages(environment.configDir, io.runtime.clock.now)
      const client = withRecovery(
        createClient({ baseUrl: url, userAgent: 'svc-cli', ...clientOptions }),
        () => outages.recover(url),
      )
      const traced = options.debug ? withTrace(client, io) : client
      return environment.color && options.color !== false ? withSpinner(traced, io) : traced
    },
  }
}

/** Containers may set everything by variables and have no usable directory for svc. */
const readSettings = (settings: ProfilesFile, isNeeded: boolean): StoredProfiles => {
  try {
    return settings.read()
  } catch (error) {
    if (isNeeded) throw error
    return { profiles: {} }
  }
}

/** The first choice with a value, or else the last one. */
const firstDefined = <T>(
  ...choices: [source: SettingSource, value: T | undefined][]
): { source: SettingSource; value: T } => {
  const [source, value] = choices.find(([, each]) => each !== undefined) ?? choices.at(-1) ?? []
  return { source: source ?? 'default', value: value as T }
}

const chooseCredential = (
  environmentKey: string | undefined,
  profile: CliProfile | undefined,
  url: string,
  profileName: string,
): Credential | undefined => {
  const chosen = chooseKey(environmentKey, profile, url)
  if (!chosen) return undefined
  return chosen.source === 'environment'
    ? {
        key: parseApiKey(chosen.key, 'SVC_API_KEY'),
        source: { kind: 'environment', name: 'SVC_API_KEY' },
      }
    : { key: chosen.key, source: { kind: 'profile', name: profileName } }
}

/**
 * A client with the credential and organization of the context.
 * @param timeoutMs until the response starts; default: the timeout of the client.
 * @throws CliError if there is no credential.
 */
export const signedInClient = (context: Context, timeoutMs?: number): Client => {
  if (!context.credential) throw notSignedInError(context)
  const options = { credential: context.credential.key, ...(timeoutMs && { timeoutMs }) }
  if (context.org === undefined) return withKnownFields(context.connect(options), context.io)
  let client: Promise<Client> | undefined
  const connect = async () => {
    const { resolveOrganizationId } = await import('./organization.ts')
    const orgId = await resolveOrganizationId(context.org, () =>
      context.connect({ credential: options.credential }),
    )
    return withKnownFields(context.connect({ ...options, orgId }), context.io)
  }
  return {
    async call(row, ...args) {
      client ??= connect()
      return (await client).call(row, ...args)
    },
  }
}

export const notSignedInError = (context: Context): CliError => {
  const { profile, profileName, url } = context
  const message = profile
    ? `Profile ${profileName} is signed in to ${profile.url}, not to ${url}.`
    : `Not signed in to ${url}.`
  return new CliError(message, `Run: ${loginCommand(context)}. Or set SVC_API_KEY to an API key.`, {
    kind: 'not_signed_in',
  })
}

/** The command that signs in to the server and profile of the context. */
export const loginCommand = ({ url, profileName }: Context): string =>
  `svc ${loginArguments(url, profileName)}`
