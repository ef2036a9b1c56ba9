import { useState } from 'react'
import { Input, Label, SearchField } from 'react-aria-components'
import { MAX_TEXT_LENGTH } from '../../../shared/contract/common.ts'
import { keysOf } from '../../../shared/objects.ts'
import { assistantName } from '../../../shared/origin.ts'
import { memories } from '../../texts/memories.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useSearchText } from '../../ui/search-text.ts'
import { type ChangeSearch, FilterPanel, SortField, TypeFilter } from './filters.tsx'
import type { MemorySearch } from './search.ts'
import { ViewsButton } from './views.tsx'

const texts = memories.filters

interface SearchBarProps {
  search: MemorySearch
  onChange: ChangeSearch
}

const LABELS = {
  thread: texts.thread,
  tag: texts.tag,
  author: texts.author,
  agent: texts.agent,
  project: texts.project,
  client: texts.client,
  trust: texts.source,
  scope: texts.scope,
  since: texts.since,
  until: texts.until,
  as_of: texts.asOf,
} as const

type ChipName = keyof typeof LABELS
const CHIPS = keysOf(LABELS)

const activeFilters = (search: MemorySearch): ChipName[] =>
  CHIPS.filter((name) => search[name] !== undefined)

/** The question, the type, and the other filters, which are closed until they are needed. */
export const SearchBar = ({ search, onChange }: SearchBarProps) => {
  const active = activeFilters(search)
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="stack-small">
      <div className="search-bar">
        {!search.deleted && <QueryField search={search} onChange={onChange} />}
        <TypeFilter search={search} onChange={onChange} />
        {!search.q && !search.deleted && <SortField search={search} onChange={onChange} />}
        <Button icon="filter" aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
          {texts.button}
          {active.length > 0 && <span className="badge accent">{active.length}</span>}
        </Button>
        {!search.deleted && <ViewsButton search={search} />}
      </div>
      {active.length > 0 && <FilterChips search={search} names={active} onChange={onChange} />}
      {isOpen && <FilterPanel search={search} onChange={onChange} />}
    </div>
  )
}

const QueryField = ({ search, onChange }: SearchBarProps) => {
  const { text, setText, apply } = useSearchText(search.q ?? '', (q) =>
    onChange({ q: q || undefined }),
  )
  return (
    <SearchField className="search-field" value={text} onChange={setText} onSubmit={apply}>
      <Label className="visually-hidden">{memories.search.label}</Label>
      <Icon name="search" />
      <Input
        className="input"
        dir="auto"
        placeholder={memories.search.placeholder}
        maxLength={MAX_TEXT_LENGTH}
      />
      {text && (
        <IconButton
          slot={null}
          icon="close"
          isSmall
          label={memories.search.clear}
          onPress={() => {
            setText('')
            apply('')
          }}
        />
      )}
    </SearchField>
  )
}

const filterValue = (search: MemorySearch, name: ChipName): string => {
  if (name === 'scope') return texts.scopes[search.scope ?? 'default']
  if (name === 'trust') return texts.sources[search.trust ?? 'user']
  return name === 'client' ? assistantName(search.client ?? '') : (search[name] ?? '')
}

interface FilterChipsProps extends SearchBarProps {
  names: ChipName[]
}

const FilterChips = ({ search, names, onChange }: FilterChipsProps) => (
  <ul className="plain row" aria-label={texts.active}>
    {names.map((name) => (
      <li key={name} className="badge accent filter-chip">
        {LABELS[name]}: <bdi className="truncate">{filterValue(search, name)}</bdi>
        <IconButton
          icon="close"
          isSmall
          label={texts.removeNamed(LABELS[name])}
          onPress={() => onChange({ [name]: undefined })}
        />
      </li>
    ))}
  </ul>
)
