import { useMemo, useState } from 'react'
import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { graph as texts } from '../../texts/graph.ts'
import type { GraphNode } from './model.ts'

const MAX_SUGGESTIONS = 8

/** The nodes whose label has all words of the input, most central first. */
export const findNodes = (nodes: readonly GraphNode[], input: string): GraphNode[] => {
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
export const NodeSearch = ({ nodes, onSelect }: NodeSearchProps) => {
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
