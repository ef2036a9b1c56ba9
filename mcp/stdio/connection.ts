import { type Client, createClient } from '../../shared/client.ts'

export const DEFAULT_URL = 'http://localhost:3000'
export const DEFAULT_PROFILE = 'default'

/** Where the service is, and the key to call it with. */
export interface Connection {
  /** The server's origin, for example `http://localhost:3000`. */
  url: string
  /** The profile that a login would write. */
  profile: string
  apiKey: string | undefined
  /** Where the key comes from: SVC_API_KEY or the profile. */
  keyFrom: 'environment' | 'profile'
}

/** There is no telling which server or key to use; the message says what is wrong. */
export class ConnectionError extends Error {
  override name = 'ConnectionError'
}

/** No key is known for the server. */
export class NoKey extends Error {
  override name = 'NoKey'
}

/** @throws NoKey when there is no key: no tool works without one. */
export const openClient = (
  { url, apiKey }: Connection,
  settings: { timeoutMs?: number } = {},
): Client => {
  if (!apiKey) throw new NoKey(`No API key for ${url}`)
  return createClient({ baseUrl: url, credential: apiKey, userAgent: 'svc-mcp', ...settings })
}
