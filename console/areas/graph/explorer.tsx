import { useMemo } from 'react'
import { graph as texts } from '../../texts/graph.ts'
import { Skeleton } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { NARROW, useMedia } from '../../ui/use-media.ts'
import { Bridges } from './bridges.tsx'
import { useGraphColors } from './colors.ts'
import { Controls } from './controls.tsx'
import { Drawing } from './drawing.tsx'
import { GroupTree } from './group-tree.tsx'
import { type PlanFrame, useLayout } from './layout.ts'
import { bridgesOf, type GraphFilter, type GraphModel } from './model.ts'
import { NodeList } from './node-list.tsx'
import { NodePanel } from './node-panel.tsx'
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
