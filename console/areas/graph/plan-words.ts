const SEGMENTER = new Intl.Segmenter(undefined, { granularity: 'word' })
/** In letters of a script that writes words with several of them. */
const MIN_LENGTH = 3
const NAME_WORDS = 3
const VECTOR_TERMS = 24
/** The weight of the prior, in words. */
const PRIOR = 500

const hasLetter = /\p{L}/u
const isShortLatin = /^\p{Script=Latin}+$/u

const wordsOf = (label: string): Set<string> => {
  const found = [...SEGMENTER.segment(label)]
  // The last word of a shortened label is a part of one.
  if (label.endsWith('…')) found.splice(-2)
  const words = found.flatMap(({ segment, isWordLike }) =>
    isWordLike && hasLetter.test(segment) ? segment.toLowerCase() : [],
  )
  return new Set(words.filter((word) => word.length >= MIN_LENGTH || !isShortLatin.test(word)))
}

/** The number of memories with each word, by its number in the vocabulary. */
export type WordCounts = ReadonlyMap<number, number>

export interface Vocabulary {
  words: readonly string[]
  /** By node: the numbers of its words. */
  ofNode: readonly (readonly number[])[]
  all: WordCounts
}

export const readWords = (labels: readonly string[]): Vocabulary => {
  const numbers = new Map<string, number>()
  const ofNode = labels.map((label) =>
    Array.from(wordsOf(label), (word) => {
      const number = numbers.get(word) ?? numbers.size
      numbers.set(word, number)
      return number
    }),
  )
  const vocabulary = { words: [...numbers.keys()], ofNode }
  return { ...vocabulary, all: countWords(vocabulary, labels.keys()) }
}

export const countWords = (
  { ofNode }: Pick<Vocabulary, 'ofNode'>,
  nodes: Iterable<number>,
): WordCounts => {
  const counts = new Map<number, number>()
  for (const node of nodes)
    for (const word of ofNode[node] ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

const totalOf = (counts: WordCounts): number =>
  counts.values().reduce((sum, count) => sum + count, 0)

/**
 * How much a word distinguishes a cluster from all memories: the log-odds with the frequencies in all of
 * them as a prior, divided by the standard deviation (Monroe, Colaresi and Quinn 2008, "Fightin' Words"),
 * times the rarity of the word. The frequent words of a language are in all clusters, so that no list of
 * them is needed.
 */
const scoreWords = (
  own: WordCounts,
  all: WordCounts,
  nodeCount: number,
): { word: number; score: number }[] => {
  const [ownTotal, allTotal] = [totalOf(own), totalOf(all)]
  const otherTotal = allTotal - ownTotal
  return Array.from(own, ([word, count]) => {
    const inAll = all.get(word) ?? count
    const prior = (inAll / allTotal) * PRIOR
    const other = inAll - count
    const logOdds = (found: number, total: number) =>
      Math.log((found + prior) / (total + PRIOR - found - prior))
    const difference = logOdds(count, ownTotal) - logOdds(other, otherTotal)
    const deviation = Math.sqrt(1 / (count + prior) + 1 / (other + prior))
    return { word, score: (difference / deviation) * Math.log(nodeCount / inAll) }
  })
}

/**
 * The names of clusters side by side: the words that distinguish them, each in one name only.
 * @param taken words of the names of the clusters around them.
 */
export const nameClusters = (
  { words, all, ofNode }: Vocabulary,
  clusters: readonly WordCounts[],
  taken: Iterable<string>,
): string[][] => {
  const names = clusters.map((): string[] => [])
  const used = new Set(taken)
  const scored = clusters.flatMap((own, cluster) =>
    scoreWords(own, all, ofNode.length).map((each) => ({ ...each, cluster })),
  )
  scored.sort((a, b) => b.score - a.score || a.cluster - b.cluster || a.word - b.word)
  for (const { word, cluster } of scored) {
    const [name, text] = [names[cluster], words[word]]
    if (!name || !text || name.length === NAME_WORDS || used.has(text)) continue
    used.add(text)
    name.push(text)
  }
  return names
}

/** The terms of a cluster with the highest tf-idf, as a vector of length 1. */
export const vectorOf = (own: WordCounts, all: WordCounts, nodeCount: number): WordCounts => {
  const weighted = Array.from(own, ([word, count]): [number, number] => [
    word,
    count * Math.log(nodeCount / (all.get(word) ?? count)),
  ])
  const top = weighted.toSorted(([, a], [, b]) => b - a).slice(0, VECTOR_TERMS)
  const length = Math.hypot(...top.map(([, weight]) => weight)) || 1
  return new Map(top.map(([word, weight]) => [word, weight / length]))
}

export const similarity = (a: WordCounts, b: WordCounts): number => {
  let sum = 0
  for (const [word, weight] of a) sum += weight * (b.get(word) ?? 0)
  return sum
}
