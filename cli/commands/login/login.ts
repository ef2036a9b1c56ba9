import { ApiFailure } from '../../../shared/client.ts'
import { me } from '../../../shared/contract/sessions.ts'
import type { Context } from '../../context.ts'
import type { CliProfile } from '../../credentials.ts'
import { CliError, usageError } from '../../errors.ts'
import { readStdin } from '../../input.ts'
import { oneLine } from '../../output.ts'
import { revokeAccess } from '../../session.ts'
import { parseApiKey } from '../../settings.ts'
import { loginWithDevice } from './device.ts'

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

/** Reads an API key from stdin and verifies it. */
const loginWithToken = async ({ io, url, connect }: Context): Promise<CliProfile> => {
  if (io.stdinIsTerminal)
    throw usageError(
      'The key is read from a pipe or file, so that it is not visible on the terminal.',
      'Run: svc login --with-token < key.txt',
    )
  const key = parseApiKey((await readStdin(io.runtime)).trim(), 'The input')
  const client = connect({ credential: key })
  const { email } = await client.call(me).catch((cause) => {
    if (!(cause instanceof ApiFailure && cause.status === 401)) throw cause
    throw new CliError(`${url} rejected the API key.`, 'To get a valid one, run: svc login', {
      kind: 'not_signed_in',
      cause,
    })
  })
  return { url, api_key: key, email }
}
