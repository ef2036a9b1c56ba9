import { lazy, Suspense, useCallback, useMemo } from 'react'
import { graph as texts } from '../../texts/graph.ts'
import { Skeleton } from '../../ui/loaded.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useGraphColors } from './colors.ts'
import { type Layout, useLayout } from './layout.ts'
import type { GraphFilter, GraphModel } from './model.ts'
import { NodeList } from './node-list.tsx'
import { NodePanel } from './node-panel.tsx'
import { Overview } from './overview.tsx'
import type { GraphSearch } from './search.ts'
import { Toolbar } from './toolbar.tsx'
import { useGraphSearch } from './use-graph-search.ts'
import { hasWebGl } from './webgl.ts'

const Drawing = lazy(() => import('./drawing.tsx'))

const filterOf = ({ without = [], from, to }: GraphSearch): GraphFilter => ({
  without,
  from: from ?? Number.NEGATIVE_INFINITY,
  to: to ?? Number.POSITIVE_INFINITY,
})

/** Why there is no drawing. */
const obstacleOf = (canDraw: boolean, { hasFailed }: Layout): string | undefined => {
  if (!canDraw) return texts.noWebGl
  return hasFailed ? texts.noWorker : undefined
}

/** The graph as a drawing or a list, with its filters and the selected memory. */
export const Explorer = ({ model }: { model: GraphModel }) => {
  const { search, change } = useGraphSearch()
  const canDraw = useMemo(hasWebGl, [])
  const layout = useLayout(model)
  const obstacle = obstacleOf(canDraw, layout)
  const filter = useMemo(() => filterOf(search), [search])
  const select = useCallback((memory: string | undefined) => change({ memory }), [change])
  const isList = search.view === 'list' || obstacle !== undefined
  const content = { model, filter, layout, selected: search.memory, onSelect: select }
  return (
    <>
      <Toolbar model={model} canDraw={obstacle === undefined} onSelect={select} />
      {obstacle && <Notice look="warn">{obstacle}</Notice>}
      <div className="graph-explorer">
        {isList ? <NodeList {...content} /> : <DrawingArea {...content} />}
        <aside className="graph-side stack" aria-label={texts.selected}>
          {search.memory ? (
            <NodePanel model={model} id={search.memory} onSelect={select} />
          ) : (
            <Overview model={model} clusters={layout.step?.clusters} onSelect={select} />
          )}
        </aside>
      </div>
    </>
  )
}

interface DrawingAreaProps {
  model: GraphModel
  filter: GraphFilter
  layout: Layout
  selected: string | undefined
  onSelect: (id: string | undefined) => void
}

const DrawingArea = ({ model, filter, layout: { step }, selected, onSelect }: DrawingAreaProps) => {
  const colors = useGraphColors()
  if (!step) return <Skeleton lines={6} />
  return (
    <div>
      <Suspense fallback={<Skeleton lines={6} />}>
        <Drawing
          model={model}
          view={{ colors, filter, layout: step, selected }}
          onSelect={onSelect}
        />
      </Suspense>
      <p className="small quiet" role="status">
        {!step.isDone && texts.arranging}
      </p>
    </div>
  )
}
