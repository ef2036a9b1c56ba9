import type { Context } from '../../context.ts'
import type { Profile } from '../../credentials.ts'
import { oneLine } from '../../output.ts'
import { endAccess } from '../../session.ts'
import { loginWithDevice } from './device.ts'
import { loginWithToken } from './token.ts'

export interface LoginArgs {
  browser: boolean
  withToken?: boolean
}

/** Signs a profile in, and takes back the access that it had before. */
export const login = async (context: Context, args: LoginArgs): Promise<void> => {
  const { io, credentials, profileName, url } = context
  // A directory or file that cannot be used is better found now than with a fresh key in hand.
  await credentials.exclusively(() => credentials.read(profileName))
  const profile = args.withToken
    ? await loginWithToken(context)
    : await loginWithDevice(context, args.browser)
  const previous = await store(context, profile)
  if (previous && previous.api_key !== profile.api_key)
    await endAccess(context, previous).catch(() => {})
  if (context.json) io.printJson({ profile: profileName, url, email: profile.email })
  io.note(`Signed in to ${url} as ${oneLine(profile.email)}.`)
  if (context.environment.apiKey)
    io.say('SVC_API_KEY is set and takes precedence: unset it to use this sign-in.')
}

const store = ({ credentials, profileName }: Context, profile: Profile) =>
  credentials.exclusively(() => {
    const previous = credentials.read(profileName)
    credentials.write(profileName, profile)
    return previous
  })
