import type { IdentityConflict } from '../../../shared/contract/identity.ts'
import { createChangeTest } from './change.ts'
import { isCompatible } from './compatibility.ts'
import type { Statement } from './store.ts'

/** The statements of one value, whatever its case of letters, in chronological order. */
type Claim = [Statement, ...Statement[]]

/** Incompatible values of one key in current memories, none of which reports a change. */
interface Conflict {
  key: string
  /** The claim with the latest statement is last. */
  claims: Claim[]
}

/** Bounds the pairwise comparison of values. */
const MAX_CLAIMS = 50

/** @param statements in chronological order. */
export const findConflicts = (statements: Statement[]): Conflict[] =>
  [...Map.groupBy(statements, ({ key }) => key)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, ofKey]) => ({ key, claims: openClaims(ofKey) }))
    .filter(({ claims }) => areIncompatible(claims))

const latest = (claim: Claim): Statement => claim.at(-1) as Statement
const isSameText = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const areIncompatible = (claims: Claim[]): boolean =>
  claims.some(([one], index) =>
    claims.slice(0, index).some(([other]) => !isCompatible(one.key, one.value, other.value)),
  )

/** The current claims without those that a later statement, current or not, reports a change from. */
const openClaims = (statements: Statement[]): Claim[] => {
  let claims: Claim[] = []
  for (const statement of lastPerMemory(statements)) {
    const isPast = createChangeTest(statement)
    claims = claims.filter((claim) => !isPast(latest(claim)))
    if (!statement.isCurrent) continue
    const claim = claims.find(([{ value }]) => isSameText(value, statement.value))
    claims = claims.filter((other) => other !== claim).slice(1 - MAX_CLAIMS)
    claims.push(claim ? [...claim, statement] : [statement])
  }
  return claims
}

/** Of several values in one memory the last counts. */
const lastPerMemory = (statements: Statement[]): Statement[] => {
  const last = new Map(statements.map((statement) => [statement.memoryId, statement]))
  return statements.filter((statement) => last.get(statement.memoryId) === statement)
}

/** The incompatible values, each with its latest statement, the latest first. */
export const presentConflict = ({ key, claims }: Conflict): IdentityConflict => {
  const values: Statement[] = []
  const parties = claims.filter((claim) => claims.some((other) => areIncompatible([claim, other])))
  for (const claim of parties.toReversed())
    if (!values.some(({ value }) => isCompatible(key, value, claim[0].value)))
      values.push(latest(claim))
  const byStart = claims.toSorted(([one], [other]) => one.at.getTime() - other.at.getTime())
  const contradiction = byStart.findIndex((_, index) =>
    areIncompatible(byStart.slice(0, index + 1)),
  )
  return {
    anchor_key: key,
    values: values.map(({ value, memoryId, quote, at }) => ({
      value,
      memory_id: memoryId,
      quote,
      at: at.toISOString(),
    })),
    since: (byStart[contradiction] as Claim)[0].at.toISOString(),
  }
}

/** The statement of the chosen value, if a memory has it, and the statements to supersede. */
export interface ConflictChoice {
  winner: Statement | undefined
  losers: Statement[]
}

export const applyChoice = ({ key, claims }: Conflict, chosen: string): ConflictChoice => {
  const match =
    claims.find(([{ value }]) => isSameText(value, chosen)) ??
    claims.findLast(([{ value }]) => isCompatible(key, value, chosen))
  const value = match?.[0].value ?? chosen
  const compatible = claims.filter((claim) => isCompatible(key, claim[0].value, value))
  // "Lisbon" is compatible with Lisbon, Portugal and with Lisbon, Iowa, which contradict each other.
  const kept = areIncompatible(compatible) ? [match] : compatible
  return {
    winner: match && latest(match),
    losers: claims.filter((claim) => !kept.includes(claim)).flat(),
  }
}
