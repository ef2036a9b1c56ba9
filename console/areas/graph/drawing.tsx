import { type KeyboardEvent, useEffect, useRef } from 'react'
import { graph as texts } from '../../texts/graph.ts'
import { IconButton } from '../../ui/button.tsx'
import type { GraphModel } from './model.ts'
import { createRenderer, type GraphView, type Renderer } from './renderer.ts'

interface DrawingProps {
  model: GraphModel
  view: GraphView
  onSelect: (id: string | undefined) => void
}

/** The actions of the keys while the drawing has the focus. */
const KEYS: Readonly<Record<string, (renderer: Renderer) => void>> = {
  ArrowLeft: (renderer) => renderer.pan(-1, 0),
  ArrowRight: (renderer) => renderer.pan(1, 0),
  ArrowUp: (renderer) => renderer.pan(0, -1),
  ArrowDown: (renderer) => renderer.pan(0, 1),
  '+': (renderer) => renderer.zoomIn(),
  '=': (renderer) => renderer.zoomIn(),
  '-': (renderer) => renderer.zoomOut(),
  '0': (renderer) => renderer.reset(),
}

const useRenderer = ({ model, view, onSelect }: DrawingProps) => {
  const container = useRef<HTMLDivElement>(null)
  const renderer = useRef<Renderer>(undefined)
  const latest = useRef({ view, onSelect })
  const clicked = useRef<string>(undefined)
  latest.current = { view, onSelect }
  useEffect(() => {
    if (!container.current) return
    const select = (id: string | undefined) => {
      clicked.current = id
      latest.current.onSelect(id)
    }
    const created = createRenderer(container.current, model, latest.current.view, select)
    renderer.current = created
    return () => {
      renderer.current = undefined
      created.stop()
    }
  }, [model])
  const { colors, filter, layout, selected } = view
  useEffect(() => {
    renderer.current?.update({ colors, filter, layout, selected })
  }, [colors, filter, layout, selected])
  // The layout moves the node until it is done. A clicked node is in view already.
  const { isDone } = layout
  useEffect(() => {
    if (selected && isDone && selected !== clicked.current) renderer.current?.focus(selected)
    clicked.current = undefined
  }, [selected, isDone])
  return { container, renderer }
}

/** The default export is for `lazy`: Sigma is loaded with the first drawing. */
const Drawing = (props: DrawingProps) => {
  const { container, renderer } = useRenderer(props)
  const onKeyDown = (event: KeyboardEvent): void => {
    const run = KEYS[event.key]
    if (!run || !renderer.current || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    run(renderer.current)
  }
  return (
    <div className="graph-drawing">
      <div
        ref={container}
        className="graph-canvas"
        role="application"
        aria-label={texts.drawing}
        aria-describedby="graph-keys"
        tabIndex={0}
        onKeyDown={onKeyDown}
        data-done={props.view.layout.isDone}
      />
      <div className="graph-controls">
        <IconButton icon="plus" label={texts.zoomIn} onPress={() => renderer.current?.zoomIn()} />
        <IconButton
          icon="minus"
          label={texts.zoomOut}
          onPress={() => renderer.current?.zoomOut()}
        />
        <IconButton icon="fit" label={texts.reset} onPress={() => renderer.current?.reset()} />
      </div>
      <p className="graph-keys quiet small" id="graph-keys">
        {texts.keys}
      </p>
    </div>
  )
}

export default Drawing
