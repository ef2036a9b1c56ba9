import { MEMORY_ELEMENT } from '../../../shared/assistant-text.ts'
import type { RecalledMemory } from '../../../shared/contract/recall.ts'
import { wordsOf } from '../../../shared/text/words.ts'
import { cutToTokens, MIN_ITEM_TOKENS, oneLine, quoteLines } from '../../memory/recall/passages.ts'
import { MEMORY_RULE } from '../../memory/text/given.ts'
import { escapeMarks } from '../../memory/text/marks.ts'
import type { Stepwise } from '../../platform/event-loop.ts'
import { estimateTokens } from '../../platform/models/prompt.ts'

/** The marks around the block. A client that imports transcripts leaves out what is between them. */
export const BLOCK_BEGIN = `<${MEMORY_ELEMENT}>`
export const BLOCK_END = `</${MEMORY_ELEMENT}>`

/** The maximum share of the budget of one memory among several. */
const ITEM_SHARE = 0.4

interface BlockInput {
  question: string
  /** The project of the conversation. */
  project: string | undefined
  /** Statements that identify the user and the project. */
  identity: string[]
  /** Best first. */
  memories: RecalledMemory[]
  timezone: string
  maxTokens: number
}

export interface Block {
  /** Empty where nothing fits. */
  text: string
  memories: RecalledMemory[]
  tokens: number
  hasIdentity: boolean
}

/**
 * Formats what fits into a budget: what identifies the user, then the memories, best first. One step is one
 * memory.
 */
export function* formatBlock(input: BlockInput): Stepwise<Block> {
  const { question, project, identity, memories, timezone, maxTokens } = input
  const left = maxTokens - estimateTokens(`${BLOCK_BEGIN}\n${MEMORY_RULE}\n${BLOCK_END}`)
  const about = aboutUser(identity, Math.floor(left * ITEM_SHARE), wordsOf(question))
  const aboutTokens = about && estimateTokens(`\n${about}`)
  const hasIdentity = aboutTokens !== '' && aboutTokens <= left
  const quoted = yield* quoteLines({
    question,
    project,
    memories,
    timezone,
    maxTokens: hasIdentity ? left - aboutTokens : left,
    shareOf: (rest) => (memories.length > 1 ? Math.max(rest * ITEM_SHARE, MIN_ITEM_TOKENS) : rest),
  })
  const lines = [...(hasIdentity ? [about] : []), ...quoted.lines]
  if (lines.length === 0) return { text: '', memories: [], tokens: 0, hasIdentity: false }
  const text = [BLOCK_BEGIN, MEMORY_RULE, ...lines, BLOCK_END].join('\n')
  return { text, memories: quoted.memories, tokens: estimateTokens(text), hasIdentity }
}

/** The statements that fit, on one line; empty where none does. The last one is cut to whole sentences. */
const aboutUser = (identity: string[], tokens: number, words: string[]): string => {
  let about = ''
  for (const statement of identity) {
    const before = `${about || 'The user:'} `
    const room = tokens - estimateTokens(before)
    const text = cutToTokens(oneLine(escapeMarks(statement)), room, words)
    if (/[\p{L}\p{N}]/u.test(text)) about = `${before}${text}`
  }
  return about
}
