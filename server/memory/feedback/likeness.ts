import { analyze } from '../text/analyzer.ts'
import type { MarkedTerms } from './store.ts'

/**
 * How alike a question is to the one of the marks of a memory that is nearest, from 0 to 1: the share of their
 * terms that both have (Jaccard).
 */
export const markedLikeness = async (
  question: string,
  marks: readonly MarkedTerms[],
): Promise<number> => {
  const likenesses = marks.map(async ({ language, terms }) => {
    const asked = new Set((await analyze(question, language)).keys())
    const marked = new Set(terms)
    const all = asked.union(marked).size
    return all === 0 ? 1 : asked.intersection(marked).size / all
  })
  return Math.max(0, ...(await Promise.all(likenesses)))
}
