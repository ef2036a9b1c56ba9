import {
  type GraphFilter,
  type GraphLink,
  type GraphModel,
  isLinkShown,
  isNodeShown,
} from './model.ts'
import type { GraphPlan } from './plan.ts'

/** The links between two clusters side by side. */
export interface GroupLink {
  from: number
  to: number
  /** The number of links between their memories. */
  count: number
}

/** The drawn part of a plan: the open clusters, and the memories of a time. */
export interface GraphScene {
  /** The clusters whose outer ones are all open. An outer one is before those in it. */
  visible: readonly number[]
  isOpen: (group: number) => boolean
  /** By node: whether its time is in the range. */
  isShown: Uint8Array
  /** By cluster: the number of its memories that are shown. */
  counts: Uint32Array
  groupLinks: readonly GroupLink[]
  /** Links within open clusters of memories. */
  memberLinks: readonly GraphLink[]
}

/** A cluster and those around it, from the inside out. */
export const pathOf = (plan: GraphPlan, group: number): number[] => {
  const path: number[] = []
  for (let at: number | undefined = group; at !== undefined; at = plan.groups[at]?.parent)
    path.push(at)
  return path
}

export const createScene = (
  model: GraphModel,
  plan: GraphPlan,
  filter: GraphFilter,
  open: ReadonlySet<number>,
): GraphScene => {
  const isShown = Uint8Array.from(model.nodes, (node) => Number(isNodeShown(node, filter)))
  const visible: number[] = []
  const isVisible = new Uint8Array(plan.groups.length)
  plan.groups.forEach(({ parent }, index) => {
    if (parent !== undefined && !(isVisible[parent] && open.has(parent))) return
    isVisible[index] = 1
    visible.push(index)
  })
  const isOpen = (group: number): boolean => isVisible[group] === 1 && open.has(group)
  return {
    visible,
    isOpen,
    isShown,
    counts: countMembers(plan, isShown),
    ...collectLinks(model, plan, filter, isShown, isOpen),
  }
}

const countMembers = ({ groups, groupOf }: GraphPlan, isShown: Uint8Array): Uint32Array => {
  const counts = new Uint32Array(groups.length)
  const add = (group: number, count: number) => {
    counts[group] = (counts[group] ?? 0) + count
  }
  for (const [node, group] of groupOf.entries()) add(group, isShown[node] ?? 0)
  // Those in a cluster are after it.
  for (let index = groups.length - 1; index >= 0; index--) {
    const parent = groups[index]?.parent
    if (parent !== undefined) add(parent, counts[index] ?? 0)
  }
  return counts
}

const collectLinks = (
  model: GraphModel,
  plan: GraphPlan,
  filter: GraphFilter,
  isShown: Uint8Array,
  isOpen: (group: number) => boolean,
): Pick<GraphScene, 'groupLinks' | 'memberLinks'> => {
  const between = new Map<number, GroupLink>()
  const memberLinks: GraphLink[] = []
  model.links.forEach((link, i) => {
    if (!isLinkShown(link, filter) || !isShown[link.from] || !isShown[link.to]) return
    const from = plan.ends[i * 2] ?? 0
    const to = plan.ends[i * 2 + 1] ?? 0
    if (from === to) {
      if (isOpen(from)) memberLinks.push(link)
      return
    }
    const parent = plan.groups[from]?.parent
    if (parent !== undefined && !isOpen(parent)) return
    const key = from * plan.groups.length + to
    const known = between.get(key)
    if (known) known.count++
    else between.set(key, { from, to, count: 1 })
  })
  return { groupLinks: [...between.values()], memberLinks }
}
