import type { Query } from '../../platform/db/database.ts'
import { wallClock } from '../../platform/timezone.ts'
import { type Direction, parseDirection } from '../recall/date-words.ts'
import { type DateMention, dayMention } from '../recall/dates.ts'
import { latestDateFacts } from './named-events-store.ts'
import { SELF, slug } from './rules/fact.ts'
import { RELATIONS } from './rules/words.ts'

/** An event that a question names with its relation to the time asked for: "before my birthday". */
export interface NamedEvent {
  direction: Direction
  /** Whose event it is, as subjects of facts. */
  subjects: string[]
  /** The keys that its fact may have, the most specific one first. */
  keys: string[]
}

const MAX_CHARACTERS = 2_000
const MAX_EVENTS = 4
const WORD = String.raw`\p{L}[\p{L}\p{M}-]{0,30}(?:['’]s)?`
const EVENT = new RegExp(
  String.raw`\b(?<relation>before|until|prior to|after|since|on|at|during) (?:(?<own>my|our)|(?<name>\p{L}[\p{L}\p{M}-]{0,30})['’]s) (?<event>${WORD}(?: ${WORD}){0,2})`,
  'giu',
)

/**
 * Reads the events in the first 2,000 characters of an English question whose dates a fact may know.
 * @param ownNames the subjects of facts about the user, apart from `self`.
 */
export const parseNamedEvents = (question: string, ownNames: string[]): NamedEvent[] =>
  [...question.slice(0, MAX_CHARACTERS).matchAll(EVENT)]
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
export const readEventDates = async (
  query: Query,
  ownerId: string,
  events: NamedEvent[],
  now: Date,
  timezone: string,
): Promise<DateMention[]> => {
  if (events.length === 0) return []
  const facts = await latestDateFacts(
    query,
    ownerId,
    events.flatMap(({ subjects }) => subjects),
    events.flatMap(({ keys }) => keys),
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
