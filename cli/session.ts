import { ApiFailure, type Client } from '../shared/client.ts'
import { revokeKey } from '../shared/contract/keys.ts'
import { refresh, signOut } from '../shared/contract/sessions.ts'
import { type Context, loginCommand, notSignedInError, signedInClient } from './context.ts'
import type { CliProfile } from './credentials.ts'
import { CliError } from './errors.ts'
import { withKnownFields } from './requests.ts'

/**
 * A client with a new access token of the stored session.
 * @throws CliError if there is only an API key, or the session has ended.
 */
export const sessionClient = async (context: Context): Promise<Client> =>
  withKnownFields(context.connect({ credential: await newAccessToken(context) }), context.io)

/** A new access token of the stored session. */
export const newAccessToken = (context: Context): Promise<string> =>
  withRefreshToken(context, async (refreshToken, onRefreshToken) => {
    const client = context.connect({ refreshToken, timeoutMs: 10_000, onRefreshToken })
    return (await client.call(refresh)).access_token
  })

/**
 * Sends a request with the refresh token of the stored session. A rotated refresh token is stored
 * before the response is used, because the old one no longer works.
 * @throws CliError if there is only an API key.
 */
export const withRefreshToken = <T>(
  context: Context,
  send: (token: string, onRefreshToken: (token: string) => void) => Promise<T>,
): Promise<T> => {
  const { credentials, profileName } = context
  if (context.credential?.source.kind === 'environment')
    throw needsSessionError(context, 'Unset SVC_API_KEY and run')
  return credentials.exclusively(() => {
    const profile = credentials.read(profileName)
    if (profile?.url !== context.url) throw notSignedInError(context)
    if (!profile.refresh_token) throw needsSessionError(context, 'Run')
    return send(profile.refresh_token, (token) =>
      credentials.write(profileName, { ...profile, refresh_token: token }),
    )
  })
}

/** A client that uses the stored session for endpoints that refuse API keys, and the key otherwise. */
export const accountClient = (context: Context): Client => {
  let session: Promise<Client> | undefined
  return {
    async call(row, ...args) {
      if (row.credential === 'bearer') return signedInClient(context).call(row, ...args)
      session ??= sessionClient(context)
      return (await session).call(row, ...args)
    },
  }
}

const needsSessionError = (context: Context, action: string) =>
  new CliError(
    'An API key cannot manage the account. This requires a session.',
    `${action}: ${loginCommand(context)}`,
    { kind: 'not_signed_in' },
  )

/**
 * Revokes the session of a profile, and its key if `svc login` created it.
 * @throws ApiFailure or Unreachable
 */
export const revokeAccess = async (context: Context, profile: CliProfile): Promise<void> => {
  const server = { baseUrl: profile.url, timeoutMs: 10_000 }
  const { api_key, key_id, refresh_token } = profile
  const results = await Promise.allSettled([
    key_id &&
      context
        .connect({ ...server, credential: api_key })
        .call(revokeKey, { params: { key_id } })
        .catch(ignoreRevoked),
    refresh_token && context.connect({ ...server, refreshToken: refresh_token }).call(signOut),
  ])
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

/** A key that is rejected or not found is already revoked. */
const ignoreRevoked = (error: unknown) => {
  if (!(error instanceof ApiFailure && [401, 404].includes(error.status))) throw error
}
