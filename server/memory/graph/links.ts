/** Each memory has links to at most so many earlier ones. */
const MAX_LINKS = 8

/** A word that few memories have, and which. */
export interface RareWord {
  word: string
  seqs: number[]
}

/** A memory and an earlier one that it shares rare words with. */
export interface WordLink {
  seq: number
  other: number
  weight: number
}

/** How much a word tells that `count` of `total` memories have: the idf of BM25. */
const idf = (count: number, total: number): number =>
  Math.log(1 + (total - count + 0.5) / (count + 0.5))

/**
 * The links of memories to earlier ones: to those that share the most, or the rarest, words with them.
 * @param words all rare words of the memories `seqs`
 * @param total how many memories their owner has
 */
export const wordLinks = (seqs: Iterable<number>, words: RareWord[], total: number): WordLink[] => {
  const shared = new Map(Array.from(seqs, (seq) => [seq, new Map<number, number>()]))
  for (const { seqs: holders } of words)
    for (const seq of holders) {
      const others = shared.get(seq)
      if (!others) continue
      const weight = idf(holders.length, total)
      for (const other of holders)
        if (other < seq) others.set(other, (others.get(other) ?? 0) + weight)
    }
  return [...shared].flatMap(([seq, others]) =>
    [...others]
      .toSorted(([a, weightOfA], [b, weightOfB]) => weightOfB - weightOfA || b - a)
      .slice(0, MAX_LINKS)
      .map(([other, weight]) => ({ seq, other, weight: Math.round(weight * 1000) / 1000 })),
  )
}
