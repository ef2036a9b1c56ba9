import { dueAt, type Language, type Mention, mentionsIn } from './dates.ts'
import { slug } from './fact.ts'
import type { Draft, Speaker } from './statement.ts'

const MAX_VALUE = 200

/** What asks to be reminded, by language; what of and when stands after it. */
const ASKED: Record<Language, RegExp> = {
  en: /^(?:(?:hey|ok|okay|also|and|so|oh)[, ]+)?(?:please,? |(?:can|could|will|would) you (?:please )?|i (?:want|need) you to |i would like you to )?(?:(?:set (?:me )?an? reminder|remind me|send me a reminder)\b(?! of (?:you|him|her|that|when|how|why|what)\b)|(?:do not|never) let me forget\b|(?:the )?user (?:asked|wants|wanted|would like) to be reminded\b|note to self:)\s*/i,
  de: /^(?:bitte )?erinner(?:e|n sie)? (?:mich|uns) (?:bitte )?/i,
  es: /^(?:por favor,? )?recu[eé]rd[ae]me (?:que )?/i,
  fr: /^(?:s'il te pla[iî]t,? )?rappelle[sz]?-moi /i,
}
/** Why it matters is no part of what is to be done. */
const REASON = /,? (?:otherwise|or else|because|so that|since|but) .*$/
/** Duties are reminders only with the day they are due. */
const DUTY =
  /^(?:i must (?:not forget|remember) to|(?:i|we) (?:really |also |still |just )?(?:need to|have to|must|have got to|got to|gotta)|(?:the )?user (?:needs to|has to|must)|remember to|do not forget to|(?:todo|to-do|to do|reminder):?(?: to)?) /i
const BEFORE_DATE =
  /(?:^| )(?:by|on|before|until|till|at|this|next|due|from|for|in|the|every|each|am|bis|el|antes del?|le|avant|around|no later than|latest|and)$/i
const THING = /^(?:(?:daran|dran|,|:|-)\s*)*(?:(?:to|that|about|of|de|que)\s+|d')?/i
/** "Every Monday to take out the bins" is said the other way round, and due for the first time then. */
const REPEATED = /^((?:every|each) [^,]{1,40}?) to (.+)$/i
const isRepeated = (body: string, mention: Mention | undefined): boolean =>
  mention !== undefined &&
  /\b(?:every|each|jeden|jede|cada|tous les|chaque) $/i.test(body.slice(0, mention.index))

/**
 * What somebody wants to be reminded of, or has to do by a day.
 * @param sentence in which contractions are spelled out.
 */
export const reminderIn = (
  sentence: string,
  { at }: Speaker,
  language: Language = 'en',
): Draft[] => {
  const asked = ASKED[language].exec(sentence)
  const duty = language === 'en' && !asked ? DUTY.exec(sentence) : null
  const [found] = asked ?? duty ?? []
  if (!found) return []
  const body = sentence
    .slice(found.length)
    .replace(REASON, '')
    .replace(/[.!?\s]+$/, '')
  if (!body || body.includes('\u0000')) return []
  const mentions = mentionsIn(body, at, true, language)
  // "Remind me later" names nothing; "don't let me forget the keys" does.
  const isFree = language !== 'en' || !/remind/i.test(found)
  const isHanging = mentions.length > 1 || / if /.test(body)
  if (duty && isHanging) return []
  const { due, thing } = taskOf(body, mentions, isFree)
  const value = thing.replace(/\s+/g, ' ').trim()
  if (value.length < 3 || value.length > MAX_VALUE || UNCERTAIN_START.test(value)) return []
  if (duty && (!value.includes(' ') || /\byou(?:r|rs|rself)?\b/i.test(value))) return []
  if (duty && !(due?.isDay && isDated(body, due, /reminder|to-?\s?do/i.test(found)))) return []
  const when = due ? dueAt(due, at) : null
  if (when && when < at) return []
  return [{ kind: 'reminder', key: `reminder.${slug(value).slice(0, 80)}`, value, dueAt: when }]
}

const UNCERTAIN_START = /^(?:of|why|how|when|what|it|that|this|if)\b|^(?:to )?(?:be honest|say)\b/i

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
