import type { Context } from '../../context.ts'
import type { CliProfile } from '../../credentials.ts'
import { oneLine } from '../../output.ts'
import { revokeAccess } from '../../session.ts'
import { loginWithDevice } from './device.ts'
import { loginWithToken } from './token.ts'

interface LoginArgs {
  browser: boolean
  withToken?: boolean
}

/** Signs in a profile, and revokes its previous access. */
export const runLogin = async (context: Context, args: LoginArgs): Promise<void> => {
  const { io, credentials, profileName, url } = context
  io.willPrint(['profile', 'url', 'email'])
  // Finds file errors before the server issues a key.
  await credentials.exclusively(() => credentials.read(profileName))
  const profile = args.withToken
    ? await loginWithToken(context)
    : await loginWithDevice(context, args.browser)
  const previous = await store(context, profile)
  if (previous && previous.api_key !== profile.api_key)
    await revokeAccess(context, previous).catch(() => {})
  if (context.json) io.printJson({ profile: profileName, url, email: profile.email })
  io.info(`Signed in to ${url} as ${oneLine(profile.email)}.`)
  if (context.environment.apiKey)
    io.message('SVC_API_KEY is set and takes precedence. Unset it to use this sign-in.')
}

const store = ({ credentials, profileName }: Context, profile: CliProfile) =>
  credentials.exclusively(() => {
    const previous = credentials.read(profileName)
    credentials.write(profileName, profile)
    return previous
  })
