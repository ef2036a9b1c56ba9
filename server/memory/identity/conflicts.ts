import type { IdentityConflict } from '../../../shared/schemas/identity.ts'
import { agree } from './agree.ts'
import { changesBy } from './change.ts'
import type { Saying } from './store.ts'

/** The same words for a value, said once or several times, the latest last. */
type Claim = [Saying, ...Saying[]]

/** Values of one key that memories hold, without agreeing and without telling of a change. */
export interface Conflict {
  key: string
  /** The latest last. */
  claims: Claim[]
}

/** Somebody may say anything of themselves; so many different values are compared with each other. */
const MAX_CLAIMS = 50

/** @param sayings in the order in which they were said. */
export const conflictsOf = (sayings: Saying[]): Conflict[] =>
  [...Map.groupBy(sayings, ({ key }) => key)]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, said]) => ({ key, claims: unsettled(said) }))
    .filter(({ claims }) => disagree(claims))

const latest = (claim: Claim): Saying => claim.at(-1) as Saying
const same = (one: string, other: string) => one.toLowerCase() === other.toLowerCase()

const disagree = (claims: Claim[]): boolean =>
  claims.some(([one], index) =>
    claims.slice(0, index).some(([other]) => !agree(one.key, one.value, other.value)),
  )

/** What holds, but for what a later saying told a change of; also one that itself holds no longer. */
const unsettled = (said: Saying[]): Claim[] => {
  let claims: Claim[] = []
  for (const saying of lastOfEach(said)) {
    const isPast = changesBy(saying)
    claims = claims.filter((claim) => !isPast(latest(claim)))
    if (!saying.holds) continue
    const known = claims.find(([{ value }]) => same(value, saying.value))
    claims = claims.filter((claim) => claim !== known).slice(1 - MAX_CLAIMS)
    claims.push(known ? [...known, saying] : [saying])
  }
  return claims
}

/** A memory that says two values means the last. */
const lastOfEach = (said: Saying[]): Saying[] => {
  const last = new Map(said.map((saying) => [saying.memoryId, saying]))
  return said.filter((saying) => last.get(saying.memoryId) === saying)
}

/** Each value once, as the latest memory says it, the latest first; none that contradicts no other. */
export const presentConflict = ({ key, claims }: Conflict): IdentityConflict => {
  const values: Saying[] = []
  const parties = claims.filter((claim) => claims.some((other) => disagree([claim, other])))
  for (const claim of parties.toReversed())
    if (!values.some(({ value }) => agree(key, value, claim[0].value))) values.push(latest(claim))
  const begun = claims.toSorted(([one], [other]) => one.at.getTime() - other.at.getTime())
  const contradiction = begun.findIndex((_, index) => disagree(begun.slice(0, index + 1)))
  return {
    anchor_key: key,
    values: values.map(({ value, memoryId, quote, at }) => ({
      value,
      memory_id: memoryId,
      quote,
      at: at.toISOString(),
    })),
    since: (begun[contradiction] as Claim)[0].at.toISOString(),
  }
}

/** Which memory states what was chosen, if one does, and which have to give way to it. */
export interface Choice {
  winner: Saying | undefined
  losers: Saying[]
}

export const choose = ({ key, claims }: Conflict, chosen: string): Choice => {
  const meant =
    claims.find(([{ value }]) => same(value, chosen)) ??
    claims.findLast(([{ value }]) => agree(key, value, chosen))
  const value = meant?.[0].value ?? chosen
  const agreeing = claims.filter((claim) => agree(key, claim[0].value, value))
  // "Lisbon" agrees with Lisbon, Portugal and with Lisbon, Iowa, which do not with each other.
  const kept = disagree(agreeing) ? [meant] : agreeing
  return {
    winner: meant && latest(meant),
    losers: claims.filter((claim) => !kept.includes(claim)).flat(),
  }
}
