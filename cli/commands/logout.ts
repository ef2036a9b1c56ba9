import type { Context } from '../context.ts'
import { revokeAccess } from '../session.ts'

/** Revokes the access of the profile, and deletes it here even if the server cannot be reached. */
export const runLogout = async (context: Context): Promise<void> => {
  const { io, credentials, profileName } = context
  io.willPrint(['profile', 'url', 'removed', 'revoked'])
  const profile = await credentials.exclusively(() => {
    const stored = credentials.read(profileName)
    if (stored) credentials.write(profileName, undefined)
    return stored
  })
  const revoked = profile
    ? await revokeAccess(context, profile).then(
        () => true,
        () => false,
      )
    : false
  if (context.json)
    io.printJson({ profile: profileName, url: profile?.url ?? null, removed: !!profile, revoked })
  if (!profile) io.info(`Profile ${profileName} was not signed in.`)
  else io.info(`Signed out of ${profile.url}.`)
  if (profile && !revoked)
    io.message(
      `warning: ${profile.url} did not confirm the sign-out. The key may still be valid there.
When the server is available, run: svc login --url ${profile.url}, then: svc keys list, and revoke ${profile.key_id ?? 'the key'}`,
    )
  else if (profile && !profile.key_id)
    io.message(
      'The key came from --with-token and stays valid. To revoke it, run: svc login, then: svc keys list, and: svc keys revoke ID',
    )
  if (context.environment.apiKey) io.message('SVC_API_KEY is still set and still in use.')
}
