import { startTransition, useEffect, useMemo, useState } from 'react'
import { bridgeMemories } from '../../../shared/contract/graph.ts'
import { useApi } from '../../session/query.ts'
import { graph as texts } from '../../texts/graph.ts'
import { Loaded, Skeleton } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NARROW, useMedia } from '../../ui/use-media.ts'
import { useGraphColors } from './colors.ts'
import { Controls } from './controls.tsx'
import { Drawing } from './drawing.tsx'
import { GroupTree } from './group-tree.tsx'
import { bridgesOf, type GraphFilter, type GraphLink, type GraphModel } from './model.ts'
import { NodeList } from './node-list.tsx'
import { NodePanel } from './node-panel.tsx'
import type { GraphPlan, PlanInput } from './plan.ts'
import { PlaybackBar } from './playback.tsx'
import { createScene } from './scene.ts'
import { useGraphSearch } from './use-graph-search.ts'
import { useOpenGroups } from './use-open-groups.ts'
import { usePlayback } from './use-playback.ts'

const WIDE: PlanFrame = { aspect: 1.25, maxSideBySide: 24 }
const PHONE: PlanFrame = { aspect: 0.7, maxSideBySide: 12 }

/** The graph as a drawing or a list, with its filters and the selected memory. */
export const Explorer = ({ model }: { model: GraphModel }) => {
  const { search } = useGraphSearch()
  const isNarrow = useMedia(NARROW)
  const { plan, hasFailed } = useLayout(model, isNarrow ? PHONE : WIDE)
  const colors = useGraphColors()
  const bridges = useMemo(() => new Set(bridgesOf(model).map(({ index }) => index)), [model])
  const playback = usePlayback(model)
  const { open, focus, toggle, select, selected } = useOpenGroups(model, plan)

  const { from, to } = playback
  const { without } = search
  const filter = useMemo(
    (): GraphFilter => ({ without: without ?? [], from, to }),
    [without, from, to],
  )
  const picture = useMemo(() => {
    if (!plan) return undefined
    const scene = createScene(model, plan, filter, open)
    return { model, plan, scene, colors, bridges, selected }
  }, [model, plan, filter, open, colors, bridges, selected])

  const isList = search.view === 'list' || hasFailed
  return (
    <>
      {hasFailed && <Notice look="warn">{texts.noWorker}</Notice>}
      <div className="graph-explorer">
        <div className="stack-small">
          {isList && <NodeList model={model} filter={filter} plan={plan} />}
          {!isList && picture && (
            <Drawing picture={picture} focus={focus} onSelect={select} onToggle={toggle} />
          )}
          {!isList && !picture && <Arranging />}
          <PlaybackBar playback={playback} />
        </div>
        <div className="graph-side stack">
          {search.memory && <NodePanel model={model} id={search.memory} onSelect={select} />}
          <Controls key={String(isNarrow)} model={model} onSelect={select} />
          {picture && <GroupTree {...picture} onSelect={select} onToggle={toggle} />}
          <Bridges onSelect={select} />
        </div>
      </div>
    </>
  )
}

const Arranging = () => (
  <div className="graph-drawing graph-arranging">
    <p className="small quiet" role="status">
      {texts.arranging}
    </p>
    <Skeleton lines={6} />
  </div>
)

const BRIDGES = 10

const Bridges = ({ onSelect }: { onSelect: (id: string) => void }) => {
  const bridges = useApi(bridgeMemories, { query: { limit: BRIDGES } })
  return (
    <section className="card stack-small" aria-label={texts.bridges}>
      <h2>{texts.bridges}</h2>
      <p className="small quiet">{texts.bridgesNote}</p>
      <Loaded query={bridges}>
        {({ bridge_memories }) =>
          bridge_memories.length ? (
            <ol className="plain graph-entries">
              {bridge_memories.map(({ memory_id, content_text, betweenness_score }) => (
                <li key={memory_id}>
                  <button type="button" className="graph-entry" onClick={() => onSelect(memory_id)}>
                    <span className="truncate" dir="auto">
                      {content_text}
                    </span>
                    <span className="badge numeric">{texts.share(betweenness_score)}</span>
                  </button>
                </li>
              ))}
            </ol>
          ) : (
            <p className="quiet">{texts.noBridges}</p>
          )
        }
      </Loaded>
    </section>
  )
}

/** The file name of the worker, which the build inserts. */
declare const LAYOUT_WORKER_FILE: string

/** Strong for links that a writer set, weak for shared words and meaning, by their rarity and similarity. */
const pullOf = ({ kind, weight }: GraphLink, maxWeight: number): number => {
  if (kind === 'words') return weight / maxWeight
  if (kind === 'meaning') return weight
  return kind === 'thread' ? 1 : 2
}

/** The place that a plan is made for. */
type PlanFrame = Pick<PlanInput, 'aspect' | 'maxSideBySide'>

const inputOf = ({ nodes, links }: GraphModel, place: PlanFrame): PlanInput => {
  const maxWeight = links.reduce((max, { weight }) => Math.max(max, weight), 1)
  return {
    labels: nodes.map(({ label }) => label),
    links: Uint32Array.from(links.flatMap(({ from, to }) => [from, to])),
    weights: Float32Array.from(links, (link) => pullOf(link, maxWeight)),
    ...place,
  }
}

interface Layout {
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
const useLayout = (model: GraphModel, place: PlanFrame): Layout => {
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
