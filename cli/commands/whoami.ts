import { me } from '../../shared/contract/sessions.ts'
import { type Context, type SettingSource, signedInClient } from '../context.ts'
import { formatFields } from '../list.ts'
import { oneLine } from '../output.ts'

const kinds = { api_key: 'API key', jwt: 'access token' } as const

const PREFIX_CHARS = 8

/** Prints the signed-in account, and the sources of server, profile and credential. */
export const runWhoami = async (context: Context): Promise<void> => {
  const { io, url, credential, sources, profileName, org } = context
  const caller = await signedInClient(context).call(me)
  // The public prefix, as in `svc keys list`.
  const prefix =
    caller.credential === 'api_key' ? credential?.key.slice(0, PREFIX_CHARS) : undefined
  if (context.json)
    return io.printJson({
      ...caller,
      url,
      url_from: sources.url,
      profile: profileName,
      profile_from: sources.profile,
      key_prefix: prefix ?? null,
      credential_from: credential?.source,
      org_from: org === undefined ? null : sources.org,
    })
  const lines = formatFields({
    server: `${url} (${describeSource(sources.url)})`,
    profile: `${profileName} (${describeSource(sources.profile)})`,
    credential: `${kinds[caller.credential]}${prefix ? ` ${prefix}…` : ''} from ${credential?.source.kind} ${credential?.source.name}`,
    tier: caller.tier,
    organization:
      caller.org && organization(caller.org, org === undefined ? undefined : sources.org),
  })
  io.print([oneLine(caller.email), ...lines.map((line) => `  ${line}`)].join('\n'))
}

const organization = (
  { name, role }: { name: string; role: string },
  from?: SettingSource,
): string => `${name}, as ${role}${from ? ` (${describeSource(from)})` : ''}`

const describeSource = (origin: SettingSource): string => {
  if (origin === 'default') return 'by default'
  return origin === 'profile' ? 'from the profile' : `from ${origin}`
}
