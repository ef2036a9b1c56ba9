import { type KeyboardEvent, useEffect, useRef } from 'react'
import { graph as texts } from '../../texts/graph.ts'
import { IconButton } from '../../ui/button.tsx'
import { GroupButtons } from './group-buttons.tsx'
import { nameOf, wordsOf } from './group-name.ts'
import type { Picture } from './painter.ts'
import { createStage, type Stage } from './stage.ts'
import type { Focus } from './use-open-groups.ts'

interface DrawingProps {
  picture: Omit<Picture, 'hovered'>
  focus: Focus
  onSelect: (id: string | undefined) => void
  onToggle: (group: number) => void
}

/** The actions of the keys while the drawing has the focus. */
const KEYS: Readonly<Record<string, (stage: Stage) => void>> = {
  ArrowLeft: (stage) => stage.pan(-1, 0),
  ArrowRight: (stage) => stage.pan(1, 0),
  ArrowUp: (stage) => stage.pan(0, -1),
  ArrowDown: (stage) => stage.pan(0, 1),
  '+': (stage) => stage.zoomIn(),
  '=': (stage) => stage.zoomIn(),
  '-': (stage) => stage.zoomOut(),
  '0': (stage) => stage.showGroup(undefined),
}

const useStage = ({ picture, focus, onSelect, onToggle }: DrawingProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const layer = useRef<HTMLDivElement>(null)
  const stage = useRef<Stage>(undefined)
  const elements = useRef(new Map<number, HTMLElement>()).current
  const clicked = useRef<number>(undefined)
  const latest = useRef({ picture, onSelect, onToggle })
  latest.current = { picture, onSelect, onToggle }
  const { model, plan, selected } = picture
  useEffect(() => {
    if (!canvas.current || !layer.current) return
    const created = createStage(
      {
        canvas: canvas.current,
        layer: layer.current,
        buttonOf: (group) => elements.get(group),
      },
      { ...latest.current.picture, hovered: undefined },
      { wordsOf: (group) => wordsOf(plan, group), nameOf: (group) => nameOf(plan, group) },
      {
        onSelect: (node) => {
          clicked.current = node
          latest.current.onSelect(node === undefined ? undefined : model.nodes[node]?.id)
        },
        onOpen: (group) => latest.current.onToggle(group),
      },
    )
    stage.current = created
    return () => {
      stage.current = undefined
      created.stop()
    }
  }, [model, plan, elements])
  useEffect(() => stage.current?.update({ ...picture, hovered: undefined }), [picture])
  useEffect(() => {
    if (focus.group !== undefined || stage.current) stage.current?.showGroup(focus.group)
  }, [focus])
  // A clicked memory is in view already.
  useEffect(() => {
    if (selected !== undefined && selected !== clicked.current) stage.current?.showMember(selected)
    clicked.current = undefined
  }, [selected])
  return { canvas, layer, stage, elements }
}

/** The clusters and memories of a plan. */
export const Drawing = (props: DrawingProps) => {
  const { canvas, layer, stage, elements } = useStage(props)
  const { plan, scene } = props.picture
  const onKeyDown = (event: KeyboardEvent): void => {
    const run = KEYS[event.key]
    if (!run || !stage.current || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    run(stage.current)
  }
  return (
    <div className="graph-drawing">
      <div
        className="graph-canvas"
        role="application"
        aria-label={texts.drawing}
        aria-describedby="graph-keys"
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <canvas ref={canvas} />
      </div>
      <div ref={layer} className="graph-labels small" aria-hidden="true" />
      <GroupButtons
        plan={plan}
        scene={scene}
        elements={elements}
        onToggle={props.onToggle}
        onFocus={(group) => stage.current?.reveal(group)}
      />
      <div className="graph-controls">
        <IconButton icon="plus" label={texts.zoomIn} onPress={() => stage.current?.zoomIn()} />
        <IconButton icon="minus" label={texts.zoomOut} onPress={() => stage.current?.zoomOut()} />
        <IconButton
          icon="fit"
          label={texts.reset}
          onPress={() => stage.current?.showGroup(undefined)}
        />
      </div>
      <p className="graph-keys quiet small" id="graph-keys">
        {texts.keys}
      </p>
    </div>
  )
}
