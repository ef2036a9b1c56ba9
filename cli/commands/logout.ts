import type { Context } from '../context.ts'
import { endAccess } from '../session.ts'

/** Takes the profile's access back at its server, and forgets it here whatever the server says. */
export const logout = async (context: Context): Promise<void> => {
  const { io, credentials, profileName } = context
  const profile = await credentials.exclusively(() => {
    const stored = credentials.read(profileName)
    if (stored) credentials.write(profileName, undefined)
    return stored
  })
  const revoked = profile
    ? await endAccess(context, profile).then(
        () => true,
        () => false,
      )
    : false
  if (context.json)
    io.printJson({ profile: profileName, url: profile?.url ?? null, removed: !!profile, revoked })
  if (!profile) io.note(`Profile ${profileName} was not signed in.`)
  else io.note(`Signed out of ${profile.url}.`)
  if (profile && !revoked)
    io.say(
      `Warning: ${profile.url} did not confirm it, so the key may still be valid there.
When it answers again, run: svc login --url ${profile.url}, then: svc keys list, and revoke ${profile.key_id ?? 'it'}`,
    )
  else if (profile && !profile.key_id)
    io.say('The key was given by hand and stays valid; svc keys revoke ends it.')
  if (context.environment.apiKey) io.say('SVC_API_KEY is still set, and still used.')
}
