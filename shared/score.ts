import type { Explanation } from './contract/recall.ts'

/** A memory of a recall; one of another event has no score. */
interface Scored {
  score?: number
  explanation?: Explanation
}

/**
 * Scores as shares of the best one: from 0 to 1, which the best memory has. A raw score has no upper bound and
 * depends on the rarity of the words among the owner's memories. The addends of an explanation are on the same
 * scale, so they still add up to the score.
 */
export const withRelativeScores = <T extends Scored>(memories: readonly T[]): T[] => {
  const best = Math.max(...memories.map(({ score = 0 }) => score))
  const share = (value: number) => (best > 0 ? value / best : 0)
  return memories.map((memory) => ({
    ...memory,
    ...(memory.score !== undefined && { score: share(memory.score) }),
    ...(memory.explanation && { explanation: scaled(memory.explanation, share) }),
  }))
}

/** The coverage and the factors are relative already. */
const scaled = (explanation: Explanation, share: (value: number) => number): Explanation => {
  const { words, semantic, time, fact } = explanation
  return {
    ...explanation,
    words: share(words),
    semantic: share(semantic),
    time: share(time),
    fact: share(fact),
  }
}
