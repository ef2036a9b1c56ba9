import { chooseKey, DEFAULT_PROFILE, DEFAULT_URL } from '../../mcp/stdio/local-config.ts'
import { fetchPastProxy } from '../../shared/proxies.ts'
import { machineTimezone } from '../../shared/timezone.ts'
import { urlBelow } from '../../shared/urls.ts'
import type { CliEnvironment } from '../config.ts'
import { openCredentials } from '../credentials.ts'
import { openProfilesFile, parseServerUrl, settingsForProfile } from '../settings.ts'
import { Refusal } from './outages.ts'

/** Where a captured turn belongs. It is stored with a turn that waits. */
export interface TargetChoice {
  url?: string
  profile?: string
  /** The id or name of the organization. */
  org?: string
  /** The account of the profile. A turn is not sent to another one. */
  account?: string
}

export interface Target extends TargetChoice {
  url: string
  /** Undefined if there is no key for the server and the account. */
  key: string | undefined
}

/**
 * The server, the account and the key, by the rules of `createContext`. It loads no description of the API,
 * because an assistant waits for the hook.
 * @param choice that of a waiting turn; default: that of the settings.
 * @throws CliError for an invalid value, or if a needed file is damaged.
 */
export const resolveTarget = (environment: CliEnvironment, choice: TargetChoice = {}): Target => {
  const stored = openProfilesFile(environment.configDir).read()
  const profileName = choice.profile ?? environment.profile ?? stored.profile ?? DEFAULT_PROFILE
  const settings = settingsForProfile(stored, profileName)
  const profile = openCredentials(environment.configDir).read(profileName)
  const url = parseServerUrl(
    choice.url ?? environment.url ?? settings.url ?? profile?.url ?? DEFAULT_URL,
  )
  const org = choice.url === undefined ? settings.org : choice.org
  const chosen = chooseKey(environment.apiKey, profile, url)
  const account = chosen?.source === 'profile' ? profile?.email : undefined
  const isOther = choice.account && account && choice.account !== account
  return {
    url,
    profile: profileName,
    ...(org !== undefined && { org }),
    ...(account !== undefined && { account }),
    key: isOther ? undefined : chosen?.key,
  }
}

/** The statuses that pass: signed out, not allowed now, slow, too many requests. */
const PASSING = [401, 403, 408, 429]

/**
 * Posts JSON to the server. @throws Refusal for a status outside 2xx.
 */
export const post = async (
  target: Target,
  path: string,
  body: unknown,
  signal: AbortSignal,
): Promise<unknown> => {
  const { url, key } = target
  if (key === undefined) throw new Refusal(401, false, `Not signed in to ${url}`)
  const orgId = await organizationId(target, signal)
  const timezone = machineTimezone()
  const response = await fetchPastProxy(urlBelow(url, path), {
    method: 'POST',
    redirect: 'manual',
    signal,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'user-agent': 'svc-hook',
      ...(orgId && { 'x-org-id': orgId }),
      ...(timezone && { 'x-timezone': timezone }),
    },
    body: JSON.stringify(body),
  })
  const answer = parseJson(await response.text())
  if (response.ok && answer !== undefined) return answer
  throw await refusalOf(response.status, answer)
}

const refusalOf = async (status: number, answer: unknown): Promise<Refusal> => {
  const { describeFailure } = await import('../../shared/failure.ts')
  const detail = (answer as { detail?: unknown } | null | undefined)?.detail
  // A proxy in front of the server answers with its own page.
  const isFinal = status >= 400 && status < 500 && !PASSING.includes(status) && detail !== undefined
  return new Refusal(status, isFinal, describeFailure(status, detail))
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** An organization that the settings name is looked up. `svc orgs switch` stores its id. */
const organizationId = async (
  { org, url, key }: Target,
  signal: AbortSignal,
): Promise<string | undefined> => {
  if (org === undefined || UUID.test(org)) return org
  const [{ createClient }, { findItem }, { organizations }] = await Promise.all([
    import('../../shared/client.ts'),
    import('../ids.ts'),
    import('../organization.ts'),
  ])
  const client = createClient({
    baseUrl: url,
    credential: key,
    userAgent: 'svc-hook',
    fetch: (address, init) => fetchPastProxy(address, { ...init, signal }),
  })
  return (await findItem(client, organizations, org)).id
}
