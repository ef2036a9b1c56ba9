import Graph from 'graphology'
import forceAtlas2 from 'graphology-layout-forceatlas2'
import { sunflower } from './plan-pack.ts'

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
export const placeMembers = (graph: Graph, nodes: readonly number[], radius: number): Point[] => {
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
export const placeUnlinked = (count: number, radius: number): Point[] => {
  const scale = (radius * FILL) / Math.sqrt(count)
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = sunflower(index)
    return [x * scale, y * scale]
  })
}
