import { me } from '../../shared/contract/account.ts'
import { type Context, type Origin, signedIn } from '../context.ts'
import { oneLine } from '../output.ts'

const kinds = { api_key: 'API key', jwt: 'access token' } as const

/** Who is signed in, where, by which credential, and where each of these was found. */
export const whoami = async (context: Context): Promise<void> => {
  const { io, url, credential, from, profileName, org } = context
  const caller = await signedIn(context).call(me)
  if (context.json)
    return io.printJson({
      ...{ ...caller, url, url_from: from.url },
      ...{ profile: profileName, profile_from: from.profile },
      ...{ credential_from: credential?.from, org_from: org === undefined ? null : from.org },
    })
  const lines = [
    ['server', `${url} (${sourceOf(from.url)})`],
    ['profile', `${profileName} (${sourceOf(from.profile)})`],
    [
      'credential',
      `${kinds[caller.credential]} from ${credential?.from.kind} ${credential?.from.name}`,
    ],
    ['tier', caller.tier],
    ...(caller.org
      ? [['organization', organization(caller.org, org === undefined ? undefined : from.org)]]
      : []),
  ]
  const shown = lines.map(([name = '', value = '']) => `  ${name.padEnd(14)}${oneLine(value)}`)
  io.print([oneLine(caller.email), ...shown].join('\n'))
}

const organization = ({ name, role }: { name: string; role: string }, from?: Origin): string =>
  `${name}, as ${role}${from ? ` (${sourceOf(from)})` : ''}`

const sourceOf = (origin: Origin): string => {
  if (origin === 'default') return 'by default'
  return origin === 'profile' ? 'from the profile' : `from ${origin}`
}
