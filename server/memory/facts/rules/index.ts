import { runSteps, runStepsYielding, type Stepwise } from '../../../platform/event-loop.ts'
import { UTC } from '../../../platform/timezone.ts'
import type { PartialFact, Speaker } from './clause.ts'
import { momentAt, statementTime } from './dates.ts'
import { englishFacts } from './english.ts'
import { authorSubject, type Fact, factIdentity } from './fact.ts'
import { chinese } from './languages/chinese.ts'
import { french } from './languages/french.ts'
import { german } from './languages/german.ts'
import { asPreference, type Grammar } from './languages/grammar.ts'
import { japanese } from './languages/japanese.ts'
import { spanish } from './languages/spanish.ts'
import { sentencesIn } from './prose.ts'
import { reminderIn } from './reminders.ts'

/** The author and the time of a text. */
interface FactContext {
  /** The subject of statements in the first person; null for the owner. */
  author: string | null
  occurredAt: Date | null
  /** The time of the text if `occurredAt` is null. */
  now: Date
  /** The time zone of the author; default UTC. */
  timezone?: string
}

const MAX_FACTS = 100
/** The subject of a model's statements in the first person, which are dropped. */
const NO_SUBJECT = ''

/**
 * Extracts the facts that a text plainly states about people: in English, and the commonest statements
 * in the first person in German, Spanish, French, Chinese and Japanese. A wrong fact is worse than none:
 * questions, doubts, conditions, the past, quotations and reported speech yield none. Days and hours are
 * on the author's clock, relative to the time of the text. Takes time linear in the length of the text.
 */
export const factsIn = (text: string, origin: FactContext): Fact[] =>
  runSteps(readFacts(text, origin))

/** As `factsIn`, yielding to the event loop between sentences. */
export const factsInYielding = (text: string, origin: FactContext): Promise<Fact[]> =>
  runStepsYielding(readFacts(text, origin))

function* readFacts(
  text: string,
  { author, occurredAt, now, timezone = UTC }: FactContext,
): Stepwise<Fact[]> {
  const person = authorSubject(author)
  const speaker = {
    name: person ?? NO_SUBJECT,
    at: momentAt(statementTime(occurredAt, now, timezone), timezone),
  }
  const facts = new Map<string, Fact>()
  for (const sentence of sentencesIn(text, author)) {
    if (facts.size === MAX_FACTS) break
    yield
    const english = englishFacts(sentence.text, speaker)
    const partials = english.length > 0 ? english : factsInOtherLanguages(sentence.text, speaker)
    for (const partial of partials) {
      if (facts.size === MAX_FACTS) break
      const fact = {
        subject: speaker.name,
        polarity: null,
        dueAt: null,
        ...partial,
        timezone: partial.dueAt ? timezone : null,
        quote: sentence.quote,
      }
      if (fact.subject !== NO_SUBJECT) facts.set(factIdentity(fact), fact)
    }
  }
  return [...facts.values()]
}

const GRAMMARS: Grammar[] = [german, spanish, french, chinese, japanese]

/** The facts of a first-person sentence in a language other than English. */
const factsInOtherLanguages = (sentence: string, speaker: Speaker): PartialFact[] => {
  // Reads at most 400 characters: a sentence.
  const text = sentence.replace(/(?<![.!。！\s])[.!。！\s]+$/u, '')
  for (const grammar of GRAMMARS) {
    const partials = factsByGrammar(text, grammar, speaker)
    if (partials.length > 0) return partials
  }
  return []
}

const factsByGrammar = (text: string, grammar: Grammar, speaker: Speaker): PartialFact[] => {
  const reminder = grammar.language ? reminderIn(text, speaker, grammar.language) : []
  if (reminder.length > 0) return reminder
  if (!grammar.speaks.test(text)) return []
  const statement = text.replace(grammar.lead, '')
  const disliked = grammar.disliked?.exec(statement)?.groups?.value
  if (disliked) {
    const partials = asPreference('dislike')(disliked, speaker)
    if (partials.length > 0) return partials
  }
  if (grammar.doubt.test(text)) return []
  return statement.split(grammar.joint).flatMap((clause) => {
    for (const { pattern, read } of grammar.forms) {
      const value = pattern.exec(clause)?.groups?.value
      const partials = value ? read(value, speaker) : []
      if (partials.length > 0) return partials
    }
    return []
  })
}
