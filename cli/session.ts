import { ApiFailure, type Client } from '../shared/client.ts'
import { refresh, signOut } from '../shared/contract/account.ts'
import { revokeKey } from '../shared/contract/keys.ts'
import { type Context, loginCommand } from './context.ts'
import type { Profile } from './credentials.ts'
import { CliError } from './errors.ts'

/**
 * The client that signs with a fresh access token of the stored session, which can manage keys.
 * The session's successor token is stored before anything else happens: it is the only way back in.
 * @throws CliError when there is a key alone, or the session has ended.
 */
export const withSession = async (context: Context): Promise<Client> => {
  const { credentials, profileName } = context
  if (context.credential?.from.kind === 'environment')
    throw keyAlone(context, 'Unset SVC_API_KEY and run')
  const access = await credentials.exclusively(async () => {
    const profile = credentials.read(profileName)
    if (profile?.url !== context.url) return undefined
    if (!profile.refresh_token) throw keyAlone(context, 'Run')
    return refreshProfile(context, profile, profile.refresh_token)
  })
  if (!access)
    throw new CliError(`Not signed in to ${context.url}.`, `Run: ${loginCommand(context)}`, {
      kind: 'not_signed_in',
    })
  return context.connect({ credential: access })
}

const refreshProfile = async (context: Context, profile: Profile, refreshToken: string) => {
  const { credentials, profileName } = context
  const client = context.connect({
    refreshToken,
    timeoutMs: 10_000,
    onRefreshToken: (token) => credentials.write(profileName, { ...profile, refresh_token: token }),
  })
  const { access_token } = await client.call(refresh)
  return access_token
}

const keyAlone = (context: Context, lead: string) =>
  new CliError(
    'An API key alone cannot manage keys: that takes a signed-in session.',
    `${lead}: ${loginCommand(context)}`,
    { kind: 'not_signed_in' },
  )

/**
 * Takes a profile's access back at its server: the key, where it was made for the profile, and the
 * session.
 * @throws ApiFailure or Unreachable when that could not be done.
 */
export const endAccess = async (context: Context, profile: Profile): Promise<void> => {
  const at = { baseUrl: profile.url, timeoutMs: 10_000 }
  const { api_key, key_id, refresh_token } = profile
  const ends = await Promise.allSettled([
    key_id &&
      context
        .connect({ ...at, credential: api_key })
        .call(revokeKey, { params: { key_id } })
        .catch(unlessGone),
    refresh_token && context.connect({ ...at, refreshToken: refresh_token }).call(signOut),
  ])
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** A key that is refused or not there is revoked already. */
const unlessGone = (error: unknown) => {
  if (!(error instanceof ApiFailure && [401, 404].includes(error.status))) throw error
}
