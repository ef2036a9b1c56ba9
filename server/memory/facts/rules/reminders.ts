import { instantOf, wallClock } from '../../../platform/timezone.ts'
import {
  dueAt,
  isSmall,
  type Language,
  type Mention,
  MORNING,
  type Moment,
  mentionsIn,
} from './dates.ts'
import { slug } from './fact.ts'
import { firstOf, onDayOf, type Repeat, repeatIn } from './repeats.ts'
import type { Draft, Speaker } from './statement.ts'

const MAX_VALUE = 200
const NOON = 12
const HOUR_MS = 60 * 60 * 1000
const DAY_MS = 24 * HOUR_MS

/** What asks to be reminded, by language; what of and when stands after it. */
const ASKED: Record<Language, RegExp> = {
  en: /^(?:(?:hey|ok|okay|also|and|so|oh)[, ]+)?(?:please,? |(?:can|could|will|would) you (?:please )?|i (?:want|need) you to |i would like you to )?(?:(?:(?:set|add|create|make|schedule) (?:me )?an? reminder|remind (?:me|us)|send me a reminder|(?:ping|nudge|alert) me)\b(?! of (?:you|him|her|that|when|how|why|what)\b)|(?:do not|never) let me forget\b|(?:the )?user (?:asked|wants|wanted|would like) to be reminded\b|note to self:)\s*/i,
  de: /^(?:bitte )?erinner(?:e|n sie)? (?:mich|uns) (?:bitte )?/i,
  es: /^(?:por favor,? )?(?:recu[eé]rd[ae]me|¿? ?(?:me )?(?:puedes?|podrías?) (?:por favor )?recordarme) (?:que )?/i,
  fr: /^(?:s'il te pla[iî]t,? )?(?:rappelle[sz]?-moi|rappelez-moi|(?:peux-tu|pourrais-tu|pouvez-vous|pourriez-vous) (?:s'il te pla[iî]t )?me rappeler) /i,
}
/** "Tomorrow at nine, remind me to call" is said the other way round. */
const TURNED: Record<Language, RegExp> = {
  en: /^(.{3,40}?),? ((?:please,? |(?:can|could) you (?:please )?)?remind (?:me|us)|i (?:really |also |still |just )?(?:need to|have to|must|have got to|gotta)|remember to|do not forget to) (.+)$/i,
  de: /^(.{3,40}?),? ((?:bitte )?erinnere? mich) (.+)$/i,
  es: /^(.{3,40}?),? ((?:por favor,? )?recu[eé]rd[ae]me) (.+)$/i,
  fr: /^(.{3,40}?),? (rappelle[sz]?-moi|rappelez-moi) (.+)$/i,
}
const PREPOSITION = /^(?:on|at|by|in|this|am|um|an|el|a las|le|à)?$/i
/** In a German question the verb stands at the end of its clause. */
const ASKED_IN_GERMAN =
  /^(?:kannst|könntest|würdest) du (?:mich|uns) (?:bitte )?(.+?) erinnern(?:, ?(.+?))?\s*\??$/i
/** Why it matters is no part of what is to be done. */
const REASON = /,? (?:otherwise|or else|because|so that|since|but) .*$/
/** Duties are reminders only with the day they are due. */
const DUTY =
  /^(?:make sure (?:that )?(?:i|we)(?! (?:am|are|was|were|can|could|have|had|do(?! not forget)|did|will|would) )|(?:(?:i|we) (?:really |also |still |just )?)?(?:need to|have to|have got to|got to|gotta)|(?:i|we) (?:really |also |still |just )?must|(?:the )?user (?:needs to|has to|must)|remember to|do not forget to|(?:todo|to-do|to do|reminder):?(?: to)?)(?: (?:remember|(?:do )?not forget) to)? /i
/** These say that it is to be brought up, which others say by naming the day alone. */
const NOTED = /reminder|to-?\s?do|remember|forget/i
/** Asked so, and without a time, it is when something else happens. */
const NEEDS_TIME = /ping|nudge|alert/i
const BEFORE_DATE =
  /(?:^| )(?:by|on|before|until|till|at|this|next|due|from|starting|beginning|for|in|the|every|each|am|ab|desde|à partir de|bis|el|antes del?|le|avant|around|no later than|latest|and)$/i
const THING =
  /^(?:(?:daran|dran|[,:–-])\s*)*(?:(?:to|that|about|of|for(?= (?:the|my|our|an?) )|de|que)\s+|d')?/i
/** "Every Monday to take out the bins" is said the other way round, and due for the first time then. */
const REPEATED = /^((?:every|each) [^,]{1,40}?) to (.+)$/i
const isRepeated = (body: string, mention: Mention | undefined): boolean =>
  mention !== undefined &&
  /\b(?:every|each|jeden|jede|cada|tous les|chaque) $/i.test(body.slice(0, mention.index))

/**
 * What somebody wants to be reminded of, or has to do by a day.
 * @param sentence in which contractions are spelled out.
 */
export const reminderIn = (said: string, { at }: Speaker, language: Language = 'en'): Draft[] => {
  const sentence = straight(said, at, language)
  const asked = ASKED[language].exec(sentence)
  const duty = language === 'en' && !asked ? DUTY.exec(sentence) : null
  const [found] = asked ?? duty ?? []
  if (!found) return []
  const body = sentence
    .slice(found.length)
    .replace(REASON, '')
    .replace(/[.!?\s]+$/, '')
  if (!body || body.includes('\u0000')) return []
  // "Remind me later" names nothing; "don't let me forget the keys" does.
  const isFree = language !== 'en' || duty !== null || !/remind/i.test(found)
  const repeat = asked ? repeatIn(body) : undefined
  if (repeat) return repeated(body, repeat, at, { language, isFree })
  const mentions = mentionsIn(body, at, true, language)
  const isHanging = mentions.length > 1 || / if /.test(body)
  if (duty && isHanging) return []
  const { due, thing } = taskOf(body, mentions, isFree)
  const value = thing.replace(/\s+/g, ' ').trim()
  if (value.length < 3 || value.length > MAX_VALUE || UNCERTAIN_START.test(value)) return []
  if (duty && (!value.includes(' ') || /\byou(?:r|rs|rself)?\b/i.test(value))) return []
  if (duty && !(due && isDutyBy(body, due, NOTED.test(found)))) return []
  if (!due && NEEDS_TIME.test(found)) return []
  const when = due ? dueAt(due, at) : null
  if (when && when < at.instant) return []
  return [{ kind: 'reminder', key: `reminder.${slug(value).slice(0, 80)}`, value, dueAt: when }]
}

/** What is to be done again and again; a weekday also tells when it is due first. */
const repeated = (
  body: string,
  { index, text, weekday, isLate, period }: Repeat,
  at: Moment,
  { language, isFree }: { language: Language; isFree: boolean },
): Draft[] => {
  if (/^that $/i.test(body.slice(0, index + 1))) return []
  const once = `${body.slice(0, index)} ${weekday} ${body.slice(index + text.length)}`
    .replace(/\s+/g, ' ')
    .trim()
  const { due, thing } = taskOf(once, mentionsIn(once, at, true, language), isFree)
  const task = thing.trim()
  if (task.length < 3 || task.length > MAX_VALUE || UNCERTAIN_START.test(task)) return []
  const often = text.trim()
  const value = `${task} ${often.charAt(0).toLowerCase()}${often.slice(1)}`
  const first = due
    ? wallClock(dueAt({ ...due, isHalfOpen: false }, at), at.timezone)
    : firstOf(period, isLate, at.wall)
  // "Every evening at eight" is not in the morning, and "every day at five" hardly.
  const isOpen = due?.isHalfOpen && isSmall(first) && !MORNING.test(text)
  const isEarly = (isLate || isOpen) && due && first.getUTCHours() < NOON
  const then = first.getTime() + (isEarly ? NOON * HOUR_MS : 0)
  const isToday = isEarly && then - DAY_MS > at.wall.getTime()
  const wall = onDayOf(period, new Date(isToday ? then - DAY_MS : then))
  const when = instantOf(wall, at.timezone)
  return [{ kind: 'reminder', key: `reminder.${slug(value).slice(0, 80)}`, value, dueAt: when }]
}

/** The sentence in the order in which the rules read it: who is asked, when, and what. */
const straight = (sentence: string, at: Moment, language: Language): string => {
  const german = language === 'de' ? ASKED_IN_GERMAN.exec(sentence) : null
  if (german) return `erinnere mich ${german[1]}${german[2] ? `, ${german[2]}` : ''}`
  const [, when = '', asked, rest] = TURNED[language].exec(sentence) ?? []
  return asked && isTime(when, at, language) ? `${asked} ${when} ${rest}` : sentence
}

/** Whether words say when something is, or how often, and nothing else. */
const isTime = (words: string, at: Moment, language: Language): boolean => {
  const repeat = repeatIn(words)
  const rest = repeat ? words.replace(repeat.text, '').trim() : words
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

/** "By Monday" is when a duty is due; "Monday's meeting" is what it is about. */
const isDated = (body: string, { index, text }: Mention, isNote: boolean): boolean =>
  isNote ||
  /^(?:today|tonight|tomorrow|on|by|at|before|this|next|in)\b/i.test(text) ||
  /(?:^| )(?:by|on|before|until|due|at|this|next) (?:the )?$/i.test(body.slice(0, index))

/** When stands before what, or at its end; in the middle it belongs to it. */
const taskOf = (
  body: string,
  mentions: Mention[],
  isFree: boolean,
): { due?: Mention | undefined; thing: string } => {
  const [first] = mentions
  const last = mentions.at(-1)
  const lead = first ? body.slice(0, first.index).trim().replace(BEFORE_DATE, '') : ''
  if (first && !lead.replace(BEFORE_DATE, '').trim() && !isRepeated(body, first)) {
    const rest = body.slice(first.index + first.text.length).replace(/^[\s,]+/, '')
    return { due: first, thing: thingIn(rest, isFree) }
  }
  const thing = isRepeated(body, first) ? body : thingIn(body, isFree)
  if (!last) return { thing }
  const after = body.slice(last.index + last.text.length)
  const isAtEnd = !after.replace(/^[\s,]*(?:at the latest|please|latest|sharp)?[\s,]*/, '')
  if (isRepeated(body, last)) return { due: last, thing: thing.replace(REPEATED, '$2 $1') }
  if (!isAtEnd) return { due: isDated(body, last, false) ? last : undefined, thing }
  const before = trimBefore(body.slice(0, last.index))
  return { due: last, thing: thingIn(before, isFree) }
}

const thingIn = (text: string, isFree: boolean): string =>
  isFree || THING.exec(text)?.[0] ? text.replace(THING, '') : ''

const trimBefore = (text: string): string => {
  const trimmed = text.trim().replace(/,$/, '')
  const shorter = trimmed.replace(BEFORE_DATE, '')
  return shorter === trimmed ? trimmed : trimBefore(shorter)
}
