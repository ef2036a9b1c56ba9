import { lowestTrust } from '../../../shared/contract/memories.ts'
import { alternatives } from '../../../shared/text/alternatives.ts'
import { wordsOf } from '../../../shared/text/words.ts'
import type { ShownMemory } from '../memories/store.ts'
import { wholeWords } from '../text/whole-words.ts'

/** Says that something is not as it was: in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const CHANGE = wholeWords(
  alternatives(`
    switched | switching | moved? to | moved from | moved (?:in|into|out) | changed | replaced | replacing | migrated
    renamed | now | instead | no longer | any ?more | from now on | as of | stopped | quit | new
  `),
  alternatives(`
    gewechselt | wechseln | umgestiegen | umgezogen | ziehen um | geändert | ersetzt | jetzt | nun | stattdessen
    nicht mehr | kein\\p{L}{0,2} mehr | ab sofort | seit | umbenannt | neu\\p{L}{0,2}
  `),
  'désormais|maintenant|plus (?:du tout|de)|changé|remplacé|déménagé|passé à|à la place|nouve\\p{L}{1,4}',
  'ahora|ya no|cambi\\p{L}{1,5}|mudé|mudamos|mudado|reemplaz\\p{L}{1,5}|en lugar de|nuev\\p{L}{1,2}',
  'adesso|ora|non più|cambiat\\p{L}|sostituit\\p{L}|trasferit\\p{L}|invece|nuov\\p{L}',
  'agora|já não|não mais|mud\\p{L}{2,5}|substitu\\p{L}{2,5}|em vez de|nov[oa]s?',
  'nu|niet meer|geen \\p{L}{1,20} meer|gewijzigd|veranderd|verhuisd|overgestapt|vervangen|voortaan|nieuwe?',
)
/** Chinese and Japanese. */
const UNSPACED_CHANGE =
  /改成|改为|改為|换成|換成|搬到|现在|現在|不再|新しい|今は|変わ|変更|引っ越|ではなく/u

/** Asks for what was before. */
const PAST = wholeWords(
  'before|used to|previous(?:ly)?|formerly?|originally|earlier|at first|old',
  'vorher|früher\\p{L}{0,2}|zuvor|ursprünglich|damals|alte\\p{L}?',
  'avant|auparavant|ancien\\p{L}{0,3}|antes|anterior\\p{L}{0,4}|prima|precedente|vroeger',
)

/** A longer text is about many things. */
const MAX_WORDS = 16
/** The least share of the words of the earlier statement that the later one has. */
const SAME_SUBJECT = 0.4
/** A later statement that scores less than this share of the earlier one is about something else. */
const MIN_SCORE_SHARE = 0.15

/** A later statement with so much of the score of the earlier one stands before it. */
const BELOW_LATER = 0.99

interface Ranked {
  score: number
  change: number
  memory: Pick<ShownMemory, 'contentText' | 'occurredAt' | 'createdAt' | 'trust'>
}

const timeOf = ({ memory: { occurredAt, createdAt } }: Pick<Ranked, 'memory'>): number =>
  (occurredAt ?? createdAt).getTime()

type Dated = Pick<Ranked, 'memory'>

export const isLater = (one: Dated, other: Dated): boolean => timeOf(one) > timeOf(other)

/** Whether a memory is trusted at least as much as another one: text from outside displaces nothing of the user. */
export const isTrustedAs = ({ memory: one }: Dated, { memory: other }: Dated): boolean =>
  lowestTrust(one.trust, other.trust) === other.trust

const statementOf = (text: string): ReadonlySet<string> | undefined => {
  const words = wordsOf(text)
  return words.length <= MAX_WORDS ? new Set(words) : undefined
}

const saysChange = (text: string): boolean => CHANGE.test(text) || UNSPACED_CHANGE.test(text)

/**
 * Puts a statement below a later one that says that it has changed, unless the question asks for what was before.
 * @param ranked best first.
 */
export const newerFirst = <T extends Ranked>(ranked: T[], question: string): T[] => {
  if (PAST.test(question)) return ranked
  const statements = ranked.map((each) => {
    const { contentText } = each.memory
    const words = statementOf(contentText)
    return words && { each, words, saysChange: saysChange(contentText) }
  })
  const later = statements.filter((statement) => statement?.saysChange)
  if (later.length === 0) return ranked
  return ranked
    .map((each, place) => {
      const words = statements[place]?.words
      const changed = later.find(
        (other) =>
          words !== undefined &&
          other !== undefined &&
          isLater(other.each, each) &&
          isTrustedAs(other.each, each) &&
          other.each.score <= each.score &&
          other.each.score >= each.score * MIN_SCORE_SHARE &&
          [...words].filter((word) => other.words.has(word)).length >= words.size * SAME_SUBJECT,
      )
      if (!changed) return each
      const factor = (BELOW_LATER * changed.each.score) / each.score
      return { ...each, change: factor, score: each.score * factor }
    })
    .toSorted((a, b) => b.score - a.score)
}
