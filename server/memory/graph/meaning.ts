import { mapYielding } from '../../platform/event-loop.ts'
import { encodeVector } from '../memories/vectors.ts'
import { Flag, type OwnerIndex } from '../recall/owner-index.ts'
import { cosineSimilarity } from '../recall/vector-search.ts'

/** Two memories that mean something alike, by the similarity of their vectors. */
export interface MeaningLink {
  seq: number
  other: number
  similarity: number
}

/** The most links of a memory, and how many memories of a graph are compared: each is with all vectors of its owner. */
const MAX_LINKS = 4
const MAX_COMPARED = 500
/** For each link, how many are chosen by their signs and then compared in full. */
const OVERSAMPLE = 8
/** How many standard deviations above the usual similarity of the model a link is. */
const LEAST_SCORE = 5

/** The links of memories to those nearest in meaning, each pair once. */
export const meaningLinks = async (
  index: OwnerIndex,
  seqs: readonly number[],
): Promise<MeaningLink[]> => {
  const { model, vectors } = index
  if (!model?.usual) return []
  const least = model.usual.mean + LEAST_SCORE * model.usual.deviation
  const isLive = (doc: number): boolean => index.has(doc, Flag.isLive)
  const nearestTo = (own: Int8Array) =>
    vectors
      .nearest(
        { bits: encodeVector(own).bits, maxCodes: OVERSAMPLE * MAX_LINKS },
        index.seqs,
        isLive,
      )
      .map(({ seq, embedding }) => ({ seq, similarity: cosineSimilarity(own, embedding) }))
      .toSorted((a, b) => b.similarity - a.similarity || a.seq - b.seq)
  const found = await mapYielding(seqs.slice(0, MAX_COMPARED), (seq) => {
    const doc = index.find(seq)
    const own = doc === undefined ? undefined : vectors.valuesOf(doc)
    if (!own) return []
    return nearestTo(own)
      .filter(({ seq: other, similarity }) => other !== seq && similarity >= least)
      .slice(0, MAX_LINKS)
      .map(({ seq: other, similarity }): MeaningLink => ({ seq, other, similarity }))
  })
  const pairs = new Map(
    found.flat().map((link) => [[link.seq, link.other].sort((a, b) => a - b).join(), link]),
  )
  return [...pairs.values()]
}
