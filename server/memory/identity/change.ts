import { isCompatible } from './compatibility.ts'
import type { Statement } from './store.ts'

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
export const createChangeTest = (later: Statement): ((earlier: Statement) => boolean) => {
  const hasChangeWord = CHANGE.test(later.quote.replace(NAME_WITH_NEW, ''))
  const firstYear = Math.min(...[...later.quote.matchAll(YEAR)].map(Number))
  return (earlier) => {
    const isYearLater = later.at.getTime() - earlier.at.getTime() >= YEAR_MS
    const isOutdated = isYearLater && !PERMANENT.test(later.key)
    const isReported = hasChangeWord && firstYear >= earlier.at.getUTCFullYear()
    return (isOutdated || isReported) && !isCompatible(later.key, earlier.value, later.value)
  }
}
