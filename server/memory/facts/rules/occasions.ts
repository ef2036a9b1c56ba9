import { alternatives } from '../../../../shared/text/alternatives.ts'
import { instantAt, minuteAt } from '../../../platform/timezone.ts'
import {
  type FactRule,
  type PartialFact,
  possessiveRule,
  RELATION,
  RELATION_ADJECTIVES,
  type Speaker,
  subjectRule,
} from './clause.ts'
import { type DateLanguage, isoDay, type LocalMoment, mentionsIn } from './dates.ts'
import { slug } from './fact.ts'
import { RELATIONS } from './words.ts'

/** Events that take place on a day. */
const EVENT = `(?:${alternatives(`
      exam | exams | test | interview | appointment | meeting | flight | wedding | surgery
      operation | graduation | deadline | trip | party | concert | recital | defen[cs]e
      presentation | conference | check-?up | due date | hearing | audition | marathon | race
      tournament | competition | performance | show | exhibition | holiday | vacation | move
      viewing | delivery | funeral | baptism | christening | bar mitzvah | bat mitzvah | prom
      reunion | ceremony | launch | release | workshop | course | lesson | match | game
    `)})`
const YEARLY = '(?:birthday|wedding anniversary|anniversary|name day)'
const WHEN = String.raw`(?<when>(?:[^.;:!?()\u0000–—]|[.:](?=\d)){3,80})`
const ON = '(?:on |this |next |in |is |falls on |takes place on |at |, )?'

/** Words that may stand between an event and its date. */
const BEFORE_DAY = new RegExp(
  `^(?:(?:${alternatives(`
      on | this | next | last | at | for | in | the | coming | up | back | am | el | le | just
      always | actually | \\p{Lu}\\p{L}+
    `)}),? )*$`,
  'u',
)

/** The only day that a text names; undefined if it names several, or a month alone. */
const dayIn = (text: string, at: LocalMoment, isAhead: boolean, language?: DateLanguage) => {
  const [clause = ''] = text.split(/ (?:and|but|so|because|und|y|et) /)
  const [mention, ...others] = mentionsIn(clause, at, isAhead, language)
  const isAlone = mention && others.length === 0
  return isAlone && BEFORE_DAY.test(clause.slice(0, mention.index)) ? mention : undefined
}

export const yearly = (
  key: string,
  text: string,
  at: LocalMoment,
  language?: DateLanguage,
): PartialFact[] => {
  const found = dayIn(text, at, false, language)
  if (!found || found.isWeekday) return []
  const day = isoDay(found.day)
  return [
    { kind: 'date', key, value: found.hasYear && isFullDate(found.text) ? day : day.slice(5) },
  ]
}

/** A birthday has a year only if the text has one; "tomorrow" has none. */
const isFullDate = (text: string) => /\d{4}/.test(text)

const once = (event: string, text: string, { at }: Speaker, isAhead: boolean): PartialFact[] => {
  const found = dayIn(text, at, isAhead)
  if (!found) return []
  const { timezone } = at
  const time = found.at && (found.instant ?? instantAt(found.at, timezone))
  const value = time ? minuteAt(time, timezone) : isoDay(found.day)
  return [{ kind: 'date', key: `date.${slug(event)}`, value }]
}

export const occasions: FactRule[] = [
  possessiveRule(
    `(?<what>${YEARLY}) (?:is|was|falls|will be)(?: on)? ${WHEN}`,
    ({ what = '', when = '' }, { at }) =>
      yearly(`date.${slug(what.replace('wedding ', ''))}`, when, at),
  ),
  possessiveRule(
    `${RELATION_ADJECTIVES}(?<whose>${RELATION})'s (?<what>${YEARLY}) (?:is|was|falls|will be)(?: on)? ${WHEN}`,
    ({ whose = '', what = '', when = '' }, { at }) =>
      yearly(`date.${slug(`${RELATIONS[whose]} ${what}`)}`, when, at),
  ),
  subjectRule(`(?:was|were) born (?:on|in) ${WHEN}`, ({ when = '' }, { at }) =>
    yearly('date.birthday', when, at),
  ),
  possessiveRule(
    `(?<what>(?:[\\p{L}-]+ ){0,2}?${EVENT}) (?:${alternatives(`
        is | takes place | starts | begins | will be | has been moved to | was moved to
        got moved to
      `)}) ${ON}${WHEN}`,
    ({ what = '', when = '' }, speaker) => once(what, when, speaker, true),
  ),
  possessiveRule(
    `(?<what>(?:[\\p{L}-]+ ){0,2}?${EVENT}) was (?:on |last )?${WHEN}`,
    ({ what = '', when = '' }, speaker) => once(what, when, speaker, false),
  ),
  subjectRule(
    `{have} (?:an?|my|the|our|his|her|their) (?<what>(?:[\\p{L}'-]+ ){0,2}?${EVENT}) (?:(?:with|to) [^,.;!?]{1,40}? |at [^,.;!?\\d]{1,40}? |in [\\p{Lu}][\\p{L}]+ )?(?<when>(?:on|this|next|tomorrow|today)\\b(?:[^.;:!?()\\u0000]|[.:](?=\\d)){0,80})`,
    ({ what = '', when = '' }, speaker) => once(what, when, speaker, true),
  ),
]
