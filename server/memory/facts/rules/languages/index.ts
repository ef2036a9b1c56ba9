import type { FactDraft, Speaker } from '../clause.ts'
import { reminderIn } from '../reminders.ts'
import { chinese } from './chinese.ts'
import { french } from './french.ts'
import { german } from './german.ts'
import { asPreference, type Grammar } from './grammar.ts'
import { japanese } from './japanese.ts'
import { spanish } from './spanish.ts'

const GRAMMARS: Grammar[] = [german, spanish, french, chinese, japanese]

/** The facts of a first-person sentence in a language other than English. */
export const factsInOtherLanguages = (sentence: string, speaker: Speaker): FactDraft[] => {
  // Reads at most 400 characters: a sentence.
  const text = sentence.replace(/(?<![.!。！\s])[.!。！\s]+$/u, '')
  for (const grammar of GRAMMARS) {
    const drafts = factsByGrammar(text, grammar, speaker)
    if (drafts.length > 0) return drafts
  }
  return []
}

const factsByGrammar = (text: string, grammar: Grammar, speaker: Speaker): FactDraft[] => {
  const reminder = grammar.language ? reminderIn(text, speaker, grammar.language) : []
  if (reminder.length > 0) return reminder
  if (!grammar.speaks.test(text)) return []
  const statement = text.replace(grammar.lead, '')
  const disliked = grammar.disliked?.exec(statement)?.groups?.value
  if (disliked) {
    const drafts = asPreference('dislike')(disliked, speaker)
    if (drafts.length > 0) return drafts
  }
  if (grammar.doubt.test(text)) return []
  return statement.split(grammar.joint).flatMap((clause) => {
    for (const { pattern, read } of grammar.forms) {
      const value = pattern.exec(clause)?.groups?.value
      const drafts = value ? read(value, speaker) : []
      if (drafts.length > 0) return drafts
    }
    return []
  })
}
