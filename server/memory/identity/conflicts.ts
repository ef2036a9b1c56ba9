import type { IdentityConflict } from '../../../shared/contract/identity.ts'
import { isBelow } from '../memories/actor.ts'
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

const latest = (claim: Claim): Statement => claim.at(-1) ?? claim[0]
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
    claims = claims.filter(
      (claim) => !isPast(latest(claim)) || isBelow(statement.trust, latest(claim).trust),
    )
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
    values: values.map(({ value, memoryId, quote, trust, at }) => ({
      value,
      memory_id: memoryId,
      quote,
      trust,
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
  const winners = areIncompatible(compatible) ? [match] : compatible
  return {
    winner: match && latest(match),
    losers: claims.filter((claim) => !winners.includes(claim)).flat(),
  }
}

/** Words of a change in English, German, Spanish and French, and of a move in Chinese and Japanese. */
const CHANGE = new RegExp(
  String.raw`(?<![\p{L}\p{M}])(?:${[
    'now|nowadays|these days|current|currently|at present|no longer|any ?more|since|as of|from now on|recently|lately|instead',
    'actually|correction|moved|moving|relocated|switched|changed|renamed|joined|started|became|new|got married',
    'jetzt|nun|inzwischen|mittlerweile|derzeit|aktuell|nicht mehr|seit|neu(?:e|er|es|en|em)?|gezogen|umgezogen|gewechselt',
    'ahora|actualmente|ya no|desde|nuev[oa]|me mudé|mudado|cambi(?:é|ado)',
    'maintenant|désormais|actuellement|depuis|nouve(?:au|l|lle)|déménagé|changé',
  ].join('|')})(?![\p{L}\p{M}])|现在|現在|目前|最近|搬到|搬去|引っ越`,
  'iu',
)
/** The "new" in "New York" is no word of change. */
const NAME_WITH_NEW = /\b(?:New|Nueva|Nuevo|Nouvelle) \p{Lu}/gu
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/g

/** Values that do not change over time. */
const PERMANENT = /^(?:name|hometown|date[.].+)$/
const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/**
 * @returns a test whether `later` reports a change from an earlier statement, so that both were true in
 * their time. It has a word of change that is not dated before the earlier statement, or it was made a
 * year later about a value that may change.
 */
const createChangeTest = (later: Statement): ((earlier: Statement) => boolean) => {
  const hasChangeWord = CHANGE.test(later.quote.replace(NAME_WITH_NEW, ''))
  const firstYear = Math.min(...[...later.quote.matchAll(YEAR)].map(Number))
  return (earlier) => {
    const isYearLater = later.at.getTime() - earlier.at.getTime() >= YEAR_MS
    const isOutdated = isYearLater && !PERMANENT.test(later.key)
    const isReported = hasChangeWord && firstYear >= earlier.at.getUTCFullYear()
    return (isOutdated || isReported) && !isCompatible(later.key, earlier.value, later.value)
  }
}
