import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import {
  type Connection,
  ConnectionError,
  DEFAULT_PROFILE,
  DEFAULT_URL,
} from './stdio/connection.ts'

type Env = Readonly<Record<string, string | undefined>>

/** What `svc login` writes, as far as it matters here. */
const Credentials = Type.Object({
  profiles: Type.Record(Type.String(), Type.Object({ url: Type.String(), api_key: Type.String() })),
})

/**
 * The server to speak to and the key to speak with: the environment before the stored profile.
 * Read for each call, so that a `svc login` after the start is picked up.
 * @throws ConnectionError when a variable or the credentials file cannot be used.
 */
export const readConnection = (env: Env = process.env): Connection => {
  const profile = env.SVC_PROFILE || DEFAULT_PROFILE
  const file = credentialsFile(env)
  const stored = readProfile(file, profile)
  const home = stored && readUrl(stored.url, file)
  const url = env.SVC_URL ? readUrl(env.SVC_URL, 'SVC_URL') : (home ?? DEFAULT_URL)
  const given = env.SVC_API_KEY?.trim()
  if (given) return { url, profile, apiKey: readKey(given, 'SVC_API_KEY'), keyFrom: 'environment' }
  // A stored key goes to the server that it was made by and to no other.
  const apiKey = stored && home === url ? readKey(stored.api_key, file) : undefined
  return { url, profile, apiKey, keyFrom: 'profile' }
}

const credentialsFile = (env: Env): string => {
  const configHome = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config')
  return join(env.SVC_CONFIG_DIR || join(configHome, 'svc'), 'credentials.json')
}

const readProfile = (file: string, name: string) => {
  const { profiles } = readCredentials(file)
  return Object.hasOwn(profiles, name) ? profiles[name] : undefined
}

const readCredentials = (file: string): Static<typeof Credentials> => {
  try {
    return Value.Decode(Credentials, JSON.parse(readFileSync(file, 'utf8')))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { profiles: {} }
    throw new ConnectionError(`${file} cannot be read as credentials`, { cause })
  }
}

const readUrl = (text: string, where: string): string => {
  const url = URL.parse(text)
  if (url && /^https?:$/.test(url.protocol)) return url.origin
  throw new ConnectionError(`${where} does not hold an address such as ${DEFAULT_URL}`)
}

/** A key goes into a header, which takes visible ASCII alone. The message does not repeat it. */
const readKey = (text: string, where: string): string => {
  if (/^[\x21-\x7e]+$/.test(text)) return text
  throw new ConnectionError(`${where} does not hold an API key, which starts with svc_`)
}
