import { alternatives } from '../../../shared/text/alternatives.ts'
import type { Query } from '../../platform/db/database.ts'
import { wallClock } from '../../platform/timezone.ts'
import { isFirstPerson } from '../recall/asked-authors.ts'
import type { Direction } from '../recall/date-spans.ts'
import { type DateMention, dayMention, parseDirection } from '../recall/dates.ts'
import type { EventContext, FactQuery, FactReader, NamedEvent } from '../recall/question.ts'
import { latestDateFacts } from './questions-store.ts'
import { SELF, slug } from './rules/fact.ts'
import { RELATIONS } from './rules/words.ts'

/**
 * Words that ask for a fact, by the pattern of its key: in English, German, Spanish, French, Chinese and
 * Japanese.
 */
const CUES: Record<string, RegExp> = {
  home: cue(
    'live|living|reside|residence|home|wohn\\p{L}*|lebe|zuhause|viv[eo]|vivimos|resido|habite|habites|住',
    '住',
  ),
  address: cue('address|adresse|dirección|direccion', '地址|住所'),
  hometown: cue('hometown|heimatstadt|ciudad natal|ville natale|born', '家乡|故乡|出身'),
  name: cue('my name|called|heiße|mein name|llamo|mi nombre|appelle|mon nom', '名字|名前'),
  'work.%': cue(
    alternatives(`
        work | job | employer | profession | occupation | arbeit\\p{L}* | beruf\\p{L}*
        trabaj\\p{L}* | empleo | travail\\p{L}* | métier | emploi
      `),
    '工作|上班|仕事|働',
  ),
  'date.birthday': cue(
    'birthday|born|geburtstag|geboren|cumpleaños|nací|anniversaire',
    '生日|誕生日',
  ),
  'allergy.%': cue('allerg\\p{L}*|alérgic\\p{L}*', '过敏|アレルギー'),
  diet: cue('diet|vegan|vegetarian|ernährung|dieta|régime', '素食|ベジタリアン'),
  'relation.sister': cue('sister|schwester|hermana|sœur', '姐姐|妹妹|姉|妹'),
  'relation.brother': cue('brother|bruder|hermano|frère', '哥哥|弟弟|兄|弟'),
  'relation.mother': cue('mother|mum|mom|mutter|madre|mère', '妈妈|母亲|母'),
  'relation.father': cue('father|dad|vater|padre|père', '爸爸|父亲|父'),
  'relation.daughter': cue('daughter|tochter|hija|fille', '女儿|娘'),
  'relation.son': cue('son|sohn|hijo|fils', '儿子|息子'),
  'relation.wife': cue('wife|frau|esposa|mujer|femme', '妻子|妻'),
  'relation.husband': cue('husband|mann|esposo|marido|mari', '丈夫|夫'),
  'relation.dog': cue('dog|hund|perro|chien', '狗|犬'),
  'relation.cat': cue('cat|katze|gato|chat', '猫'),
  'relation.boss': cue('boss|chef|chefin|jefe|jefa|patron', '老板|上司'),
}

/** Matches whole words, and parts of a text in a script without spaces. */
function cue(words: string, unspaced: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])|${unspaced}`, 'iu')
}

/** A longer text asks for more than a fact. */
const MAX_CHARACTERS = 300
const NAME = /(?<=\S\s)\p{Lu}[\p{L}\p{M}'-]+/gu

/** The facts that a question asks for, about the user or a person that it names. */
const parseFactQuestion = (question: string, selfNames: string[]): FactQuery => {
  if (question.length > MAX_CHARACTERS) return { subjects: [], keys: [] }
  const keys = Object.entries(CUES).flatMap(([key, pattern]) =>
    pattern.test(question) ? [key] : [],
  )
  const named = question.match(NAME) ?? []
  const isOwn = isFirstPerson(question) || named.length === 0
  return { subjects: keys.length ? [...named, ...(isOwn ? [SELF, ...selfNames] : [])] : [], keys }
}

const MAX_EVENT_CHARACTERS = 2_000
const MAX_EVENTS = 4
const EVENT_WORD = String.raw`\p{L}[\p{L}\p{M}-]{0,30}(?:['’]s)?`
const EVENT = new RegExp(
  String.raw`\b(?<relation>before|until|prior to|after|since|on|at|during) (?:(?<own>my|our)|(?<name>\p{L}[\p{L}\p{M}-]{0,30})['’]s) (?<event>${EVENT_WORD}(?: ${EVENT_WORD}){0,2})`,
  'giu',
)

/**
 * Reads the events in the first 2,000 characters of an English question whose dates a fact may know.
 * @param ownNames the subjects of facts about the user, apart from `self`.
 */
const parseNamedEvents = (question: string, ownNames: string[]): NamedEvent[] =>
  [...question.slice(0, MAX_EVENT_CHARACTERS).matchAll(EVENT)]
    .slice(0, MAX_EVENTS)
    .map(({ groups }) => groups ?? {})
    .map(({ relation, own, name = '', event = '' }) => ({
      direction: parseDirection(`${relation} `),
      subjects: own ? [SELF, ...ownNames] : [name],
      keys: keysOf(event.split(' ')),
    }))

/** "Sister's birthday party" may be `date.sister_birthday_party` or `date.sister_birthday`. */
const keysOf = (words: string[]): string[] => {
  const plain = words.map((word) => word.replace(/['’]s$/, '').toLowerCase())
  const related = plain.map((word, i) => (i === 0 ? (RELATIONS[word] ?? word) : word))
  return related.map((_, i) => `date.${slug(related.slice(0, related.length - i).join(' '))}`)
}

/** `YYYY-MM-DD` with or without a time, or `MM-DD` of each year. */
const DAY = /^(?:(?<year>\d{4})-)?(?<month>\d\d)-(?<day>\d\d)/

/** The days of events, as far as a fact about them is known. */
const readEventDates = async (
  query: Query,
  events: NamedEvent[],
  { ownerId, now, timezone, ...readers }: EventContext,
): Promise<DateMention[]> => {
  if (events.length === 0) return []
  const facts = await latestDateFacts(
    query,
    ownerId,
    events.flatMap(({ subjects }) => subjects),
    events.flatMap(({ keys }) => keys),
    readers,
  )
  return events.flatMap(({ direction, subjects, keys }) => {
    const key = keys.find((k) => facts.some((f) => f.key === k && subjects.includes(f.subject)))
    const fact = facts.find((f) => f.key === key && subjects.includes(f.subject))
    const mention = fact && mentionOf(fact, direction, wallClock(now, timezone), timezone)
    return mention ? [mention] : []
  })
}

/** A birthday or anniversary is the last one that has begun, or that of any year where no direction is named. */
const mentionOf = (
  { key, value }: { key: string; value: string },
  direction: Direction,
  wall: Date,
  timezone: string,
): DateMention | undefined => {
  const { year, month = '', day = '' } = DAY.exec(value)?.groups ?? {}
  if (!day) return undefined
  const isYearly = !year || /birthday|anniversary|name_day/.test(key)
  if (isYearly && direction === 'in') return { month: Number(month), day: Number(day) }
  const inYear = (y: number) => new Date(Date.UTC(y, Number(month) - 1, Number(day)))
  const thisYear = wall.getUTCFullYear()
  const lastYear = inYear(thisYear) > wall ? thisYear - 1 : thisYear
  return dayMention(direction, inYear(isYearly ? lastYear : Number(year)), timezone)
}

/** Reads questions for recall, which stands below facts. */
export const factReader: FactReader = { parseFactQuestion, parseNamedEvents, readEventDates }
