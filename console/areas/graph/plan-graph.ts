import Graph from 'graphology'
import forceAtlas2 from 'graphology-layout-forceatlas2'
import type { Circle, GraphPlan, PlanInput, PlannedGroup } from './plan.ts'
import { type Cluster, findClusters, graphOf } from './plan-clusters.ts'
import { boundsOf, enclosingRadius, type PackLink, packCircles, sunflower } from './plan-pack.ts'
import { countWords, nameClusters, readWords } from './plan-words.ts'

/** The free margin of a cluster of clusters, relative to its radius. */
const MARGIN = 0.08
/** The distance of the memories without links to the others, relative to the height of these. */
const APART = 0.08

/** A cluster with its place, relative to the center and the size of the cluster around it. */
interface Packed {
  cluster: Cluster
  at: Circle
  children: readonly Packed[]
  /** The size of what is in it, relative to its own. */
  scale: number
}

/** Areas are proportional to the number of memories. */
const radiusOf = (count: number): number => Math.sqrt(count)

const pack = (graph: Graph, clusters: readonly Cluster[], aspect: number): Packed[] => {
  const radii = clusters.map(({ nodes }) => radiusOf(nodes.length))
  const circles = packCircles(radii, linksBetween(graph, clusters), aspect)
  return clusters.flatMap((cluster, i): Packed[] => {
    const at = circles[i]
    if (!at) return []
    const children = pack(graph, cluster.children, 1)
    const needed = enclosingRadius(children.map((child) => child.at)) * (1 + MARGIN)
    return [{ cluster, at, children, scale: needed ? at.radius / needed : 1 }]
  })
}

const linksBetween = (graph: Graph, clusters: readonly Cluster[]): PackLink[] => {
  const clusterOf = new Map(
    clusters.flatMap(({ nodes }, i) => nodes.map((node): [string, number] => [String(node), i])),
  )
  const links = new Map<string, PackLink>()
  graph.forEachEdge((_, { weight }, source, target) => {
    const [from, to] = [clusterOf.get(source), clusterOf.get(target)]
    if (from === undefined || to === undefined || from === to) return
    const key = from < to ? `${from} ${to}` : `${to} ${from}`
    const link = links.get(key)
    if (link) link.weight += weight
    else links.set(key, { from, to, weight })
  })
  return [...links.values()]
}

/** The cluster around others, or the whole drawing. */
interface Around {
  x: number
  y: number
  index?: number | undefined
  rank?: number
  /** The size of what is in it. */
  scale: number
  /** Of its name and of those around it. */
  words: readonly string[]
}

const OUTSIDE: Around = { x: 0, y: 0, scale: 1, words: [] }

/** Arranges a graph: its clusters, their names, and the place of each memory. */
export const planGraph = (input: PlanInput): GraphPlan => {
  const graph = graphOf(input)
  const words = readWords(input.labels)
  const groups: PlannedGroup[] = []
  const groupOf = new Uint32Array(input.labels.length)
  const positions = new Float32Array(input.labels.length * 2)

  const add = (group: Omit<PlannedGroup, 'size'>, points: [number, number][]): void => {
    group.members.forEach((node, i) => {
      const [x, y] = points[i] ?? [0, 0]
      groupOf[node] = groups.length
      positions.set([group.x + x, group.y + y], node * 2)
    })
    groups.push({ ...group, size: group.members.length })
  }

  const place = (inside: readonly Packed[], around: Around): number[] => {
    const counts = inside.map(({ cluster }) => countWords(words, cluster.nodes))
    const names = nameClusters(words, counts, around.words)
    return inside.map(({ cluster, at, children, scale }, i) => {
      const index = groups.length
      const group = {
        x: around.x + at.x * around.scale,
        y: around.y + at.y * around.scale,
        radius: at.radius * around.scale,
        parent: around.index,
        children: [],
        members: children.length ? [] : cluster.nodes,
        words: names[i] ?? [],
        rank: around.rank ?? i,
        isUnlinked: false,
      }
      add(group, children.length ? [] : placeMembers(graph, cluster.nodes, group.radius))
      const below = place(children, {
        ...group,
        index,
        scale: around.scale * scale,
        words: [...around.words, ...group.words],
      })
      groups[index] = { ...group, children: below, size: cluster.nodes.length }
      return index
    })
  }

  place(pack(graph, findClusters(graph, words, input.maxSideBySide), input.aspect), OUTSIDE)
  const unlinked = [...input.labels.keys()].filter((node) => !graph.hasNode(node))
  if (unlinked.length) {
    const circle = placeApart(groups, unlinked.length, input.aspect)
    add(
      {
        ...circle,
        parent: undefined,
        children: [],
        members: unlinked,
        words: [],
        rank: groups.length,
        isUnlinked: true,
      },
      placeUnlinked(unlinked.length, circle.radius),
    )
  }
  return { groups, groupOf, positions, ends: findEnds({ groups, groupOf }, input.links) }
}

/** A circle beside all others, or below them in a narrow drawing. */
const placeApart = (groups: readonly Circle[], count: number, aspect: number): Circle => {
  const { left, right, top, bottom } = boundsOf(groups)
  const height = bottom - top
  const largest = height ? height / 3 : Number.POSITIVE_INFINITY
  const radius = Math.min(radiusOf(count), largest)
  const distance = radius + height * APART
  return aspect >= 1
    ? { x: right + distance, y: bottom - radius, radius }
    : { x: left + radius, y: bottom + distance, radius }
}

const depthsOf = (groups: readonly PlannedGroup[]): number[] => {
  const depths: number[] = []
  for (const { parent } of groups) depths.push(parent === undefined ? 0 : (depths[parent] ?? 0) + 1)
  return depths
}

/** @returns `GraphPlan.ends`, the smaller number of each pair first. */
const findEnds = (
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

const ITERATIONS = 50
const LARGE = 600
const ITERATIONS_OF_LARGE = 30
/** The share of the disc's radius that its memories use. */
const FILL = 0.88

type Point = [x: number, y: number]

/** Keeps the direction of each point and spreads their distances, so that the disc is evenly filled. */
const fillDisc = (points: readonly Point[], radius: number): Point[] => {
  const center = points.reduce<Point>(
    ([x, y], [px, py]) => [x + px / points.length, y + py / points.length],
    [0, 0],
  )
  const placed = points.map(([x, y], index) => {
    const [dx, dy] = [x - center[0], y - center[1]]
    return { index, angle: Math.atan2(dy, dx), distance: Math.hypot(dx, dy) }
  })
  const result: Point[] = new Array(points.length)
  placed
    .toSorted((a, b) => a.distance - b.distance)
    .forEach(({ index, angle }, rank) => {
      const distance = radius * FILL * Math.sqrt((rank + 0.5) / points.length)
      result[index] = [distance * Math.cos(angle), distance * Math.sin(angle)]
    })
  return result
}

/** Places the memories of a cluster in a disc around (0, 0), linked ones near each other. */
const placeMembers = (graph: Graph, nodes: readonly number[], radius: number): Point[] => {
  const own = new Graph({ type: 'undirected' })
  nodes.forEach((node, index) => {
    const [x, y] = sunflower(index)
    own.addNode(node, { x, y })
  })
  for (const node of nodes)
    graph.forEachEdge(node, (_, { weight }, source, target) => {
      if (own.hasNode(source) && own.hasNode(target) && !own.hasEdge(source, target))
        own.addEdge(source, target, { weight })
    })
  const settings = { ...forceAtlas2.inferSettings(own), gravity: 1 }
  const iterations = nodes.length > LARGE ? ITERATIONS_OF_LARGE : ITERATIONS
  const found = forceAtlas2(own, { iterations, settings, getEdgeWeight: 'weight' })
  return fillDisc(
    nodes.map((node): Point => [found[node]?.x ?? 0, found[node]?.y ?? 0]),
    radius,
  )
}

/** Places memories without links, in their order. */
const placeUnlinked = (count: number, radius: number): Point[] => {
  const scale = (radius * FILL) / Math.sqrt(count)
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = sunflower(index)
    return [x * scale, y * scale]
  })
}
