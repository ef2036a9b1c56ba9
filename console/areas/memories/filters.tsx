import { type ReactNode, useState } from 'react'
import { Label, Slider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components'
import { MEMORY_TYPES, TRUST_LEVELS } from '../../../shared/contract/memories.ts'
import { MEMORY_ORDERS } from '../../../shared/contract/memory-lists.ts'
import { DAY_MS } from '../../../shared/duration.ts'
import { assistantName } from '../../../shared/origin.ts'
import { useMe } from '../../session/me.ts'
import { memories } from '../../texts/memories.ts'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { SuggestField } from '../../ui/suggest-field.tsx'
import { addDays, today } from '../../ui/zone.ts'
import { useFacets } from './pages.ts'
import { type MemorySearch, SCOPES } from './search.ts'

const texts = memories.filters

export type ChangeSearch = (
  change: { [K in keyof MemorySearch]?: MemorySearch[K] | undefined },
) => void

interface FilterProps {
  search: MemorySearch
  onChange: ChangeSearch
}

const TYPE_OPTIONS = [
  { id: 'any', label: texts.anyType },
  ...MEMORY_TYPES.map((id) => ({ id, label: memories.types[id] })),
] as const

export const TypeFilter = ({ search, onChange }: FilterProps) => (
  <Select
    label={texts.type}
    isLabelHidden
    options={TYPE_OPTIONS}
    value={search.type ?? 'any'}
    onChange={(type) => onChange({ type: type === 'any' ? undefined : type })}
  />
)

/** The filters beside the type. Those that only a list or only a search has are in groups of their own. */
export const FilterPanel = ({ search, onChange }: FilterProps) => (
  <section className="card filter-panel" aria-label={texts.group}>
    <div className="filter-fields">
      {(['project', 'thread', 'tag', 'author', 'agent'] as const).map((name) => (
        <FacetField key={name} name={name} search={search} onChange={onChange} />
      ))}
      {(['since', 'until'] as const).map((name) => (
        <TextField
          key={name}
          type="date"
          label={texts[name]}
          value={search[name] ?? ''}
          onChange={(day) => onChange({ [name]: day || undefined })}
        />
      ))}
    </div>
    <FilterGroup title={texts.listOnly} note={search.q && texts.listOnlyNote}>
      <FacetField name="client" nameOf={assistantName} search={search} onChange={onChange} />
      <SourceFilter search={search} onChange={onChange} />
    </FilterGroup>
    {!search.deleted && (
      <FilterGroup
        title={texts.searchOnly}
        note={!search.q && texts.searchOnlyNote}
        wide={<AsOfField value={search.as_of} onChange={(as_of) => onChange({ as_of })} />}
      >
        <ScopeFilter search={search} onChange={onChange} />
      </FilterGroup>
    )}
  </section>
)

interface FilterGroupProps {
  title: string
  /** Why it has no effect now. */
  note: string | false | undefined
  /** A field as wide as the group, below the others. */
  wide?: ReactNode
  children: ReactNode
}

const FilterGroup = ({ title, note, wide, children }: FilterGroupProps) => (
  <fieldset className="filter-group">
    <legend>
      {title}
      {note && <span className="quiet small"> {note}</span>}
    </legend>
    <div className="filter-fields">{children}</div>
    {wide}
  </fieldset>
)

interface FacetFieldProps extends FilterProps {
  name: 'project' | 'thread' | 'tag' | 'author' | 'agent' | 'client'
  nameOf?: (value: string) => string
}

/** A filter with the values that the memories of the other filters have. */
const FacetField = ({ name, nameOf, search, onChange }: FacetFieldProps) => {
  const { [name]: value = '', ...others } = search
  const facets = useFacets(others)
  return (
    <SuggestField
      label={texts[name]}
      value={value}
      suggestions={facets?.[name === 'agent' ? 'agent_slug' : name] ?? []}
      onChange={(chosen) => onChange({ [name]: chosen || undefined })}
      {...(nameOf && { nameOf })}
    />
  )
}

const SourceFilter = ({ search, onChange }: FilterProps) => {
  const { trust, ...others } = search
  const counts = new Map(useFacets(others)?.trust.map((each) => [each.value, each.count]))
  return (
    <Select
      label={texts.source}
      options={[
        { id: 'any', label: texts.anySource },
        ...TRUST_LEVELS.map((id) => ({
          id,
          label: texts.withCount(texts.sources[id], counts.get(id) ?? 0),
        })),
      ]}
      value={trust ?? 'any'}
      onChange={(id) => onChange({ trust: TRUST_LEVELS.find((level) => level === id) })}
    />
  )
}

/** By which time the list is sorted; a search is sorted by its score. */
export const SortField = ({ search, onChange }: FilterProps) => (
  <Select
    label={texts.sort}
    isLabelHidden
    options={MEMORY_ORDERS.map((id) => ({ id, label: texts.sorts[id] }))}
    value={search.sort ?? 'stored'}
    onChange={(sort) => onChange({ sort: sort === 'stored' ? undefined : sort })}
  />
)

const ScopeFilter = ({ search, onChange }: FilterProps) => {
  const isInOrganization = Boolean(useMe()?.org)
  const scopes = SCOPES.filter(
    (scope) => isInOrganization || scope === 'personal' || scope === 'agent',
  )
  return (
    <Select
      label={texts.scope}
      options={[
        { id: 'default', label: texts.scopes.default },
        ...scopes.map((id) => ({ id, label: texts.scopes[id] })),
      ]}
      value={search.scope ?? 'default'}
      onChange={(id) => onChange({ scope: SCOPES.find((scope) => scope === id) })}
    />
  )
}

/** The slider reaches back this far, or to the chosen day; the date field any further. */
const MIN_DAYS = 365

const daysBefore = (day: string | undefined): number =>
  day ? Math.max(0, Math.round((Date.parse(today()) - Date.parse(day)) / DAY_MS)) : 0

const dayBefore = (days: number): string => addDays(today(), -days)

interface AsOfFieldProps {
  value: string | undefined
  onChange: (day: string | undefined) => void
}

/** The day whose state of knowledge is searched: a slider for a look back, and a date for a precise one. */
const AsOfField = ({ value, onChange }: AsOfFieldProps) => {
  const chosen = daysBefore(value)
  const [dragged, setDragged] = useState<number>()
  const days = dragged ?? chosen
  const reach = Math.max(MIN_DAYS, chosen)
  const choose = (back: number) => {
    setDragged(undefined)
    onChange(back === 0 ? undefined : dayBefore(back))
  }
  return (
    <div className="as-of">
      <TextField
        type="date"
        label={texts.asOf}
        value={value ?? ''}
        onChange={(day) => onChange(day || undefined)}
      />
      {/* The newest day is at the right end, as on a time axis. */}
      <Slider
        className="slider"
        minValue={-reach}
        maxValue={0}
        value={-days}
        onChange={(position) => setDragged(-position)}
        onChangeEnd={(position) => choose(-position)}
      >
        <Label className="small quiet">{texts.asOfSlider}</Label>
        <SliderOutput className="small quiet">{texts.daysAgo(days)}</SliderOutput>
        <SliderTrack className="slider-track">
          <SliderThumb className="slider-thumb" aria-label={texts.asOfSlider} />
        </SliderTrack>
      </Slider>
      <p className="field-note">{texts.asOfNote}</p>
    </div>
  )
}
