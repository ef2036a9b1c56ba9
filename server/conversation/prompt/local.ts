import type { RecalledMemory } from '../../../shared/schemas/memory.ts'
import type { LocalAnswer, LocalReason } from '../../platform/models/types.ts'
import { dayOf } from './day.ts'
import { saysSomething } from './words.ts'

/** Stands in a history for such an answer: quoted again, memories would stand outside of the data. */
export const QUOTED = '(Memories were quoted here; no model answered.)'

const MAX_QUOTES = 5
const QUOTE_CHARS = 500
/** What is found by less than this share of the best score hardly answers. */
const LEAST_SHARE = 0.35

const WHO: Record<LocalReason, string> = {
  asked: 'No model was asked for this answer: it comes from your memories alone.',
  unconfigured: 'No model is configured, so this answer comes from your memories alone.',
  failed: 'No model could answer just now, so this answer comes from your memories alone.',
}

/** Answers from memories by quoting them, and says that it is no more than that. */
export const quoteMemories = (
  message: string,
  memories: RecalledMemory[],
  /** Where the person is. */
  timezone: string,
): LocalAnswer =>
  function* (why) {
    yield `${WHO[why]}\n\n`
    const isNew = saysSomething(message)
    if (isNew) yield 'What you said is remembered.\n\n'
    const best = memories[0]?.score ?? 0
    const found = memories.slice(0, MAX_QUOTES).filter(({ score }) => score >= best * LEAST_SHARE)
    if (found.length === 0)
      return yield `Nothing ${isNew ? 'else ' : ''}that is remembered is about this.`
    yield found.length === 1 ? 'This is remembered about it:\n' : 'These are remembered about it:\n'
    for (const memory of found)
      yield `\n> ${quote(memory.content_text)}\n> — ${originOf(memory, timezone)}\n`
  }

const quote = (text: string): string => {
  const cut = text.length > QUOTE_CHARS ? `${text.slice(0, QUOTE_CHARS).toWellFormed()}…` : text
  return cut.trim().replace(/\r?\n/g, '\n> ')
}

const originOf = (memory: RecalledMemory, timezone: string): string => {
  const { author } = memory
  const day = dayOf(memory, timezone)
  return author ? `${author.replace(/\s+/g, ' ')}, ${day}` : day
}
