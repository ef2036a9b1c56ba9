import { graph as texts } from '../../texts/graph.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { NARROW, useMedia } from '../../ui/use-media.ts'
import type { GraphModel } from './model.ts'
import { NodeSearch } from './node-search.tsx'
import { DEFAULT_SIZE, LINK_KINDS, SIZES } from './search.ts'
import { TimeRange } from './time-range.tsx'
import { useGraphSearch } from './use-graph-search.ts'

const SIZE_OPTIONS = SIZES.map((size) => ({ id: String(size), label: texts.sizeOption(size) }))

interface ToolbarProps {
  model: GraphModel
  canDraw: boolean
  onSelect: (id: string) => void
}

export const Toolbar = ({ model, canDraw, onSelect }: ToolbarProps) => {
  const { search, change } = useGraphSearch()
  // On a phone the filters would fill the screen above the graph.
  const isNarrow = useMedia(NARROW)
  const size = search.size ?? DEFAULT_SIZE
  const filters = (
    <>
      <Select
        label={texts.size}
        options={SIZE_OPTIONS}
        value={String(size)}
        onChange={(id) => change({ size: SIZES.find((each) => String(each) === id) })}
      />
      <TimeRange model={model} />
      <LinkKinds />
    </>
  )
  return (
    <div className="graph-toolbar card">
      <NodeSearch nodes={model.nodes} onSelect={onSelect} />
      {isNarrow ? (
        <details className="graph-filters">
          <summary>{texts.filters}</summary>
          <div className="stack">{filters}</div>
        </details>
      ) : (
        filters
      )}
      {canDraw && <ViewSwitch />}
    </div>
  )
}

const LinkKinds = () => {
  const { search, change } = useGraphSearch()
  const without = search.without ?? []
  return (
    <fieldset className="graph-kinds">
      <legend>{texts.links}</legend>
      {LINK_KINDS.map((kind) => (
        <Checkbox
          key={kind}
          isSelected={!without.includes(kind)}
          onChange={(isShown) =>
            change({
              without: LINK_KINDS.filter((each) =>
                each === kind ? !isShown : without.includes(each),
              ),
            })
          }
        >
          <span className={`graph-kind ${kind}`}>{texts.kinds[kind]}</span>
        </Checkbox>
      ))}
    </fieldset>
  )
}

const QUIET = { look: 'quiet' } as const

const ViewSwitch = () => {
  const { search, change } = useGraphSearch()
  const isList = search.view === 'list'
  return (
    <fieldset className="graph-views">
      <legend>{texts.views}</legend>
      <div className="segmented">
        <Button
          isSmall
          {...(isList && QUIET)}
          aria-pressed={!isList}
          onPress={() => change({ view: undefined })}
        >
          {texts.asDrawing}
        </Button>
        <Button
          isSmall
          {...(!isList && QUIET)}
          aria-pressed={isList}
          onPress={() => change({ view: 'list' })}
        >
          {texts.asList}
        </Button>
      </div>
    </fieldset>
  )
}
