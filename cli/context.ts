import { type Client, createClient } from '../shared/client.ts'
import type { Environment } from './config.ts'
import { type Credentials, openCredentials, type Profile } from './credentials.ts'
import { CliError } from './errors.ts'
import type { Io } from './output.ts'
import { traced } from './trace.ts'

export const DEFAULT_URL = 'http://localhost:3000'
export const DEFAULT_PROFILE = 'default'

/** The options that every command takes. */
export interface GlobalOptions {
  url?: string
  profile?: string
  json?: boolean
  debug?: boolean
}

export interface Credential {
  key: string
  from: { kind: 'environment'; name: 'SVC_API_KEY' } | { kind: 'profile'; name: string }
}

/** What a command works with. */
export interface Context {
  io: Io
  json: boolean
  environment: Environment
  credentials: Credentials
  /** The server's origin. */
  url: string
  profileName: string
  /** As it was when the command began; not read where the URL and the key are given. */
  profile: Profile | undefined
  /** What requests are signed with; absent when nobody is signed in to this server. */
  credential: Credential | undefined
  /** A client with other credentials than the usual ones. */
  connect(options?: Partial<Parameters<typeof createClient>[0]>): Client
}

/**
 * Settles each setting: flag over environment over stored profile over default. A stored key goes
 * to the server that it was made by and to no other.
 * @throws CliError for a wrong value, or when the stored profile is needed and damaged.
 */
export const createContext = (
  options: GlobalOptions,
  environment: Environment,
  io: Io,
): Context => {
  const credentials = openCredentials(environment.configDir)
  const profileName = readProfileName(options.profile ?? environment.profile ?? DEFAULT_PROFILE)
  const given = options.url ?? environment.url
  const needed = given === undefined || environment.apiKey === undefined
  const profile = needed ? credentials.read(profileName) : undefined
  const url = given === undefined ? (profile?.url ?? DEFAULT_URL) : readUrl(given)
  return {
    io,
    json: options.json ?? false,
    environment,
    credentials,
    url,
    profileName,
    profile,
    credential: chooseCredential(environment.apiKey, profile, url, profileName),
    connect: (other) => {
      const client = createClient({ baseUrl: url, userAgent: 'svc-cli', ...other })
      return options.debug ? traced(client, io) : client
    },
  }
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

/** The client that signs with the credential in force. @throws CliError when there is none. */
export const signedIn = (context: Context): Client => {
  if (!context.credential) throw notSignedIn(context)
  return context.connect({ credential: context.credential.key })
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

/** A key goes into a header, which takes visible ASCII alone. The message does not repeat it. */
export const readKey = (text: string, source: string): string => {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw usage(`${source} is not an API key.`, 'An API key starts with svc_. Run: svc login')
}

const readUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const bare =
    url && /^https?:$/.test(url.protocol) && !url.username && !url.password && url.pathname === '/'
  if (bare && !url.search && !url.hash) return url.origin
  throw usage('The URL of the server is not one.', `Give it as --url ${DEFAULT_URL}`)
}

const readProfileName = (text: string): string => {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(text)) return text
  throw usage(
    'The name of the profile will not do.',
    'Use letters, digits, dots, dashes and underscores: --profile work',
  )
}

const usage = (message: string, next: string) => new CliError(message, next, { kind: 'usage' })
