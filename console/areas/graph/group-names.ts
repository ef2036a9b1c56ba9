/** Names of clusters that hold in another plan, as of a narrow drawing or of a graph with a new memory. */
import type { GraphModel } from './model.ts'
import type { GraphPlan } from './plan.ts'
import { pathOf } from './scene.ts'

/** A cluster by one of its memories, and the number of clusters around that memory down to it. */
export const groupName = (
  { nodes }: Pick<GraphModel, 'nodes'>,
  plan: GraphPlan,
  group: number,
): string => {
  let inner = plan.groups[group]
  while (inner?.children.length) inner = plan.groups[inner.children[0] ?? 0]
  const memory = nodes[inner?.members[0] ?? 0]
  return `${pathOf(plan, group).length}:${memory?.id}`
}

/** The cluster of a name; undefined if the graph does not have its memory, or has fewer clusters around it. */
export const groupNamed = (
  { byId }: Pick<GraphModel, 'byId'>,
  plan: GraphPlan,
  name: string,
): number | undefined => {
  const [depth = '', id = ''] = name.split(':')
  const node = byId.get(id)
  return node && pathOf(plan, plan.groupOf[node.index] ?? 0).at(-Number(depth))
}
