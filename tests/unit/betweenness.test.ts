import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { betweennessOf } from '../../server/memory/graph/betweenness.ts'
import { wordLinks } from '../../server/memory/graph/engine.ts'
import { createEdgeList, type Network, networkOf } from '../../server/memory/graph/network.ts'

type Edge = [number, number]

const networkFrom = (nodeCount: number, edges: Edge[]): Network => {
  const list = createEdgeList()
  for (const [a, b] of edges) list.add(a, b)
  return networkOf(nodeCount, list.pairs)
}

const run = (network: Network, exactNodes?: number) => {
  const work = betweennessOf(network, exactNodes)
  let step = work.next()
  while (!step.done) step = work.next()
  return step.value
}

const scoresOf = (nodeCount: number, edges: Edge[]) => [
  ...run(networkFrom(nodeCount, edges)).scores,
]

/** Freeman's definition: the share of the shortest paths of each pair that contain a node. */
const byDefinition = (nodeCount: number, edges: Edge[]): number[] => {
  const nodes = Array.from({ length: nodeCount }, (_, node) => node)
  const neighbors = nodes.map(
    (node) => new Set(edges.flatMap(([a, b]) => (a === node ? [b] : b === node ? [a] : []))),
  )
  const from = nodes.map((source) => {
    const distance = nodes.map((node) => (node === source ? 0 : Number.POSITIVE_INFINITY))
    const paths: number[] = nodes.map((node) => (node === source ? 1 : 0))
    for (let d = 0; d < nodeCount; d++)
      for (const v of nodes.filter((node) => distance[node] === d))
        for (const w of neighbors[v] ?? []) {
          if (distance[w] === Number.POSITIVE_INFINITY) distance[w] = d + 1
          if (distance[w] === d + 1) paths[w] = (paths[w] ?? 0) + (paths[v] ?? 0)
        }
    return { distance, paths }
  })
  const get = (s: number, t: number) => {
    const { distance, paths } = from[s] ?? { distance: [], paths: [] }
    return { distance: distance[t] ?? 0, paths: paths[t] ?? 0 }
  }
  return nodes.map((v) => {
    let sum = 0
    for (const s of nodes)
      for (const t of nodes) {
        if (s === t || s === v || t === v || get(s, t).paths === 0) continue
        if (get(s, v).distance + get(v, t).distance === get(s, t).distance)
          sum += (get(s, v).paths * get(v, t).paths) / get(s, t).paths
      }
    return nodeCount > 2 ? sum / ((nodeCount - 1) * (nodeCount - 2)) : 0
  })
}

describe('betweenness', () => {
  test('the centre of a star has 1, its leaves 0', () => {
    expect(
      scoresOf(4, [
        [0, 1],
        [0, 2],
        [0, 3],
      ]),
    ).toEqual([1, 0, 0, 0])
  })

  test('an isolated node and a loop have 0', () => {
    expect(scoresOf(3, [])).toEqual([0, 0, 0])
    expect(scoresOf(1, [[0, 0]])).toEqual([0])
    expect(scoresOf(0, [])).toEqual([])
  })

  test('the result equals the definition on any graph', () => {
    const graph = fc.integer({ min: 1, max: 12 }).chain((nodeCount) => {
      const node = fc.nat({ max: nodeCount - 1 })
      const edges = fc.array(fc.tuple(node, node), { maxLength: 30 })
      return fc.tuple(fc.constant(nodeCount), edges)
    })
    fc.assert(
      fc.property(graph, ([nodeCount, edges]) => {
        const expected = byDefinition(nodeCount, edges)
        for (const [node, score] of scoresOf(nodeCount, edges).entries())
          expect(score).toBeCloseTo(expected[node] ?? 0, 10)
      }),
    )
  })

  test('the result is correct when path counts overflow a number', () => {
    // A chain of rings of four: each doubles the paths from end to end.
    const rings = 600
    const edges: Edge[] = Array.from({ length: rings }, (_, i): Edge[] => {
      const node = i * 3
      return [
        [node, node + 1],
        [node, node + 2],
        [node + 1, node + 3],
        [node + 2, node + 3],
      ]
    }).flat()
    const nodeCount = rings * 3 + 1
    const scores = scoresOf(nodeCount, edges)
    const middle = (rings / 2) * 3
    // All pairs on either side of it, and half of the pair within each ring that it is part of.
    const pairs = ((nodeCount - 1) / 2) ** 2 + 1
    expect(scores[middle]).toBeCloseTo((pairs * 2) / ((nodeCount - 1) * (nodeCount - 2)), 10)
    expect(scores[middle + 1]).toBeCloseTo(scores[middle + 2] ?? 0, 10)
    expect(scores[3]).toBeCloseTo(scores[nodeCount - 4] ?? 0, 10)
  })
})

describe('betweenness of a large graph', () => {
  /** Groups of linked memories, and one memory with links to each group. */
  const groupsOf = (groups: number, size: number): Network => {
    let seed = 1
    const random = (below: number) => {
      seed = (seed * 48271) % 2147483647
      return seed % below
    }
    const joint = groups * size
    const edges = Array.from({ length: groups }, (_, group): Edge[] => {
      const member = () => group * size + random(size)
      const within = Array.from({ length: size * 4 }, (): Edge => [member(), member()])
      return [...within, [member(), joint], [member(), joint]]
    }).flat()
    return networkFrom(joint + 1, edges)
  }
  const ranking = ({ scores }: { scores: Float64Array }) =>
    [...scores.keys()].sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))

  test('the estimate finds the memory that joins thousands of others, deterministically', () => {
    const network = groupsOf(24, 250)
    const estimate = run(network, 1_000)
    expect(estimate.isSampled).toBe(true)
    expect(ranking(estimate)[0]).toBe(network.nodeCount - 1)
    expect(run(network, 1_000).scores).toEqual(estimate.scores)
  })

  test('the estimate ranks nearly as the exact result', () => {
    const network = groupsOf(10, 100)
    const [exact, estimate] = [run(network), run(network, 500)]
    expect([exact.isSampled, estimate.isSampled]).toEqual([false, true])
    expect(ranking(estimate)[0]).toBe(ranking(exact)[0] as number)
    const top = new Set(ranking(exact).slice(0, 20))
    const found = ranking(estimate)
      .slice(0, 20)
      .filter((node) => top.has(node))
    expect(found.length).toBeGreaterThanOrEqual(16)
    const joint = network.nodeCount - 1
    expect(estimate.scores[joint]).toBeCloseTo(exact.scores[joint] ?? 0, 1)
  })
})

test('memories are linked to those with the rarest shared words, the later ones first', () => {
  const words = [
    { word: 'kayak', seqs: [1, 2, 3] },
    { word: 'lisbon', seqs: [1, 3] },
  ]
  expect(wordLinks([3], words, 100).map(({ other }) => other)).toEqual([1, 2])
  expect(wordLinks([1], words, 100)).toEqual([])
  const common = [{ word: 'boat', seqs: Array.from({ length: 20 }, (_, i) => i) }]
  expect(wordLinks([19], common, 100).map(({ other }) => other)).toEqual([
    18, 17, 16, 15, 14, 13, 12, 11,
  ])
})
