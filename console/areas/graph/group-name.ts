import { graph as texts } from '../../texts/graph.ts'
import type { GraphPlan } from './plan.ts'

/** The words of a cluster's name, the most distinct one first. */
export const wordsOf = ({ groups }: GraphPlan, group: number): readonly string[] => {
  const { words = [], isUnlinked = false } = groups[group] ?? {}
  if (isUnlinked) return [texts.unlinked]
  return words.length ? words : [texts.cluster(group + 1)]
}

export const nameOf = (plan: GraphPlan, group: number): string => wordsOf(plan, group).join(', ')
