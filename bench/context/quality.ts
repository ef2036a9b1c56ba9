import { factReader } from '../../server/memory/facts/questions.ts'
import { createIndexSearch } from '../../server/memory/recall/index-search.ts'
import { createOwnerIndexes } from '../../server/memory/recall/owner-indexes.ts'
import type { RecallCaller } from '../../server/memory/recall/question.ts'
import { createRecallService, type RankedMemory } from '../../server/memory/recall/service.ts'
import type { Database } from '../../server/platform/db/database.ts'
import { runSteps } from '../../server/platform/event-loop.ts'
import { formatBlock } from '../../server/prompt/context/block.ts'
import { type RelevanceCut, selectMemories } from '../../server/prompt/context/selection.ts'
import { CANDIDATES } from '../../server/prompt/context/service.ts'
import { rememberBatch } from '../../shared/contract/index.ts'
import { openEncoder } from '../lib/encoder.ts'
import type { Account } from '../lib/server.ts'
import { mean } from '../lib/stats.ts'
import { write } from '../quality/ask.ts'
import type { Conversation } from '../quality/data.ts'
import { PROMPTS_WITH_NEED, PROMPTS_WITHOUT_NEED } from './prompts.ts'

const MAX_INDEX_BYTES = 1024 ** 3

/** A prompt, with what recall found for it. */
export interface AskedPrompt {
  kind: 'question' | 'need' | 'no need'
  query: string
  /** The ids of the memories that answer it. */
  evidence: string[]
  found: RankedMemory[]
}

const callerOf = ({ userId, email }: Account): RecallCaller => ({
  userId,
  ownerId: userId,
  keyId: null,
  isForOrg: false,
  timezone: 'UTC',
  me: { email, display_name: null } as RecallCaller['me'],
})

/**
 * Writes a conversation and the notes of the prompts, and recalls for its questions and all prompts. The
 * questions are asked before the notes are written.
 */
export const askAll = async (
  account: Account,
  beside: Database,
  conversation: Conversation,
  untilRead: () => Promise<void>,
): Promise<AskedPrompt[]> => {
  await using vectors = openEncoder(beside)
  const { recallForModel } = createRecallService(beside, {
    embedQuestion: vectors.embedQuestion,
    searchIndex: createIndexSearch(
      beside.query,
      createOwnerIndexes(beside, vectors.model, { maxBytes: MAX_INDEX_BYTES }),
    ),
    facts: factReader,
    record: () => {},
  })
  const ask = async (kind: AskedPrompt['kind'], query: string, evidence: string[]) => {
    const request = { query, limit: CANDIDATES, scope: 'all', explain: true } as const
    const found = await recallForModel(callerOf(account), request)
    return { kind, query, evidence, found: found.flat() }
  }
  const asked: AskedPrompt[] = []
  const ids = await write(account, conversation)
  await untilRead()
  for (const { question, evidence } of conversation.questions)
    asked.push(
      await ask(
        'question',
        question,
        evidence.map((id) => ids.get(id) ?? id),
      ),
    )
  const { memories } = await account.client.call(rememberBatch, {
    body: { memories: PROMPTS_WITH_NEED.map(({ note }) => ({ content: note })) },
  })
  await untilRead()
  for (const [index, { prompt }] of PROMPTS_WITH_NEED.entries())
    asked.push(await ask('need', prompt, [memories[index]?.memory_id ?? '']))
  for (const prompt of PROMPTS_WITHOUT_NEED) asked.push(await ask('no need', prompt, []))
  return asked
}

interface GivenBlock {
  isGiven: boolean
  /** The share of the evidence whose memory is in the block. */
  evidence: number
  /** The share of the question's long words in the evidence that the text of the block still has. */
  kept: number[]
  tokens: number
}

const LONG_WORDS = /[\p{L}\p{N}]{4,}/gu
const wordsIn = (text: string): Set<string> => new Set(text.toLowerCase().match(LONG_WORDS))

/** The block that a prompt gets with a cut and a budget. */
export const giveBlock = (
  { query, evidence, found }: AskedPrompt,
  cut: RelevanceCut,
  maxTokens: number,
): GivenBlock => {
  const selection = { query, limit: CANDIDATES, except: new Set<string>(), cut }
  const memories = selectMemories(found, selection)
  const block = runSteps(
    formatBlock({
      question: query,
      project: undefined,
      identity: [],
      memories,
      timezone: 'UTC',
      maxTokens,
    }),
  )
  const given = block.memories.filter(({ memory_id }) => evidence.includes(memory_id))
  const shown = wordsIn(block.text)
  const asked = wordsIn(query)
  const kept = given.flatMap(({ content_text }) => {
    const both = wordsIn(content_text).intersection(asked)
    return both.size ? [both.intersection(shown).size / both.size] : []
  })
  return {
    isGiven: block.text !== '',
    evidence: evidence.length ? given.length / evidence.length : 0,
    kept,
    tokens: block.tokens,
  }
}

export interface Quality {
  prompts: number
  /** The share of the prompts that got a block, in percent. */
  given: number
  /** The mean share of the evidence in the blocks, in percent. */
  evidence: number
  kept: number
  tokens: number
}

export const qualityOf = (asked: AskedPrompt[], cut: RelevanceCut, maxTokens: number): Quality => {
  const blocks = asked.map((prompt) => giveBlock(prompt, cut, maxTokens))
  return {
    prompts: asked.length,
    given: 100 * mean(blocks.map(({ isGiven }) => Number(isGiven))),
    evidence: 100 * mean(blocks.map(({ evidence }) => evidence)),
    kept: 100 * mean(blocks.flatMap(({ kept }) => kept)),
    tokens: mean(blocks.map(({ tokens }) => tokens)),
  }
}
