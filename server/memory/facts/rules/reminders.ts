import { DAY_MS, HOUR_MS } from '../../../../shared/duration.ts'
import { alternatives } from '../../../../shared/text/alternatives.ts'
import { instantAt, wallClock } from '../../../platform/timezone.ts'
import type { PartialFact, Speaker } from './clause.ts'
import { withClockTimes } from './clock.ts'
import {
  type DateLanguage,
  isNightHour,
  type LocalMoment,
  type Mention,
  MORNING,
  mentionsIn,
  reminderTime,
} from './dates.ts'
import { slug } from './fact.ts'
import { firstOccurrence, onAllowedDay, type Recurrence, recurrenceIn } from './recurrence.ts'

const MAX_VALUE = 200
const NOON = 12

const POLITE =
  '(?:please,? |(?:can|could|will|would) you (?:please )?|i (?:want|need) you to |i would like you to )?'
const REMIND = alternatives(`
  (?:set|add|create|make|schedule) (?:me )?an? reminder | remind (?:me|us) | send me a reminder
  (?:ping|nudge|alert) me
`)

/** A request for a reminder, by language. Task and time follow it. */
const REQUEST: Record<DateLanguage, RegExp> = {
  en: new RegExp(
    `^(?:(?:hey|ok|okay|also|and|so|oh)[, ]+)?${POLITE}(?:${alternatives(`
      (?:${REMIND})\\b(?! of (?:you|him|her|that|when|how|why|what)\\b)
      (?:do not|never) let me forget\\b
      (?:the )?user (?:asked|wants|wanted|would like) to be reminded\\b | note to self:
    `)})\\s*`,
    'i',
  ),
  de: /^(?:bitte )?erinner(?:e|n sie)? (?:mich|uns) (?:bitte )?/i,
  es: /^(?:por favor,? )?(?:recu[eé]rd[ae]me|¿? ?(?:me )?(?:puedes?|podrías?) (?:por favor )?recordarme) (?:que )?/i,
  fr: /^(?:s'il te pla[iî]t,? )?(?:rappelle[sz]?-moi|rappelez-moi|(?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous) (?:s'il te pla[iî]t )?me rappeler) /i,
}
/** The time before the request: "Tomorrow at nine, remind me to call". */
const INVERTED_REQUEST: Record<DateLanguage, RegExp> = {
  en: /^(.{3,40}?),? ((?:please,? |(?:can|could) you (?:please )?)?remind (?:me|us)|i (?:really |also |still |just )?(?:need to|have to|must|have got to|gotta)|remember to|do not forget to) (.+)$/i,
  de: /^(.{3,40}?),? ((?:bitte )?erinnere? mich) (.+)$/i,
  es: /^(.{3,40}?),? ((?:por favor,? )?recu[eé]rd[ae]me) (.+)$/i,
  fr: /^(.{3,40}?),? (rappelle[sz]?-moi|rappelez-moi) (.+)$/i,
}
const PREPOSITION = /^(?:on|at|by|in|this|am|um|an|el|a las|le|à)?$/i
/** In German questions the verb ends the clause. */
// Reads at most 400 characters: a sentence.
const GERMAN_QUESTION =
  /^(?:kannst|könntest|würdest) du (?:mich|uns) (?:bitte )?(.+?) erinnern(?:, ?(.+))?$/i
/** The verb at the end of a German clause, after the time: "Ada morgen um 9 Uhr anzurufen". */
const GERMAN_INFINITIVE = /^ (?:zu )?\p{Ll}{3,30}$/u
/** A reason after the task. */
// Reads at most 400 characters: a sentence.
const REASON = /,? (?:otherwise|or else|because|so that|since|but) .*$/
/** Duties, which are reminders only if they name a day. */
const DUTY = new RegExp(
  `^(?:${alternatives(`
      make sure (?:that )?(?:i|we)(?! (?:am|are|was|were|can|could|have|had|do(?! not forget)|did|will|would) )
      (?:(?:i|we) (?:really |also |still |just )?)?(?:need to|have to|have got to|got to|gotta)
      (?:i|we) (?:really |also |still |just )?must | (?:the )?user (?:needs to|has to|must)
      remember to | do not forget to | (?:todo|to-do|to do|reminder):?(?: to)?
    `)})(?: (?:remember|(?:do )?not forget) to)? `,
  'i',
)
/** Duties that need no preposition before the day. */
const NOTED = /reminder|to-?\s?do|remember|forget/i
/** Without a time, these requests wait for an event: "ping me when the build is done". */
const NEEDS_TIME = /ping|nudge|alert/i
const BEFORE_DATE = new RegExp(
  `(?:^| )(?:${alternatives(`
      by | on | before | until | till | at | this | next | due | from | starting | beginning | for
      in | the | every | each | am | ab | desde | à partir de | bis | el | antes del? | le | avant
      around | no later than | latest | and
    `)})$`,
  'i',
)
const BEFORE_TASK =
  /^(?:(?:daran|dran|[,:–-])\s*)*(?:(?:to|that|about|of|for(?= (?:the|my|our|an?) )|de|que)\s+|d')?/i
/** The recurrence before the task: "every Monday to take out the bins". */
const RECURRENCE_FIRST = /^((?:every|each) [^,]{1,40}?) to (.+)$/i
const isRecurring = (body: string, mention: Mention | undefined): boolean =>
  mention !== undefined &&
  /\b(?:every|each|jeden|jede|cada|tous les|chaque) $/i.test(body.slice(0, mention.index))

/**
 * The reminder that a sentence asks for, or a duty that it states with a due day.
 * @param text a sentence without contractions.
 */
export const reminderIn = (
  text: string,
  { at }: Speaker,
  language: DateLanguage = 'en',
): PartialFact[] => {
  const sentence = toRequestOrder(withClockTimes(text, language), at, language)
  const request = REQUEST[language].exec(sentence)
  const duty = language === 'en' && !request ? DUTY.exec(sentence) : null
  const [found] = request ?? duty ?? []
  if (!found) return []
  const body = sentence
    .slice(found.length)
    .replace(REASON, '')
    .replace(/^(?:daran|dran),? /i, '')
    .replace(/(?<![.!?\s])[.!?\s]+$/, '')
  if (!body || body.includes('\u0000')) return []
  // "Remind me" needs "to" or "about" before the task; "don't let me forget" does not.
  const allowsBareTask = language !== 'en' || duty !== null || !/remind/i.test(found)
  const recurrence = request ? recurrenceIn(body) : undefined
  if (recurrence) return recurringReminder(body, recurrence, at, { language, allowsBareTask })
  const mentions = mentionsIn(body, at, true, language)
  const isConditional = mentions.length > 1 || / if /.test(body)
  if (duty && isConditional) return []
  const { due, task } = splitTask(body, mentions, allowsBareTask)
  const value = task.replace(/\s+/g, ' ').trim()
  if (value.length < 3 || value.length > MAX_VALUE || UNCERTAIN_START.test(value)) return []
  if (duty && (!value.includes(' ') || /\byou(?:r|rs|rself)?\b/i.test(value))) return []
  if (duty && !(due && isDutyBy(body, due, NOTED.test(found)))) return []
  if (!due && NEEDS_TIME.test(found)) return []
  const when = due ? reminderTime(due, at) : null
  if (when && when < at.instant) return []
  return [reminder(value, when)]
}

const MAX_KEY = 80
const reminder = (value: string, dueAt: Date | null): PartialFact => ({
  kind: 'reminder',
  key: `reminder.${slug(value).slice(0, MAX_KEY)}`,
  value,
  dueAt,
})

/** A recurring reminder. A weekday in the recurrence sets its first due day. */
const recurringReminder = (
  body: string,
  { index, text, weekday, isLate, period }: Recurrence,
  at: LocalMoment,
  { language, allowsBareTask }: { language: DateLanguage; allowsBareTask: boolean },
): PartialFact[] => {
  if (/^that $/i.test(body.slice(0, index + 1))) return []
  const once = `${body.slice(0, index)} ${weekday} ${body.slice(index + text.length)}`
    .replace(/\s+/g, ' ')
    .trim()
  const found = splitTask(once, mentionsIn(once, at, true, language), allowsBareTask)
  const { due } = found
  const task = found.task.trim()
  if (task.length < 3 || task.length > MAX_VALUE || UNCERTAIN_START.test(task)) return []
  const recurrence = text.trim()
  const value = `${task} ${recurrence.charAt(0).toLowerCase()}${recurrence.slice(1)}`
  const first = due
    ? wallClock(reminderTime({ ...due, lacksMeridiem: false }, at), at.timezone)
    : firstOccurrence(period, isLate, at.wall)
  // "Every evening at eight" is in the evening; "every day at five" is taken as the afternoon.
  const isUnclear = due?.lacksMeridiem && isNightHour(first) && !MORNING.test(text)
  const isEarly = (isLate || isUnclear) && due && first.getUTCHours() < NOON
  const then = first.getTime() + (isEarly ? NOON * HOUR_MS : 0)
  const isToday = isEarly && then - DAY_MS > at.wall.getTime()
  const wall = onAllowedDay(period, new Date(isToday ? then - DAY_MS : then))
  return [reminder(value, instantAt(wall, at.timezone))]
}

/** Reorders a sentence to request, time, task. */
const toRequestOrder = (sentence: string, at: LocalMoment, language: DateLanguage): string => {
  const german = language === 'de' ? GERMAN_QUESTION.exec(withoutQuestionMark(sentence)) : null
  if (german) return `erinnere mich ${german[1]}${german[2] ? `, ${german[2]}` : ''}`
  const [, when = '', request, rest] = INVERTED_REQUEST[language].exec(sentence) ?? []
  return request && isTime(when, at, language) ? `${request} ${when} ${rest}` : sentence
}

const withoutQuestionMark = (question: string): string =>
  question.trimEnd().replace(/\?$/, '').trimEnd()

/** Whether the words are a time or a recurrence, and nothing else. */
const isTime = (words: string, at: LocalMoment, language: DateLanguage): boolean => {
  const recurrence = recurrenceIn(words)
  const rest = recurrence ? words.replace(recurrence.text, '').trim() : words
  if (!rest) return true
  const [mention, ...others] = mentionsIn(rest, at, true, language)
  if (!mention || others.length > 0) return false
  const after = rest.slice(mention.index + mention.text.length).trim()
  return !after && PREPOSITION.test(rest.slice(0, mention.index).trim())
}

const UNCERTAIN_START =
  /^(?:of|why|how|when|what|it|that|this|if|is|are|was|were)\b|^(?:to )?(?:be honest|say)\b/i

const isDutyBy = (body: string, due: Mention, isNote: boolean): boolean =>
  (due.isDay || isNote) && isDated(body, due, isNote)

/** "By Monday" is a due day; in "Monday's meeting" the day belongs to the task. */
const isDated = (body: string, { index, text }: Mention, isNote: boolean): boolean =>
  isNote ||
  /^(?:today|tonight|tomorrow|on|by|at|before|this|next|in)\b/i.test(text) ||
  /(?:^| )(?:by|on|before|until|due|at|this|next) (?:the )?$/i.test(body.slice(0, index))

/** A time before or after the task is the due time; within the task it belongs to it. */
const splitTask = (
  body: string,
  mentions: Mention[],
  allowsBareTask: boolean,
): { due?: Mention | undefined; task: string } => {
  const [first] = mentions
  const last = mentions.at(-1)
  const lead = first ? body.slice(0, first.index).trim().replace(BEFORE_DATE, '') : ''
  if (first && !lead.replace(BEFORE_DATE, '').trim() && !isRecurring(body, first)) {
    const rest = body.slice(first.index + first.text.length).replace(/^[\s,]+/, '')
    return { due: first, task: taskTextIn(rest, allowsBareTask) }
  }
  const task = isRecurring(body, first) ? body : taskTextIn(body, allowsBareTask)
  if (!last) return { task }
  const after = body.slice(last.index + last.text.length)
  const isAtEnd = !after.replace(/^[\s,]*(?:at the latest|please|latest|sharp)?[\s,]*/, '')
  if (isRecurring(body, last)) return { due: last, task: task.replace(RECURRENCE_FIRST, '$2 $1') }
  const verb = GERMAN_INFINITIVE.exec(after)?.[0]
  if (verb?.includes('zu'))
    return { due: last, task: `${trimBefore(body.slice(0, last.index))}${verb}`.trim() }
  if (!isAtEnd) return { due: isDated(body, last, false) ? last : undefined, task }
  const before = trimBefore(body.slice(0, last.index))
  return { due: last, task: taskTextIn(before, allowsBareTask) }
}

const taskTextIn = (text: string, allowsBareTask: boolean): string =>
  allowsBareTask || BEFORE_TASK.exec(text)?.[0] ? text.replace(BEFORE_TASK, '') : ''

const trimBefore = (text: string): string => {
  const trimmed = text.trim().replace(/,$/, '')
  const shorter = trimmed.replace(BEFORE_DATE, '')
  return shorter === trimmed ? trimmed : trimBefore(shorter)
}
