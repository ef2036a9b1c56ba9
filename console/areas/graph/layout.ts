import { useEffect, useState } from 'react'
import type { LayoutInput, LayoutStep } from './layout-start.ts'
import type { GraphLink, GraphModel } from './model.ts'

/** The file name of the worker, which the build inserts. */
declare const LAYOUT_WORKER_FILE: string

/** Strong for links that a writer set, weak for shared words, by their rarity. */
const pullOf = ({ kind, weight }: GraphLink, maxWeight: number): number =>
  kind === 'words' ? weight / maxWeight : kind === 'thread' ? 1 : 2

const inputOf = ({ nodes, links }: GraphModel): LayoutInput => {
  const drawn = links.filter(({ from, to }) => from !== to)
  const maxWeight = drawn.reduce((max, { weight }) => Math.max(max, weight), 1)
  return {
    nodeCount: nodes.length,
    links: Uint32Array.from(drawn.flatMap(({ from, to }) => [from, to])),
    weights: Float32Array.from(drawn, (link) => pullOf(link, maxWeight)),
  }
}

export interface Layout {
  /** The last step. Undefined until the worker has found the clusters. */
  step: LayoutStep | undefined
  /** The worker could not be started. */
  hasFailed: boolean
}

const NONE: Layout = { step: undefined, hasFailed: false }

/** The layout of a graph as a worker computes it, step by step. */
export const useLayout = (model: GraphModel): Layout => {
  const [layout, setLayout] = useState(NONE)
  useEffect(() => {
    setLayout(NONE)
    const worker = new Worker(new URL(LAYOUT_WORKER_FILE, import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<LayoutStep>) => {
      setLayout({ step: data, hasFailed: false })
      if (data.isDone) worker.terminate()
    }
    worker.onerror = () => setLayout((known) => ({ ...known, hasFailed: true }))
    worker.postMessage(inputOf(model))
    return () => worker.terminate()
  }, [model])
  return layout
}
