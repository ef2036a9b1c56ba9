/** Entry of the worker that arranges the graph. Its owner ends it. */
import type { PlanInput } from './plan.ts'
import { planGraph } from './plan-graph.ts'

declare const self: Worker

self.onmessage = ({ data }: MessageEvent<PlanInput>) => self.postMessage(planGraph(data))
