import { useMemo, useState } from 'react'
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { graph as texts } from '../../texts/graph.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { NARROW, useMedia } from '../../ui/use-media.ts'
import type { GraphModel, GraphNode } from './model.ts'
import { DEFAULT_SIZE, LINK_KINDS, SIZES } from './search.ts'
import { useGraphSearch } from './use-graph-search.ts'

const SIZE_OPTIONS = SIZES.map((size) => ({ id: String(size), label: texts.sizeOption(size) }))

interface ControlsProps {
  model: GraphModel
  onSelect: (id: string) => void
}

/** The search and the filters, folded on a phone. */
export const Controls = ({ model, onSelect }: ControlsProps) => {
  const { search, change } = useGraphSearch()
  const isNarrow = useMedia(NARROW)
  const size = search.size ?? DEFAULT_SIZE
  return (
    <details className="card graph-controls-card" open={!isNarrow}>
      <summary>{texts.filters}</summary>
      <div className="stack">
        <NodeSearch nodes={model.nodes} onSelect={onSelect} />
        <Select
          label={texts.size}
          options={SIZE_OPTIONS}
          value={String(size)}
          onChange={(id) => change({ size: SIZES.find((each) => String(each) === id) })}
        />
        <LinkKinds />
      </div>
    </details>
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

export const ViewSwitch = () => {
  const { search, change } = useGraphSearch()
  const isList = search.view === 'list'
  return (
    <fieldset className="graph-views">
      <legend className="visually-hidden">{texts.views}</legend>
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

const MAX_SUGGESTIONS = 8

/** The nodes whose label has all words of the input, most central first. */
const findNodes = (nodes: readonly GraphNode[], input: string): GraphNode[] => {
  const words = input.toLowerCase().split(' ').filter(Boolean)
  if (words.length === 0) return []
  const found: GraphNode[] = []
  for (const node of nodes) {
    const label = node.label.toLowerCase()
    if (words.every((word) => label.includes(word)) && found.push(node) === MAX_SUGGESTIONS) break
  }
  return found
}

interface NodeSearchProps {
  nodes: readonly GraphNode[]
  onSelect: (id: string) => void
}

/** A search field that suggests memories and selects the chosen one. */
const NodeSearch = ({ nodes, onSelect }: NodeSearchProps) => {
  const [input, setInput] = useState('')
  const suggestions = useMemo(() => findNodes(nodes, input), [nodes, input])
  return (
    <ComboBox
      className="field graph-search"
      items={suggestions}
      inputValue={input}
      onInputChange={setInput}
      value={null}
      onChange={(key) => {
        const node = suggestions.find(({ id }) => id === key)
        if (!node) return
        setInput('')
        onSelect(node.id)
      }}
      allowsEmptyCollection={input.trim() !== ''}
      menuTrigger="input"
    >
      <Label className="label">{texts.search}</Label>
      <Input className="input" placeholder={texts.searchHint} dir="auto" />
      <Popover className="popover">
        <ListBox<GraphNode>
          className="menu"
          renderEmptyState={() => <p className="menu-item quiet">{texts.noMatch}</p>}
        >
          {({ id, label }) => (
            <ListBoxItem className="menu-item" id={id} textValue={label}>
              <bdi>{label}</bdi>
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  )
}
