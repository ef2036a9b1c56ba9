import type { ScopeMode } from '../../../shared/schemas/memory.ts'
import type { Caller } from '../../platform/http/caller.ts'

/** Memories that are looked through together. */
export interface Tier {
  ownerId: string
  /** Only those of this agent; null: of none; undefined: of any. */
  agentSlug: string | null | undefined
}

/** Of two tiers the first gets this share where the other has enough. */
const FIRST_SHARE = 0.5

type Asker = Pick<Caller, 'userId' | 'ownerId' | 'isForOrg'>

/**
 * Whose memories somebody asks for, the nearest first (design: scopes). Without a scope those of the
 * person, or of the organization they act in. A key of an organization reaches the person's in none.
 */
export const tiersOf = (
  { userId, ownerId, isForOrg }: Asker,
  scope: ScopeMode | null | undefined,
  agentSlug: string | null | undefined,
): Tier[] => {
  const ofAgent = agentSlug ? [{ ownerId, agentSlug }] : []
  const own = isForOrg ? [] : [userId]
  const shared = ownerId === userId ? [] : [ownerId]
  switch (scope) {
    case 'agent':
      return ofAgent
    case 'personal':
      return own.map((owner) => ({ ownerId: owner, agentSlug: null }))
    case 'org':
      return shared.map((owner) => ({ ownerId: owner, agentSlug: undefined }))
    case 'all':
      return [...own, ...shared].map((owner) => ({ ownerId: owner, agentSlug: undefined }))
    case 'tiered':
      return [
        ...ofAgent,
        ...[...own, ...shared].map((owner) => ({ ownerId: owner, agentSlug: null })),
      ]
    default:
      return [{ ownerId, agentSlug: agentSlug ?? undefined }]
  }
}

/** The best of what each tier gave: each in its turn where they go in order, else by their scores. */
export const bestOf = <T extends { score: number }>(
  scope: ScopeMode | null | undefined,
  tiers: T[][],
  limit: number,
): T[] =>
  scope === 'tiered'
    ? inTurn(tiers, limit)
    : tiers
        .flat()
        .sort((one, other) => other.score - one.score)
        .slice(0, limit)

const inTurn = <T>([first = [], ...others]: T[][], limit: number): T[] => {
  if (others.length === 0) return first.slice(0, limit)
  const rest = inTurn(others, limit)
  const own = first.slice(0, Math.max(Math.ceil(limit * FIRST_SHARE), limit - rest.length))
  return [...own, ...rest.slice(0, limit - own.length)]
}
