import type { RecalledMemory } from '../../shared/contract/recall.ts'
import { withTrustNote } from '../../shared/origin.ts'
import { codeUnits } from '../../shared/text/cost.ts'
import { sentencesAbout } from '../../shared/text/sentences.ts'
import { wordsOf } from '../../shared/text/words.ts'
import { momentsOf } from '../memory/recall/moments.ts'
import type { LocalAnswer, LocalReason } from '../platform/models/types.ts'
import { asksForTime, dayInWords, type SaidTime, saidTimes } from './said-times.ts'
import { containsStatement } from './statements.ts'

/** Replaces a local answer in the history: memories are shown to a model only as marked data. */
export const LOCAL_ANSWER_PLACEHOLDER = '(Memories were quoted here; no model answered.)'

const MAX_QUOTES = 5
const QUOTE_LIMIT = { limit: 500, cost: codeUnits }
/** A quote names so many of its times. */
const MAX_TIMES = 3
/** A memory that scores less than this share of the best is not quoted. */
const MIN_SCORE_SHARE = 0.2

const EXPLANATION: Record<LocalReason, string> = {
  requested: 'No model was requested, so this answer comes from your memories alone.',
  unconfigured: 'No model is configured, so this answer comes from your memories alone.',
  failed: 'No model could answer just now, so this answer comes from your memories alone.',
}

/**
 * Answers without a model by quoting memories.
 * @param learned what was learned of the message, which the answer confirms as remembered where it
 * contains a statement.
 */
export const quoteMemories = (
  { message, learned }: { message: string; learned: string },
  memories: RecalledMemory[],
  timezone: string,
): LocalAnswer =>
  async function* (reason) {
    yield `${EXPLANATION[reason]}\n\n`
    const isRemembered = containsStatement(learned)
    if (isRemembered) yield 'What you said is remembered.\n\n'
    const best = memories[0]?.score ?? 0
    const quoted = memories
      .slice(0, MAX_QUOTES)
      .filter(({ score }) => score >= best * MIN_SCORE_SHARE)
    if (quoted.length === 0) return yield `No ${isRemembered ? 'other ' : ''}memory is about this.`
    yield quoted.length === 1 ? 'This memory is about it:\n' : 'These memories are about it:\n'
    const words = wordsOf(message)
    const momentOf = momentsOf(quoted, timezone)
    for (const [index, memory] of quoted.entries()) {
      const passage = sentencesAbout(memory.content_text.trim(), QUOTE_LIMIT, words)
      const times = await saidTimes(passage, memory, timezone)
      if (index === 0 && asksForTime(message)) yield `${timeOf(memory, times, timezone)}\n`
      yield `\n> ${passage.replace(/\r?\n/g, '\n> ')}\n> — ${formatOrigin(memory, momentOf(memory))}${formatTimes(times)}\n`
    }
  }

/** The time that was asked for, by the best match. */
const timeOf = (memory: RecalledMemory, [time]: SaidTime[], timezone: string): string => {
  const day = dayInWords(memory, timezone)
  return time
    ? `The first says “${oneLine(time.text)}” on ${day}: ${time.means}.`
    : `The first is of ${day}.`
}

const formatTimes = (times: SaidTime[]): string => {
  const shown = times.slice(0, MAX_TIMES).map(({ text, means }) => `${oneLine(text)}: ${means}`)
  return shown.length ? ` (${shown.join('; ')})` : ''
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ')

const formatOrigin = ({ author, source }: RecalledMemory, moment: string): string =>
  withTrustNote(author ? `${oneLine(author)}, ${moment}` : moment, source)
