/** Maximal links of a memory to earlier ones. */
const MAX_LINKS = 8

/** A word of few memories. */
export interface RareWord {
  word: string
  /** The memories that contain it. */
  seqs: number[]
}

/** A link of a memory to an earlier one with shared rare words. */
interface WordLink {
  seq: number
  other: number
  weight: number
}

/** The inverse document frequency of BM25. */
const idf = (count: number, total: number): number =>
  Math.log(1 + (total - count + 0.5) / (count + 0.5))

/**
 * The links of memories to the earlier memories with the most, or the rarest, words in common.
 * @param words all rare words of the memories `seqs`
 * @param total the number of memories of their owner
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
      .toSorted(([a, weightA], [b, weightB]) => weightB - weightA || b - a)
      .slice(0, MAX_LINKS)
      .map(([other, weight]) => ({ seq, other, weight: Math.round(weight * 1000) / 1000 })),
  )
}
