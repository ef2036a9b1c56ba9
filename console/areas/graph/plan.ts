/** The input of the worker that arranges the graph. */
export interface PlanInput {
  /** By node. */
  labels: readonly string[]
  /** Pairs of nodes. */
  links: Uint32Array<ArrayBuffer>
  /** One per pair. */
  weights: Float32Array<ArrayBuffer>
  /** The width of the drawing divided by its height. */
  aspect: number
  /** The maximum number of clusters side by side. */
  maxSideBySide: number
}

export interface Circle {
  x: number
  y: number
  radius: number
}

/** A cluster of memories or of smaller clusters, or the memories without links. */
export interface PlannedGroup extends Circle {
  parent: number | undefined
  /** Positions in `GraphPlan.groups`; empty for a cluster of memories. */
  children: readonly number[]
  /** The nodes of a cluster of memories; empty for one of clusters. */
  members: readonly number[]
  /** The number of memories in it. */
  size: number
  /** They distinguish it from the clusters beside it, the most distinct word first. */
  words: readonly string[]
  /** The rank of its outermost cluster by size. */
  rank: number
  isUnlinked: boolean
}

/** Where everything is drawn. The same graph gets the same plan. */
export interface GraphPlan {
  /** A parent is before its children. */
  groups: readonly PlannedGroup[]
  /** By node: the cluster that directly contains it. */
  groupOf: Uint32Array
  /** By node: x and y. */
  positions: Float32Array
  /**
   * Two clusters for each link: the outermost ones that contain one of its memories but not the other, or
   * twice the cluster that directly contains both.
   */
  ends: Uint32Array
}
