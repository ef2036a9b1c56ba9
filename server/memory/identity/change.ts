import { agree } from './agree.ts'
import type { Saying } from './store.ts'

/** What tells that something was otherwise before, in the languages that memories are read in. */
const CHANGE = new RegExp(
  String.raw`(?<![\p{L}\p{M}])(?:${[
    'now|nowadays|these days|current|currently|at present|no longer|any ?more|since|as of|from now on|recently|lately|instead',
    'actually|correction|moved|moving|relocated|switched|changed|renamed|joined|started|became|new|got married',
    'jetzt|nun|inzwischen|mittlerweile|derzeit|aktuell|nicht mehr|seit|neu(?:e|er|es|en|em)?|gezogen|umgezogen|gewechselt',
    'ahora|actualmente|ya no|desde|nuev[oa]|me mudé|mudado|cambi(?:é|ado)',
    'maintenant|désormais|actuellement|depuis|nouve(?:au|l|lle)|déménagé|changé',
  ].join('|')})(?![\p{L}\p{M}])`,
  'iu',
)
/** "New York" is no news. */
const NAMED_NEW = /\b(?:New|Nueva|Nuevo|Nouvelle) \p{Lu}/gu
const YEAR = /(?<!\d)(?:19|20)\d{2}(?!\d)/g

/** These stay what they are, however much time goes by. */
const FOR_GOOD = /^(?:name|hometown|date[.].+)$/
const YEAR_MS = 365 * 24 * 60 * 60 * 1000

/**
 * Whether a saying tells of a change, and so leaves an earlier one true for its time: it has a word of
 * change that is not dated before the earlier one, or was said a year after it about what changes in
 * time.
 */
export const changesBy = (later: Saying): ((earlier: Saying) => boolean) => {
  const tellsOne = CHANGE.test(later.quote.replace(NAMED_NEW, ''))
  const firstYear = Math.min(...[...later.quote.matchAll(YEAR)].map(Number))
  return (earlier) => {
    const isLongAfter = later.at.getTime() - earlier.at.getTime() >= YEAR_MS
    const isAged = isLongAfter && !FOR_GOOD.test(later.key)
    const isTold = tellsOne && firstYear >= earlier.at.getUTCFullYear()
    return (isAged || isTold) && !agree(later.key, earlier.value, later.value)
  }
}
