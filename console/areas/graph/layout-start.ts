/** The input of the worker that computes the layout: a graph as numbers. */
export interface LayoutInput {
  nodeCount: number
  /** Pairs of nodes. */
  links: Uint32Array<ArrayBuffer>
  /** One per pair. */
  weights: Float32Array<ArrayBuffer>
}

/** A step of the layout. */
export interface LayoutStep {
  /** By node: its cluster. Clusters are numbered by descending size. */
  clusters: Uint32Array
  /** By node: x and y. */
  positions: Float32Array
  isDone: boolean
}

/** The angle between successive seeds of a sunflower (Vogel 1979). */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5))

const sunflower = (index: number, spread: number): [x: number, y: number] => {
  const radius = spread * Math.sqrt(index + 0.5)
  return [radius * Math.cos(index * GOLDEN_ANGLE), radius * Math.sin(index * GOLDEN_ANGLE)]
}

/** Numbers clusters by descending size; of equal ones, the one with the first node is first. */
export const rankClusters = (clusterOf: readonly number[]): Uint32Array => {
  const sizes = new Map<number, number>()
  for (const cluster of clusterOf) sizes.set(cluster, (sizes.get(cluster) ?? 0) + 1)
  const ranked = [...sizes].toSorted(([, a], [, b]) => b - a)
  const ranks = new Map(ranked.map(([cluster], rank) => [cluster, rank]))
  return Uint32Array.from(clusterOf, (cluster) => ranks.get(cluster) ?? 0)
}

/**
 * Positions to start a layout from: each cluster is a disc, and the discs are arranged in a spiral with
 * the largest one in the middle. The same graph gets the same positions.
 */
export const startPositions = (clusters: Uint32Array): Float32Array => {
  const positions = new Float32Array(clusters.length * 2)
  const filled: number[] = []
  const spread = Math.max(1, Math.sqrt(clusters.length)) * 2
  clusters.forEach((cluster, node) => {
    const member = filled[cluster] ?? 0
    filled[cluster] = member + 1
    const [centerX, centerY] = sunflower(cluster, spread)
    const [x, y] = sunflower(member, 1)
    positions[node * 2] = centerX + x
    positions[node * 2 + 1] = centerY + y
  })
  return positions
}
