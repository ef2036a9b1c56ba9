import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { Button, Tag, TagGroup, TagList } from 'react-aria-components'
import { Icon } from './icon.tsx'

interface TagsFieldProps {
  label: string
  note: string
  /** The name of the button that removes a tag. */
  removeLabel: string
  value: readonly string[]
  onChange: (tags: string[]) => void
  maxLength?: number
  /** The error of the tags. */
  error?: string | undefined
}

/** Short texts, each added with Enter or a comma. A text that was not added yet counts when the field is left. */
export const TagsField = ({
  label,
  note,
  removeLabel,
  value,
  onChange,
  maxLength,
  error,
}: TagsFieldProps) => {
  const [draft, setDraft] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const add = () => {
    const tag = draft.trim()
    setDraft('')
    if (tag && !value.includes(tag)) onChange([...value, tag])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === ',' || (event.key === 'Enter' && draft.trim())) {
      event.preventDefault()
      add()
    } else if (event.key === 'Backspace' && draft === '') onChange(value.slice(0, -1))
  }
  return (
    <div className="field" data-invalid={error ? true : undefined}>
      <label htmlFor={id}>{label}</label>
      <div className="input tags-input">
        {value.length > 0 && (
          <TagGroup
            aria-label={label}
            onRemove={(keys) => {
              onChange(value.filter((tag) => !keys.has(tag)))
              input.current?.focus()
            }}
          >
            <TagList className="tags-list">
              {value.map((tag) => (
                <Tag key={tag} id={tag} textValue={tag} className="badge tag">
                  <bdi>{tag}</bdi>
                  <Button slot="remove" className="tag-remove" aria-label={removeLabel}>
                    <Icon name="close" />
                  </Button>
                </Tag>
              ))}
            </TagList>
          </TagGroup>
        )}
        <input
          ref={input}
          id={id}
          dir="auto"
          value={draft}
          aria-describedby={`${id}-note`}
          aria-invalid={error ? true : undefined}
          {...(maxLength && { maxLength })}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={add}
        />
      </div>
      <span id={`${id}-note`} className={error ? 'field-error' : 'field-note'}>
        {error ?? note}
      </span>
    </div>
  )
}
