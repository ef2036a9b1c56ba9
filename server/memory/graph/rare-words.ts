import type { OwnerIndex } from '../recall/owner-index.ts'
import { readTerms } from '../text/analyzer.ts'

/** A word of few memories. */
export interface RareWord {
  word: string
  /** The memories that contain it. */
  seqs: number[]
}

/**
 * A rare word is in at most 8 memories, and in at most a third of them. With fewer than 12 memories it
 * may be in 4.
 */
const MAX_MEMORIES = 8
const MIN_LIMIT = 4
const MAX_SHARE = 3

/** Neither a number nor a single letter, nor an exact form. */
const IS_WORD = /^(?!=).*(?:[a-z]{3}|[^ -~])/

/**
 * The rare words of memories, with the memories that contain them.
 * @param terms those of each memory, as they are stored.
 */
export const rareWords = (index: OwnerIndex, terms: readonly string[]): RareWord[] => {
  const words = new Set<string>()
  for (const encoded of terms)
    readTerms(encoded, (term) => {
      if (IS_WORD.test(term)) words.add(term)
    })
  const share = Math.floor(index.liveCount / MAX_SHARE)
  const most = Math.max(Math.min(share, MAX_MEMORIES), MIN_LIMIT)
  return [...words].sort().flatMap((word) => {
    const docs = index.docsWith(word, most + 1)
    if (docs.length < 2 || docs.length > most) return []
    return { word, seqs: docs.map((doc) => index.seqs[doc] ?? 0).sort((a, b) => a - b) }
  })
}
