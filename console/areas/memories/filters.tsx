import { type ReactNode, useState } from 'react'
import { MEMORY_TYPES } from '../../../shared/contract/memories.ts'
import { useMe } from '../../session/me.ts'
import { memories } from '../../texts/memories.ts'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { AsOfField } from './as-of.tsx'
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

/** The filters beside the type. Those that only a recall has are in a group of their own. */
export const FilterPanel = ({ search, onChange }: FilterProps) => (
  <section className="card filter-panel" aria-label={texts.group}>
    <div className="filter-fields">
      {(['thread', 'tag', 'author'] as const).map((name) => (
        <FilterText key={name} name={name} search={search} onChange={onChange} />
      ))}
    </div>
    {!search.deleted && (
      <fieldset className="filter-group">
        <legend>
          {texts.searchOnly}
          {!search.q && <span className="quiet small"> {texts.searchOnlyNote}</span>}
        </legend>
        <div className="filter-fields">
          <ScopeFilter search={search} onChange={onChange} />
          <FilterText name="agent" note={texts.agentNote} search={search} onChange={onChange} />
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
        <AsOfField value={search.as_of} onChange={(as_of) => onChange({ as_of })} />
      </fieldset>
    )}
  </section>
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

interface FilterTextProps extends FilterProps {
  name: 'thread' | 'tag' | 'author' | 'agent'
  note?: ReactNode & string
}

/** Applied with Enter, or when the field is left: a part of a name matches nothing. */
const FilterText = ({ name, note, search, onChange }: FilterTextProps) => {
  const applied = search[name] ?? ''
  const [draft, setDraft] = useState(applied)
  const [seen, setSeen] = useState(applied)
  if (seen !== applied) {
    setSeen(applied)
    setDraft(applied)
  }
  const apply = () => {
    if (draft !== applied) onChange({ [name]: draft.trim() ? draft : undefined })
  }
  return (
    <TextField
      label={texts[name]}
      value={draft}
      onChange={setDraft}
      onBlur={apply}
      onKeyDown={(event) => {
        if (event.key === 'Enter') apply()
        else event.continuePropagation()
      }}
      {...(note && { note })}
    />
  )
}
