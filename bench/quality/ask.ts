import type { Database } from '../../server/platform/db/database.ts'
import { context, recall, rememberBatch, talk } from '../../shared/contract/index.ts'
import { findPlain } from '../lib/plain-bm25.ts'
import type { Account } from '../lib/server.ts'
import { mean, timed } from '../lib/stats.ts'
import { type Conversation, type SourceQuestion, UNANSWERED } from './data.ts'

/** The results of a question. */
export const LIMIT = 50
const BATCH = 500

/** The tokens of the texts for a model. */
export const BUDGETS = [500, 1_000, 2_000, 4_000]

export const METHODS = ['recall', 'plain'] as const
export type SearchMethod = (typeof METHODS)[number]

/** The ranks of the evidence of a question, from 1; infinity for missing evidence. */
interface EvidenceRanks {
  turns: number[]
  /** Of the sessions with evidence, each where its first result is. */
  sessions: number[]
}

/** A text within a budget. */
interface AskedText {
  /** The share of the evidence whose memory is in the text. */
  evidence: number
  /** Whether it holds the true answer word for word; undefined without one. */
  hasAnswer: boolean | undefined
  tokens: number
}

export interface Answer {
  conversation: string
  question: SourceQuestion
  ranks: Record<SearchMethod, EvidenceRanks>
  /** The first result, if it is no evidence. */
  wrongFirst: string | undefined
  /** By budget, in the order of `BUDGETS`. */
  texts: AskedText[]
  /** Whether a prompt with the question is given memories; undefined for a store whose questions are all answered. */
  isGiven: boolean | undefined
  ms: number
}

/** @returns the memory ids by the ids of the source. Equal texts in a thread have one memory. */
export const write = async (
  { client }: Account,
  { memories }: Conversation,
): Promise<Map<string, string>> => {
  const ids = new Map<string, string>()
  for (let start = 0; start < memories.length; start += BATCH) {
    const part = memories.slice(start, start + BATCH)
    const stored = await client.call(rememberBatch, {
      body: {
        memories: part.map(({ thread, author, occurredAt, content }) => ({
          content,
          ...(thread !== undefined && { thread, memory_type: 'episodic' as const }),
          ...(author !== undefined && { author }),
          ...(occurredAt !== undefined && { occurred_at: occurredAt }),
        })),
      },
    })
    for (const [index, { id }] of part.entries())
      ids.set(id, stored.memories[index]?.memory_id ?? '')
  }
  return ids
}

/** Ranks results of which only the first of each key counts. */
const ranksIn = (wanted: string[], found: string[]): number[] => {
  const rankOf = new Map([...new Set(found)].map((key, index) => [key, index + 1]))
  return wanted.map((key) => rankOf.get(key) ?? Number.POSITIVE_INFINITY)
}

/** Asks the questions of a conversation that was written. */
export const ask = async (
  { client, userId }: Account,
  beside: Database,
  { name, memories, questions }: Conversation,
  ids: Map<string, string>,
): Promise<Answer[]> => {
  const threadOf = new Map(memories.map(({ id, thread = id }) => [ids.get(id) ?? '', thread]))
  const hasUnanswered = questions.some(({ category }) => category === UNANSWERED)
  const answers: Answer[] = []
  for (const question of questions) {
    const query = question.question
    const [ms, { memories: recalled }] = await timed(() =>
      client.call(recall, { body: { query, limit: LIMIT } }),
    )
    const plain = await findPlain(beside, userId, query, LIMIT)
    const evidence = question.evidence.map((id) => ids.get(id) ?? '')
    const evidenceThreads = [...new Set(evidence.map((id) => threadOf.get(id) ?? ''))]
    const ranksOf = (found: string[]): EvidenceRanks => ({
      turns: ranksIn(evidence, found),
      sessions: ranksIn(
        evidenceThreads,
        found.map((id) => threadOf.get(id) ?? ''),
      ),
    })
    const ranks = {
      recall: ranksOf(recalled.map(({ memory_id }) => memory_id)),
      plain: ranksOf(plain.map(({ memory_id }) => memory_id)),
    }
    const texts: AskedText[] = []
    for (const max_tokens of BUDGETS) {
      const body = { query, format: 'text', max_tokens } as const
      const { text = '', memory_ids = [], tokens = 0 } = await client.call(recall, { body })
      const given = new Set(memory_ids)
      texts.push({
        evidence: evidence.filter((id) => given.has(id)).length / (evidence.length || 1),
        hasAnswer: question.answer === undefined ? undefined : holds(text, question.answer),
        tokens,
      })
    }
    const first = recalled[0]?.memory_id
    const wrongFirst = first && evidence.includes(first) ? undefined : first
    const given = hasUnanswered && (await client.call(context, { body: { query } }))
    const isGiven = given ? given.text !== '' : undefined
    answers.push({ conversation: name, question, ranks, wrongFirst, texts, isGiven, ms })
  }
  return answers
}

/** Of each question for a time, whether the answer without a model holds the true one. */
export const answerTimes = async (
  { client }: Account,
  { questions }: Conversation,
): Promise<boolean[]> => {
  const held: boolean[] = []
  for (const { question, answer, category } of questions) {
    if (answer === undefined || !category.startsWith('temporal')) continue
    const { icog_response } = await client.call(talk, { body: { message: question } })
    held.push(holds(icog_response, answer))
  }
  return held
}

/**
 * Whether a text holds an answer word for word: without case, punctuation and a preposition before it, and with
 * "May 7, 2023" as "7 May 2023".
 */
export const holds = (text: string, answer: string): boolean => {
  const wanted = plainWords(answer).replace(/^ (?:in|on|at|the|an?) /, ' ')
  return wanted.trim() !== '' && plainWords(text).includes(wanted)
}

const plainWords = (text: string): string => {
  const words = text
    .toLowerCase()
    .replace(/(\d)(?=\p{L})/gu, '$1 ')
    .match(/[\p{L}\p{N}]+/gu)
  return ` ${(words ?? []).join(' ')} `.replace(/ (\p{L}{3,9}) (\d{1,2}) (\d{4}) /gu, ' $2 $1 $3 ')
}

/** The mean share of the evidence among the first `k` results, in percent. */
export const recallAt = (
  k: number,
  answers: Answer[],
  method: SearchMethod,
  unit: keyof EvidenceRanks = 'turns',
): number =>
  100 *
  mean(
    answers.map(({ ranks }) => {
      const found = ranks[method][unit]
      return found.filter((rank) => rank <= k).length / found.length
    }),
  )
