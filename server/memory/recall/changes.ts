import { lowestTrust } from '../../../shared/contract/memories.ts'
import { alternatives } from '../../../shared/text/alternatives.ts'
import { wordsOf } from '../../../shared/text/words.ts'
import type { ShownMemory } from '../memories/store.ts'
import { wholeWords } from '../text/whole-words.ts'

/** Says that something is not as it was: in English, German, French, Spanish, Italian, Portuguese and Dutch. */
const CHANGE = wholeWords(
  alternatives(`
    switched | switching | moved | move to | changed | replaced | replacing | migrated
    renamed | now | instead | no longer | any ?more | from now on | as of | stopped | quit | new | these days
    nowadays | lately | went (?:up|down) | raised | reduced | upgraded | relocated | settled | traded | sold
    gave up | took over | retired | left | a raise
  `),
  alternatives(`
    gewechselt | wechseln | umgestiegen | umgezogen | ziehen um | geändert | ersetzt | jetzt | nun | stattdessen
    nicht mehr | kein\\p{L}{0,2} mehr | ab sofort | seit | umbenannt | neu\\p{L}{0,2} | inzwischen | mittlerweile
    verlegt | verschoben | erhöht | gestiegen | gezogen
  `),
  'désormais|dorénavant|maintenant|plus (?:du tout|de)|changé|remplacé|déménagé|déplacé|installée?s?|augmenté|quitté|passé à|à la place|nouve\\p{L}{1,4}',
  'ahora|ya no|cambi\\p{L}{1,5}|mudé|mudamos|mudado|traslad\\p{L}{1,4}|reemplaz\\p{L}{1,5}|subió|en lugar de|nuev\\p{L}{1,2}',
  'adesso|ora|non (?:\\p{L}{1,10} )?più|cambiat\\p{L}|sostituit\\p{L}|trasferit\\p{L}|spostat\\p{L}|aumentat\\p{L}|invece|nuov\\p{L}',
  'agora|já não|não mais|mud\\p{L}{2,5}|troqu\\p{L}{1,4}|substitu\\p{L}{1,5}|passou|subiu|em vez de|nov[oa]s?',
  'nu|niet meer|geen \\p{L}{1,20} meer|gewijzigd|veranderd|verhuisd|verplaatst|overgestapt|vervangen|voortaan|tegenwoordig|gestegen|nieuwe?',
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

export const asksForPast = (question: string): boolean => PAST.test(question)

/** A longer text is about many things. */
const MAX_WORDS = 16

/** When a later statement is about what an earlier one states. */
interface SameSubject {
  /** The least share of the words of the earlier statement that the later one has. */
  words: number
  /** The least share of its score. */
  score: number
  /** The least share of its match with the question. */
  match: number
}
/**
 * For a later statement that says that it has changed: it has many of the words, or those that are asked for. In a chat,
 * a turn with "now" is more often about something else.
 */
const CHANGED: readonly SameSubject[] = [
  { words: 0.4, score: 0.15, match: 0 },
  { words: 0.2, score: 0.15, match: 1 },
]
const CHANGED_NOTE: readonly SameSubject[] = [...CHANGED, { words: 0.2, score: 0.15, match: 0.4 }]
/** For one that only says otherwise: "The rent is 850 euros", "The rent is 920 euros". */
const RESTATED: readonly SameSubject[] = [{ words: 0.5, score: 0.4, match: 1 }]

/** The score of an earlier statement as a share of that of the later one, which takes its place. */
const BELOW_LATER = 0.99

interface Ranked {
  score: number
  change: number
  /** The share of the question's words that it has, from 0 to 1. */
  match: number
  memory: Pick<ShownMemory, 'contentText' | 'occurredAt' | 'createdAt' | 'trust' | 'thread'>
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

interface Statement<T> {
  each: T
  words: ReadonlySet<string>
  /** One of these makes it take the place of an earlier one. */
  conditions: readonly SameSubject[]
}

/** Whether a later statement is about the same as an earlier one that stands before it. */
const isChangeOf = <T extends Ranked>(later: Statement<T>, earlier: Statement<T>): boolean => {
  const { each, words, conditions } = later
  const other = earlier.each
  const shared = [...earlier.words].filter((word) => words.has(word)).length
  return (
    isLater(each, other) &&
    isTrustedAs(each, other) &&
    each.score <= other.score &&
    conditions.some(
      (least) =>
        each.score >= other.score * least.score &&
        each.match >= other.match * least.match &&
        shared >= earlier.words.size * least.words,
    )
  )
}

const conditionsOf = ({ contentText, thread }: Ranked['memory']): readonly SameSubject[] => {
  if (!saysChange(contentText)) return RESTATED
  return thread === null ? CHANGED_NOTE : CHANGED
}

/**
 * Puts a later statement that says that something has changed, or that states the same otherwise, in the place of the
 * earlier one, which comes next.
 * @param ranked best first.
 */
export const newerFirst = <T extends Ranked>(ranked: T[]): T[] => {
  const statements = ranked.flatMap((each, place): (Statement<T> & { place: number })[] => {
    const words = statementOf(each.memory.contentText)
    return words ? [{ each, words, conditions: conditionsOf(each.memory), place }] : []
  })
  const scores = ranked.map(({ score }) => score)
  const scoreAt = (place: number): number => scores[place] ?? 0
  // The oldest first: what replaces it may be replaced in turn.
  for (const earlier of statements.toSorted((a, b) => timeOf(a.each) - timeOf(b.each))) {
    const [best] = statements
      .filter((later) => isChangeOf(later, earlier))
      .toSorted((a, b) => scoreAt(b.place) - scoreAt(a.place) || timeOf(b.each) - timeOf(a.each))
    if (!best) continue
    scores[best.place] = Math.max(scoreAt(best.place), scoreAt(earlier.place))
    scores[earlier.place] = Math.min(scoreAt(earlier.place), BELOW_LATER * scoreAt(best.place))
  }
  return ranked
    .map((each, place) => {
      const score = scoreAt(place)
      return score === each.score ? each : { ...each, change: score / each.score, score }
    })
    .toSorted((a, b) => b.score - a.score)
}
