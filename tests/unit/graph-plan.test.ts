import { expect, test } from 'bun:test'
import { groupName, groupNamed } from '../../console/areas/graph/group-names.ts'
import { type LabelCandidate, placeMost } from '../../console/areas/graph/labels.ts'
import type { GraphNode } from '../../console/areas/graph/model.ts'
import type { GraphPlan, PlanInput } from '../../console/areas/graph/plan.ts'
import { planGraph } from '../../console/areas/graph/plan-graph.ts'
import { pathOf } from '../../console/areas/graph/scene.ts'

const THREADS = 40
const OF_THREAD = 5
const UNLINKED = 3
const MAX = 12

/** Threads of memories with a word of their own, and memories without links. */
const input = (): PlanInput => {
  const linked = Array.from(
    { length: THREADS * OF_THREAD },
    (_, i) => `the topic${Math.floor(i / OF_THREAD)} is with the word${i}`,
  )
  const pairs = linked.flatMap((_, i) => (i % OF_THREAD ? [i - 1, i] : []))
  return {
    labels: [...linked, ...Array.from({ length: UNLINKED }, (_, i) => `the alone${i}`)],
    links: Uint32Array.from(pairs),
    weights: Float32Array.from({ length: pairs.length / 2 }, () => 1),
    aspect: 1.5,
    maxSideBySide: MAX,
  }
}

const outerOf = ({ groups }: GraphPlan) => groups.filter(({ parent }) => parent === undefined)

test('the same graph gets the same plan, with each memory in one cluster', () => {
  const plan = planGraph(input())
  expect(planGraph(input())).toEqual(plan)
  const members = plan.groups.flatMap((group) => group.members)
  expect(members.toSorted((a, b) => a - b)).toEqual([...input().labels.keys()])
  members.forEach((node) => {
    expect(plan.groups[plan.groupOf[node] ?? -1]?.members).toContain(node)
  })
  for (const { children, members: own, size } of plan.groups) {
    const inside = children.reduce((sum, child) => sum + (plan.groups[child]?.size ?? 0), 0)
    expect(inside + own.length).toBe(size)
  }
})

test('few clusters are side by side, named by words that the others do not have', () => {
  const plan = planGraph(input())
  const clusters = outerOf(plan).filter(({ isUnlinked }) => !isUnlinked)
  expect(clusters.length).toBeLessThanOrEqual(MAX)
  const names = clusters.flatMap(({ words }) => words)
  expect(new Set(names).size).toBe(names.length)
  expect(names).not.toContain('the')
  expect(clusters.every(({ words }) => words[0]?.startsWith('topic'))).toBe(true)
})

test('clusters side by side do not overlap, and those without links are apart', () => {
  const plan = planGraph(input())
  for (const [i, a] of plan.groups.entries())
    for (const b of plan.groups.slice(i + 1)) {
      if (a.parent !== b.parent) continue
      expect(Math.hypot(a.x - b.x, a.y - b.y)).toBeGreaterThan((a.radius + b.radius) * 0.999)
    }
  const apart = plan.groups.at(-1)
  expect(apart).toMatchObject({ isUnlinked: true, size: UNLINKED })
  const right = Math.max(...plan.groups.slice(0, -1).map(({ x, radius }) => x + radius))
  expect((apart?.x ?? 0) - (apart?.radius ?? 0)).toBeGreaterThanOrEqual(right)
})

test('the ends of a link are its clusters side by side, or the one that has both memories', () => {
  const across = [0, OF_THREAD]
  const links = Uint32Array.from([...input().links, ...across])
  const weights = Float32Array.from([...input().weights, 0.01])
  const plan = planGraph({ ...input(), links, weights })
  expect(plan.groupOf[0]).not.toBe(plan.groupOf[OF_THREAD])
  for (let i = 0; i < links.length; i += 2) {
    const [from = -1, to = -1] = plan.ends.subarray(i, i + 2)
    const cluster = plan.groupOf[links[i] ?? -1]
    if (cluster === plan.groupOf[links[i + 1] ?? -1])
      expect([from, to]).toEqual([cluster, cluster] as number[])
    else expect(plan.groups[from]?.parent).toBe(plan.groups[to]?.parent)
  }
})

test('a cluster is found by its name in the plan of a narrow drawing, which has fewer side by side', () => {
  const nodes = input().labels.map((_, index) => ({ id: `memory-${index}`, index })) as GraphNode[]
  const model = { nodes, byId: new Map(nodes.map((node) => [node.id, node])) }
  const wide = planGraph(input())
  const narrow = planGraph({ ...input(), aspect: 0.5, maxSideBySide: 4 })
  expect(narrow.groups.length).not.toBe(wide.groups.length)
  wide.groups.forEach((_, group) => {
    const name = groupName(model, wide, group)
    expect(groupNamed(model, wide, name)).toBe(group)
    const found = groupNamed(model, narrow, name)
    const memory = Number(/memory-(\d+)$/.exec(name)?.[1])
    if (found !== undefined) expect(pathOf(narrow, narrow.groupOf[memory] ?? -1)).toContain(found)
    // Each memory has an outer cluster in each plan.
    if (name.startsWith('1:')) expect(found).toBeDefined()
  })
  expect(groupNamed(model, narrow, '1:memory-of-another-graph')).toBeUndefined()
  expect(groupNamed(model, narrow, 'nonsense')).toBeUndefined()
})

test('a graph without links has one place, and an empty graph none', () => {
  const none = { links: new Uint32Array(), weights: new Float32Array() }
  const unlinked = planGraph({ ...input(), ...none })
  expect(unlinked.groups).toHaveLength(1)
  expect(unlinked.groups[0]).toMatchObject({ isUnlinked: true, size: input().labels.length })
  expect(planGraph({ ...input(), ...none, labels: [] }).groups).toEqual([])
})

test('labels get the best place that is free, and none covers another', () => {
  const box = (left: number, width: number) => ({ left, right: left + width, top: 0, bottom: 10 })
  const candidates: LabelCandidate<string>[] = [
    { value: 'a', boxes: [box(0, 60), box(10, 20)] },
    { value: 'b', boxes: [box(40, 60), box(50, 20)] },
    { value: 'c', boxes: [box(55, 10)] },
  ]
  const placed = placeMost(candidates)
  expect(placed.map(({ value, choice }) => `${value}${choice}`)).toEqual(['a1', 'b0'])
})
