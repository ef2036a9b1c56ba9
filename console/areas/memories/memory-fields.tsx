import type { KeyboardEvent } from 'react'
import { Label, Slider, SliderOutput, SliderThumb, SliderTrack } from 'react-aria-components'
import { MEMORY_TYPES, Tag } from '../../../shared/contract/memories.ts'
import { memories } from '../../texts/memories.ts'
import { fields as texts } from '../../texts/memory.ts'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { fieldErrors } from '../../ui/form.tsx'
import { TagsField } from '../../ui/tags-field.tsx'
import type { ChangeDraft, MemoryDraft } from './memory-form.ts'

const TAG_LENGTH = Number(Tag().maxLength)
const CONTENT_ROWS = 5

/** The names of the fields in the body, which errors refer to. */
export const MEMORY_FIELDS = [
  'content',
  'memory_type',
  'tags',
  'thread',
  'author',
  'occurred_at',
  'importance',
] as const

interface MemoryFieldsProps {
  draft: MemoryDraft
  onChange: ChangeDraft
  error: Error | null
}

/** Control or Command with Enter submits from the text, where Enter alone is a line break. */
export const submitWithEnter = (
  event:
    | KeyboardEvent<Element>
    | { key: string; ctrlKey: boolean; metaKey: boolean; target: EventTarget },
) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && event.target instanceof Element)
    event.target.closest('form')?.requestSubmit()
}

export const MemoryFields = ({ draft, onChange, error }: MemoryFieldsProps) => (
  <>
    <TextField
      name="content"
      label={texts.content}
      note={texts.contentNote}
      rows={CONTENT_ROWS}
      isRequired
      autoFocus
      value={draft.content}
      onChange={(content) => onChange({ content })}
      onKeyDown={(event) => {
        submitWithEnter(event)
        event.continuePropagation()
      }}
    />
    <div className="memory-fields">
      <Select
        label={texts.type}
        options={MEMORY_TYPES.map((id) => ({ id, label: memories.typeNotes[id] }))}
        value={draft.type}
        onChange={(type) => onChange({ type })}
      />
      <TagsField
        label={texts.tags}
        note={texts.tagsNote}
        removeLabel={texts.removeTag}
        maxLength={TAG_LENGTH}
        value={draft.tags}
        onChange={(tags) => onChange({ tags })}
        error={fieldErrors(error).tags}
      />
      <TextField
        name="thread"
        label={texts.thread}
        note={texts.threadNote}
        value={draft.thread}
        onChange={(thread) => onChange({ thread })}
      />
      <TextField
        name="author"
        label={texts.author}
        note={texts.authorNote}
        value={draft.author}
        onChange={(author) => onChange({ author })}
      />
      <TextField
        name="occurred_at"
        type="datetime-local"
        label={texts.occurredAt}
        note={texts.occurredAtNote}
        value={draft.occurredAt}
        onChange={(occurredAt) => onChange({ occurredAt })}
      />
      <ImportanceField
        value={draft.importance}
        onChange={(importance) => onChange({ importance })}
      />
    </div>
  </>
)

const ImportanceField = ({
  value,
  onChange,
}: {
  value: number
  onChange: (value: number) => void
}) => (
  <Slider
    className="slider field"
    minValue={0}
    maxValue={1}
    step={0.05}
    formatOptions={{ style: 'percent' }}
    value={value}
    onChange={onChange}
  >
    <Label className="label">{texts.importance}</Label>
    <SliderOutput className="small quiet" />
    <SliderTrack className="slider-track">
      <SliderThumb className="slider-thumb" />
    </SliderTrack>
  </Slider>
)
