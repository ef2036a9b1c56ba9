import type { RecalledMemory } from '../../../shared/contract/recall.ts'
import { findWords, wordsOf } from '../../../shared/text/words.ts'
import { ANSWER_SOURCE } from '../../memory/memories/actor.ts'
import { cutToTokens, oneLine } from '../../memory/recall/passages.ts'
import type { RankedMemory } from '../../memory/recall/service.ts'
import { containsStatement, countWords } from '../statements.ts'

/** The maximum share of a model's earlier answers among the memories. */
const ANSWER_SHARE = 0.25

/** When a prompt is given memories, and how many. The defaults are chosen by `bench/context.ts`. */
export interface RelevanceCut {
  /**
   * The relevance that one of the first results needs: see `relevanceOf`. A fact that the prompt asks for is
   * enough, too, and so is a time with a word that they share.
   */
  minRelevance: number
  /** The score that a memory needs, relative to the best one. */
  minScoreShare: number
}

export const RELEVANCE_CUT: RelevanceCut = { minRelevance: 1, minScoreShare: 0.2 }
/** The length of the passage that a memory is judged by: a long text has some words of almost any prompt. */
const JUDGED_TOKENS = 120
/** The weight of the similarity beside the square of the share of the words. */
const SIMILARITY_WEIGHT = 2
/** The similarity of a text without a vector: 37 % of the words are enough. */
const UNKNOWN_SIMILARITY = 0.43
/** Shorter words are mostly function words. */
const MIN_WORD_LENGTH = 4
/** For a query that a model or a person wrote to search: it is given what is found. */
export const SEARCH_CUT: RelevanceCut = { ...RELEVANCE_CUT, minRelevance: 0 }
/**
 * The results that show whether the memories know of the subject: recall may put five preferences first, and
 * the next is sometimes only a namesake.
 */
const JUDGED_RESULTS = 8
/** A prompt of fewer words that asks nothing is about the conversation: "yes", "try again". */
const MIN_WORDS = 3
const QUESTION_MARK = /[?\u037E\u061F\uFF1F]/

export interface Selection {
  /** The prompt. */
  query: string
  limit: number
  /** Ids of memories, or of the messages that they were made of, that the model has seen. */
  except: ReadonlySet<string>
  /** The memories of this conversation are left out. */
  thread?: string | undefined
  cut?: RelevanceCut
}

/**
 * The relevant memories for a model among those recalled, best first, each text once. There are none where
 * the best of them hold little of what the prompt is about.
 */
export const selectMemories = (
  recalled: RankedMemory[],
  { query, limit, except, thread, cut = RELEVANCE_CUT }: Selection,
): RecalledMemory[] => {
  if (cut.minRelevance > 0 && isRemark(query)) return []
  const maxAnswers = Math.ceil(limit * ANSWER_SHARE)
  const minScore = (recalled[0]?.score ?? 0) * cut.minScoreShare
  const texts = new Set<string>()
  let answers = 0
  const unseen = recalled.filter(
    (memory) =>
      !except.has(memory.memory_id) &&
      !except.has(memory.source.ref ?? '') &&
      (thread === undefined || memory.thread !== thread) &&
      isWorthGiving(memory),
  )
  const judged = unseen.slice(0, JUDGED_RESULTS)
  const isOfTimeAlone = judged.every(({ match }) => match === 0)
  const isAnswering = (memory: RankedMemory): boolean =>
    cut.minRelevance === 0 ||
    (isAskedFor(memory, query) &&
      (isOfTimeAlone || memory.match > 0 || memory.explanation.fact > 0)) ||
    relevanceOf(memory, query) >= cut.minRelevance
  if (!judged.some(isAnswering)) return []
  return unseen
    .filter((memory) => memory.score >= minScore || isAskedFor(memory, query))
    .filter(({ content_text }) => !texts.has(content_text) && texts.add(content_text))
    .filter(({ source }) => source.kind !== ANSWER_SOURCE || answers++ < maxAnswers)
    .slice(0, limit)
    .map(
      ({ match: _match, similarity: _similarity, explanation: _explanation, ...memory }) => memory,
    )
}

const isRemark = (query: string): boolean =>
  countWords(query) < MIN_WORDS && !QUESTION_MARK.test(query)

/** Whether a memory states a fact, or is of a time, that the prompt asks for: a task names a time for other reasons. */
const isAskedFor = ({ explanation }: RecalledMemory, query: string): boolean =>
  explanation !== undefined &&
  (explanation.fact > 0 || (explanation.time > 0 && QUESTION_MARK.test(query)))

/** Words that say what a text is about: the longer ones, and those of languages without spaces. */
const topicWords = (text: string): string[] =>
  wordsOf(text).filter((word) => word.length >= MIN_WORD_LENGTH || /[^\p{ASCII}]/u.test(word))

const countFound = (text: string, words: string[]): number =>
  new Set(findWords(text, words).map(({ word }) => word)).size

/**
 * How much of the prompt the best passage of a memory holds, from 0 to 3: the square of the share of the prompt's
 * words, by rarity, that the memory has, reduced to the words that are in the passage; and the weighted
 * similarity of the memory to the prompt.
 */
const relevanceOf = (
  { match, similarity = UNKNOWN_SIMILARITY, content_text }: RankedMemory,
  query: string,
): number => {
  const asked = topicWords(query)
  const text = oneLine(content_text)
  const passage = cutToTokens(text, JUDGED_TOKENS, asked)
  const found = countFound(text, asked)
  const share = passage === text ? 1 : found && countFound(passage, asked) / found
  return (match * share) ** 2 + SIMILARITY_WEIGHT * Math.max(0, similarity)
}

/** A prompt that only asks for something holds nothing that its answer does not. */
const isWorthGiving = ({ source, content_text }: RecalledMemory): boolean =>
  source.kind !== 'prompt' || containsStatement(content_text)
