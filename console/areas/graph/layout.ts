import { startTransition, useEffect, useState } from 'react'
import type { GraphLink, GraphModel } from './model.ts'
import type { GraphPlan, PlanInput } from './plan.ts'

/** The file name of the worker, which the build inserts. */
declare const LAYOUT_WORKER_FILE: string

/** Strong for links that a writer set, weak for shared words, by their rarity. */
const pullOf = ({ kind, weight }: GraphLink, maxWeight: number): number =>
  kind === 'words' ? weight / maxWeight : kind === 'thread' ? 1 : 2

/** The place that a plan is made for. */
export type PlanFrame = Pick<PlanInput, 'aspect' | 'maxSideBySide'>

const inputOf = ({ nodes, links }: GraphModel, place: PlanFrame): PlanInput => {
  const maxWeight = links.reduce((max, { weight }) => Math.max(max, weight), 1)
  return {
    labels: nodes.map(({ label }) => label),
    links: Uint32Array.from(links.flatMap(({ from, to }) => [from, to])),
    weights: Float32Array.from(links, (link) => pullOf(link, maxWeight)),
    ...place,
  }
}

export interface Layout {
  /** Undefined until the worker has computed it. */
  plan: GraphPlan | undefined
  /** The worker could not be started. */
  hasFailed: boolean
}

const NONE: Layout = { plan: undefined, hasFailed: false }

/**
 * Where a worker places the memories of a graph, so that the page stays responsive.
 * @param place a constant.
 */
export const useLayout = (model: GraphModel, place: PlanFrame): Layout => {
  const [layout, setLayout] = useState(NONE)
  useEffect(() => {
    setLayout(NONE)
    const worker = new Worker(new URL(LAYOUT_WORKER_FILE, import.meta.url), { type: 'module' })
    worker.onmessage = ({ data }: MessageEvent<GraphPlan>) => {
      startTransition(() => setLayout({ plan: data, hasFailed: false }))
      worker.terminate()
    }
    worker.onerror = () => setLayout({ plan: undefined, hasFailed: true })
    worker.postMessage(inputOf(model, place))
    return () => worker.terminate()
  }, [model, place])
  return layout
}
