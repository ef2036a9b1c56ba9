import { ApiFailure, type Client } from '../shared/client.ts'
import { revokeKey } from '../shared/contract/keys.ts'
import { refresh, signOut } from '../shared/contract/sessions.ts'
import { type Context, loginCommand, notSignedInError } from './context.ts'
import type { CliProfile } from './credentials.ts'
import { CliError } from './errors.ts'

/**
 * A client with a new access token of the stored session. The rotated refresh token is stored before
 * the client is used, because the old one no longer works.
 * @throws CliError if there is only an API key, or the session has ended.
 */
export const sessionClient = async (context: Context): Promise<Client> => {
  const { credentials, profileName } = context
  if (context.credential?.source.kind === 'environment')
    throw needsSessionError(context, 'Unset SVC_API_KEY and run')
  const access = await credentials.exclusively(async () => {
    const profile = credentials.read(profileName)
    if (profile?.url !== context.url) return undefined
    if (!profile.refresh_token) throw needsSessionError(context, 'Run')
    return refreshProfile(context, profile, profile.refresh_token)
  })
  if (!access) throw notSignedInError(context)
  return context.connect({ credential: access })
}

const refreshProfile = async (context: Context, profile: CliProfile, refreshToken: string) => {
  const { credentials, profileName } = context
  const client = context.connect({
    refreshToken,
    timeoutMs: 10_000,
    onRefreshToken: (token) => credentials.write(profileName, { ...profile, refresh_token: token }),
  })
  const { access_token } = await client.call(refresh)
  return access_token
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
