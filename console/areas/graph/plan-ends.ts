import type { GraphPlan, PlannedGroup } from './plan.ts'

const depthsOf = (groups: readonly PlannedGroup[]): number[] => {
  const depths: number[] = []
  for (const { parent } of groups) depths.push(parent === undefined ? 0 : (depths[parent] ?? 0) + 1)
  return depths
}

/** @returns `GraphPlan.ends`, the smaller number of each pair first. */
export const findEnds = (
  { groups, groupOf }: Pick<GraphPlan, 'groups' | 'groupOf'>,
  links: Uint32Array,
): Uint32Array => {
  const depths = depthsOf(groups)
  const up = (group: number) => groups[group]?.parent ?? group
  const ends = new Uint32Array(links.length)
  for (let i = 0; i < links.length; i += 2) {
    let from = groupOf[links[i] ?? 0] ?? 0
    let to = groupOf[links[i + 1] ?? 0] ?? 0
    while ((depths[from] ?? 0) > (depths[to] ?? 0)) from = up(from)
    while ((depths[to] ?? 0) > (depths[from] ?? 0)) to = up(to)
    while (groups[from]?.parent !== groups[to]?.parent) {
      from = up(from)
      to = up(to)
    }
    ends[i] = Math.min(from, to)
    ends[i + 1] = Math.max(from, to)
  }
  return ends
}
