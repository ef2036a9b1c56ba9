/** An undirected graph: the neighbours of node `v` are `neighbors[starts[v]]` up to `starts[v + 1]`. */
export interface Network {
  nodeCount: number
  edgeCount: number
  starts: Int32Array
  neighbors: Int32Array
}

/** Collects edges as pairs of nodes, in any order and with duplicates. */
export const createEdgeList = () => {
  let pairs = new Int32Array(1024)
  let length = 0
  return {
    add(a: number, b: number): void {
      if (a === b) return
      if (length === pairs.length) {
        const larger = new Int32Array(length * 2)
        larger.set(pairs)
        pairs = larger
      }
      pairs[length++] = a
      pairs[length++] = b
    },
    get pairs(): Int32Array {
      return pairs.subarray(0, length)
    },
  }
}

/** Builds a graph from pairs of nodes; duplicate edges count once. */
export const networkOf = (nodeCount: number, pairs: Int32Array): Network => {
  const ends = new Int32Array(nodeCount + 1)
  for (const node of pairs) ends[node + 1] = (ends[node + 1] as number) + 1
  for (let node = 0; node < nodeCount; node++)
    ends[node + 1] = (ends[node + 1] as number) + (ends[node] as number)
  const all = new Int32Array(pairs.length)
  const next = ends.slice()
  for (let i = 0; i < pairs.length; i++) {
    const from = pairs[i] as number
    const place = next[from] as number
    all[place] = pairs[i ^ 1] as number
    next[from] = place + 1
  }

  const starts = new Int32Array(nodeCount + 1)
  const seenFrom = new Int32Array(nodeCount).fill(-1)
  let length = 0
  for (let node = 0; node < nodeCount; node++) {
    for (let i = ends[node] as number; i < (ends[node + 1] as number); i++) {
      const neighbor = all[i] as number
      if (seenFrom[neighbor] === node) continue
      seenFrom[neighbor] = node
      all[length++] = neighbor
    }
    starts[node + 1] = length
  }
  return { nodeCount, edgeCount: length / 2, starts, neighbors: all.subarray(0, length) }
}
