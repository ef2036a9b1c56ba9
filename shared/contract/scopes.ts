import { type Static, Type } from '@sinclair/typebox'
import { OneOf } from './common.ts'
import type { Endpoint } from './endpoint.ts'

/** The parts of the API that a credential may use. `account` includes `account:read`. */
export const SCOPES = [
  'memory:read',
  'memory:write',
  'chat',
  'account:read',
  'account',
  'admin',
] as const
export type Scope = (typeof SCOPES)[number]

/** The limits of a credential in a response; absent where it has none. */
export const limits = {
  scopes: Type.Optional(
    Type.Array(OneOf(SCOPES), {
      description:
        'Everything that it may do; absent: all. Empty where the key that created it lost all that it had.',
    }),
  ),
  paused: Type.Optional(
    Type.Boolean({ description: 'Whether its requests are refused until it is resumed.' }),
  ),
}

export const Scopes = (options = {}) =>
  Type.Array(
    OneOf(SCOPES, {
      description:
        '`memory:read`, `memory:write`: the memories; `chat`: conversations, agents, files, messages and shares, which read and write memories themselves; `account:read`, `account`: the profile, organizations, billing, reflexes, devices and email; `admin`: the server, for admins.',
    }),
    { minItems: 1, maxItems: SCOPES.length, uniqueItems: true, ...options },
  )
export type Scopes = Static<ReturnType<typeof Scopes>>

type Area = 'memory' | 'chat' | 'account' | 'admin'

/** The area of the endpoints with a tag. Another tag is of the account. */
const AREAS: Readonly<Record<string, Area>> = {
  Memory: 'memory',
  Capture: 'memory',
  Identity: 'memory',
  Introspection: 'memory',
  Proactive: 'memory',
  Activity: 'memory',
  Conversation: 'chat',
  'Chat sessions': 'chat',
  Agents: 'chat',
  Files: 'chat',
  'Direct messages': 'chat',
  Shares: 'chat',
  Models: 'chat',
  Admin: 'admin',
}

/** Endpoints whose method or tag says something else. Undefined: each credential may use it. */
const EXCEPTIONS: Readonly<Record<string, Scope | undefined>> = {
  // Every credential may see what it is, and end itself.
  me: undefined,
  currentUser: undefined,
  revokeKey: undefined,
  // They narrow the caller itself.
  delegateKey: undefined,
  recall: 'memory:read',
  context: 'memory:read',
  // An assistant does not decide what is recorded of it.
  setActivitySettings: 'account',
  // A device writes an observation; a reflex may send memories elsewhere, so it is of the account.
  sendSignal: 'memory:write',
}

/** The scope that an endpoint requires; undefined for none. */
export const scopeOf = ({
  name,
  tag,
  method,
}: Pick<Endpoint, 'name' | 'tag' | 'method'>): Scope | undefined => {
  if (Object.hasOwn(EXCEPTIONS, name)) return EXCEPTIONS[name]
  const area = AREAS[tag] ?? 'account'
  if (area === 'chat' || area === 'admin') return area
  if (method === 'GET') return `${area}:read`
  return area === 'memory' ? 'memory:write' : 'account'
}

/** The tags of the endpoints of `chat` by which a user reaches other people. */
const TAGS_OF_OTHERS: readonly string[] = ['Direct messages', 'Shares']

/** Whether a request changes what other people get to see. */
export const reachesOthers = ({ tag, method }: Pick<Endpoint, 'tag' | 'method'>): boolean =>
  method !== 'GET' && TAGS_OF_OTHERS.includes(tag)

/** Whether a credential with these scopes has one; null: it has all. */
export const hasScope = (scopes: readonly Scope[] | null | undefined, scope: Scope): boolean =>
  !scopes || scopes.includes(scope) || (scope === 'account:read' && scopes.includes('account'))

/** Whether `scopes` allow nothing that `outer` does not. */
export const isWithinScopes = (
  scopes: readonly Scope[] | null,
  outer: readonly Scope[] | null,
): boolean => !outer || (scopes?.every((scope) => hasScope(outer, scope)) ?? false)
