/** Entry of the worker that finds clusters and computes the layout. Its owner ends it. */
import Graph from 'graphology'
import louvain from 'graphology-communities-louvain'
import forceAtlas2 from 'graphology-layout-forceatlas2'
import { type LayoutInput, type LayoutStep, rankClusters, startPositions } from './layout-start.ts'

declare const self: Worker

/** Between two steps that are reported. */
const ITERATIONS = 10
/** Steps for graphs of at most this number of nodes. The start positions are near to the result. */
const STEPS = [
  { nodes: 500, steps: 25 },
  { nodes: 2_000, steps: 15 },
] as const
const FEWEST_STEPS = 8
/** Keeps memories without links near the others. */
const GRAVITY = 0.5

const graphOf = ({ nodeCount, links, weights }: LayoutInput): Graph => {
  const graph = new Graph({ type: 'undirected' })
  for (let node = 0; node < nodeCount; node++) graph.addNode(node)
  weights.forEach((weight, i) => {
    const [from, to] = [links[i * 2], links[i * 2 + 1]]
    graph.updateUndirectedEdge(from, to, ({ weight: known = 0 }) => ({ weight: known + weight }))
  })
  return graph
}

self.onmessage = ({ data }: MessageEvent<LayoutInput>) => {
  const graph = graphOf(data)
  // Without a random walk, the same graph gets the same clusters.
  const communities = louvain(graph, { randomWalk: false })
  const clusters = rankClusters(graph.mapNodes((node) => communities[node] ?? 0))
  const start = startPositions(clusters)
  graph.updateEachNodeAttributes((node) => ({
    x: start[Number(node) * 2] ?? 0,
    y: start[Number(node) * 2 + 1] ?? 0,
  }))
  const report = (positions: Float32Array, isDone: boolean): void => {
    const step: LayoutStep = { clusters, positions, isDone }
    self.postMessage(step)
  }
  report(start, false)

  const settings = { ...forceAtlas2.inferSettings(graph), gravity: GRAVITY }
  const steps = STEPS.find(({ nodes }) => data.nodeCount <= nodes)?.steps ?? FEWEST_STEPS
  for (let step = 1; step <= steps; step++) {
    forceAtlas2.assign(graph, { iterations: ITERATIONS, settings, getEdgeWeight: 'weight' })
    const positions = new Float32Array(data.nodeCount * 2)
    graph.forEachNode((node, { x, y }) => positions.set([x, y], Number(node) * 2))
    report(positions, step === steps)
  }
}
