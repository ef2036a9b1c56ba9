import type { ScopeMode } from '../../../shared/contract/recall.ts'
import { type ReadableOwner, type ReaderKind, readableOwners, type WalledCaller } from '../wall.ts'

/** Memories that are searched and ranked together. */
interface RecallScope {
  ownerId: ReadableOwner
  /** Only memories of this agent; null: only those without an agent; undefined: all. */
  agentSlug: string | null | undefined
}

/** The memories that a recall is about, and who gets them. */
interface RecallSelection {
  reader: ReaderKind
  mode: ScopeMode | null | undefined
  agentSlug: string | null | undefined
}

/** The first of two scopes gets this share of the results where the other has enough. */
const FIRST_SHARE = 0.5

/** The scopes that a mode stands for, nearest first, among those that the reader may have. */
export const recallScopes = (
  caller: WalledCaller,
  { reader, mode, agentSlug }: RecallSelection,
): RecallScope[] => {
  const owners = readableOwners(caller, reader)
  const agent = agentSlug ? [{ ownerId: owners.context, agentSlug }] : []
  const personal = owners.personal ? [owners.personal] : []
  const organization = owners.organization ? [owners.organization] : []
  switch (mode) {
    case 'agent':
      return agent
    case 'personal':
      return personal.map((owner) => ({ ownerId: owner, agentSlug: null }))
    case 'org':
      return organization.map((owner) => ({ ownerId: owner, agentSlug: undefined }))
    case 'all':
      return [...personal, ...organization].map((owner) => ({
        ownerId: owner,
        agentSlug: undefined,
      }))
    case 'tiered':
      return [
        ...agent,
        ...[...personal, ...organization].map((owner) => ({ ownerId: owner, agentSlug: null })),
      ]
    default:
      return [{ ownerId: owners.context, agentSlug: agentSlug ?? undefined }]
  }
}

/** The best results of all scopes: scope by scope for `tiered`, otherwise by score. */
export const mergeScopes = <T extends { score: number }>(
  mode: ScopeMode | null | undefined,
  results: T[][],
  limit: number,
): T[] =>
  mode === 'tiered'
    ? mergeTiers(results, limit)
    : results
        .flat()
        .sort((one, other) => other.score - one.score)
        .slice(0, limit)

const mergeTiers = <T>([first = [], ...others]: T[][], limit: number): T[] => {
  if (others.length === 0) return first.slice(0, limit)
  const rest = mergeTiers(others, limit)
  const own = first.slice(0, Math.max(Math.ceil(limit * FIRST_SHARE), limit - rest.length))
  return [...own, ...rest.slice(0, limit - own.length)]
}
