import { UTC } from '../../../platform/timezone.ts'
import { momentAt, saidAt } from './dates.ts'
import { englishFacts } from './english.ts'
import { type Fact, isSingular, subjectOf } from './fact.ts'
import { otherFacts } from './other-languages.ts'
import { sentencesIn } from './prose.ts'

export { saidAt } from './dates.ts'
export type { Fact } from './fact.ts'
export { isSingular, SELF, SINGULAR, slug, subjectOf } from './fact.ts'
export { lastBy, periodIn, REPEATS, REPEATS_LEAD } from './repeats.ts'
export { isCountry, isRegion } from './words.ts'

/** Where a text comes from. */
export interface Origin {
  /** Who wrote it, if that is known: the subject of what they say of themselves. */
  author: string | null
  occurredAt: Date | null
  /** When it was noted, for texts of which it is not known when they were said. */
  now: Date
  /** Where whoever said it is; UTC, if left out. */
  timezone?: string
}

const MAX_FACTS = 100
/** Stands for a speaker who is no person; no name is empty. */
const NOBODY = ''

/**
 * Reads from a text what it plainly says about people: in English, and the commonest statements in
 * the first person in German, Spanish and French. A wrong fact is worse than none: questions, doubts,
 * conditions, the past, quotations and what others say give nothing. Days and hours are those of the
 * speaker's time zone, relative to when the text was said. Takes time in proportion to the text's length.
 */
export const factsIn = (
  text: string,
  { author, occurredAt, now, timezone = UTC }: Origin,
): Fact[] => {
  const person = subjectOf(author)
  const speaker = {
    name: person ?? NOBODY,
    at: momentAt(saidAt(occurredAt, now, timezone), timezone),
  }
  const facts = new Map<string, Fact>()
  for (const sentence of sentencesIn(text, author)) {
    const english = englishFacts(sentence.text, speaker)
    const drafts = english.length > 0 ? english : otherFacts(sentence.text, speaker)
    for (const draft of drafts) {
      if (facts.size === MAX_FACTS) break
      const fact = {
        subject: speaker.name,
        polarity: null,
        dueAt: null,
        ...draft,
        timezone: draft.dueAt ? timezone : null,
        quote: sentence.quote,
      }
      if (fact.subject !== NOBODY) facts.set(placeOf(fact), fact)
    }
  }
  return [...facts.values()]
}

/** Facts of the same place say the same, or take each other's place. */
export const placeOf = ({ subject, key, value }: Fact): string =>
  JSON.stringify([subject, key, isSingular(key) ? null : value.toLowerCase()])
