import { mean } from '../lib/stats.ts'
import { type Answer, BUDGETS, recallAt, type SearchMethod } from './ask.ts'

export const CUTOFFS = [1, 3, 5, 10, 25, 50]
const SESSION_CUTOFFS = [5, 10]

/** The means of a group of questions, in percent except `tokens`. Texts are those of recall. */
export interface Scores {
  name: string
  method: SearchMethod
  questions: number
  /** The evidence among the first results, by `CUTOFFS`. */
  turns: number[]
  /** The mean of 1 / the rank of the first evidence, of 100. */
  mrr: number
  /** The sessions with evidence among the first ones, by `SESSION_CUTOFFS`. */
  sessions: number[]
  /** R@10 with an equal weight for each conversation, whatever the number of its questions. */
  byConversation: number
  /** The evidence in a text, whether it holds the answer, and its length, by `BUDGETS`. */
  texts: { evidence: number; answers: number | null; tokens: number }[]
}

export const scoresOf = (name: string, answers: Answer[], method: SearchMethod): Scores => {
  const conversations = [...Map.groupBy(answers, ({ conversation }) => conversation).values()]
  return {
    name,
    method,
    questions: answers.length,
    turns: CUTOFFS.map((k) => recallAt(k, answers, method)),
    mrr: 100 * mean(answers.map(({ ranks }) => 1 / Math.min(...ranks[method].turns))),
    sessions: SESSION_CUTOFFS.map((k) => recallAt(k, answers, method, 'sessions')),
    byConversation: mean(conversations.map((group) => recallAt(10, group, method))),
    texts: method === 'recall' ? BUDGETS.map((_, index) => textScores(answers, index)) : [],
  }
}

/** The category of questions about what has changed: the evidence is the later statement. */
const NEWEST_FIRST = 'newest first'
/** A store with fewer questions says little about which memory stands first too often. */
const MIN_QUESTIONS = 10

/** Shares from 0 to 1; undefined without such questions. */
export interface FirstResults {
  /** How often the later of two statements stands first. */
  newest: number | undefined
  /** The largest share of the questions of a store for which one memory stands first without answering them. */
  wrong: number | undefined
}

export const firstResultsOf = (answers: Answer[]): FirstResults => {
  const changed = answers.filter(({ question }) => question.category === NEWEST_FIRST)
  const stores = [...Map.groupBy(answers, ({ conversation }) => conversation).values()]
  const shares = stores
    .filter((store) => store.length >= MIN_QUESTIONS)
    .map((store) => {
      const wrong = Map.groupBy(
        store.filter(({ wrongFirst }) => wrongFirst !== undefined),
        ({ wrongFirst }) => wrongFirst,
      )
      return Math.max(0, ...wrong.values().map(({ length }) => length)) / store.length
    })
  return {
    newest: changed.length ? recallAt(1, changed, 'recall') / 100 : undefined,
    wrong: shares.length ? Math.max(...shares) : undefined,
  }
}

/** Of the questions of a store with and without an answer, the shares that are given memories, in percent. */
export interface Given {
  name: string
  answered: number
  unanswered: number
}

export const givenOf = (answers: Answer[]): Given[] => {
  const judged = answers.filter(({ isGiven }) => isGiven !== undefined)
  const stores = [...Map.groupBy(judged, ({ conversation }) => conversation)]
  return stores.map(([name, store]) => {
    const shareOf = (isAnswered: boolean) =>
      100 *
      mean(
        store
          .filter(({ question }) => question.evidence.length > 0 === isAnswered)
          .map(({ isGiven }) => Number(isGiven)),
      )
    return { name, answered: shareOf(true), unanswered: shareOf(false) }
  })
}

const textScores = (answers: Answer[], index: number): Scores['texts'][number] => {
  const texts = answers.flatMap(({ texts }) => texts[index] ?? [])
  const held = texts.flatMap(({ hasAnswer }) => (hasAnswer === undefined ? [] : Number(hasAnswer)))
  return {
    evidence: 100 * mean(texts.map(({ evidence }) => evidence)),
    answers: held.length ? 100 * mean(held) : null,
    tokens: mean(texts.map(({ tokens }) => tokens)),
  }
}

export const HEADINGS = [
  '',
  'method',
  'questions',
  ...CUTOFFS.map((k) => `R@${k}`),
  'MRR',
  'R@10 by conv.',
  ...SESSION_CUTOFFS.map((k) => `session R@${k}`),
  ...BUDGETS.map((tokens) => `in ${tokens} tokens`),
  ...BUDGETS.map((tokens) => `answer in ${tokens}`),
]

/** A row of the table. */
export const cellsOf = (scores: Scores): (string | number)[] => {
  const { name, method, questions, turns, mrr, byConversation, sessions, texts } = scores
  const shares = [...turns, mrr, byConversation, ...sessions].map((share) => share.toFixed(1))
  const evidence = BUDGETS.map((_, index) => texts[index]?.evidence.toFixed(1) ?? '')
  const held = BUDGETS.map((_, index) => texts[index]?.answers?.toFixed(1) ?? '')
  return [name, method, questions, ...shares, ...evidence, ...held]
}
