import { type KeyboardEvent, useId, useState } from 'react'
import { TextField as AriaTextField, Input, Label } from 'react-aria-components'
import { number } from '../texts/tools/numbers.ts'

/** A value to choose, with how often it occurs. */
export interface Suggestion {
  value: string
  count: number
}

interface SuggestFieldProps {
  label: string
  /** The chosen value; empty: none. */
  value: string
  suggestions: readonly Suggestion[]
  /** The name of a value. Default: the value. */
  nameOf?: (value: string) => string
  /** Called with a chosen value, or with one that was typed, which need not be suggested. */
  onChange: (value: string) => void
}

/**
 * A field with the values that occur, the most frequent first. A suggestion applies at once, and typed text
 * with Enter or when the field is left: a part of a name matches nothing.
 */
export const SuggestField = ({
  label,
  value,
  suggestions,
  nameOf = (each) => each,
  onChange,
}: SuggestFieldProps) => {
  const list = useId()
  const shown = value && nameOf(value)
  const [draft, setDraft] = useState(shown)
  const [seen, setSeen] = useState(shown)
  if (seen !== shown) {
    setSeen(shown)
    setDraft(shown)
  }
  const apply = (name: string) => {
    const typed = name.trim()
    const chosen = suggestions.find((each) => nameOf(each.value) === typed)?.value ?? typed
    if (chosen !== value) onChange(chosen)
  }
  return (
    <AriaTextField
      className="field"
      value={draft}
      onChange={setDraft}
      onBlur={() => apply(draft)}
      onKeyDown={(event: KeyboardEvent & { continuePropagation?: () => void }) => {
        if (event.key === 'Enter') apply(draft)
        else event.continuePropagation?.()
      }}
    >
      <Label>{label}</Label>
      <Input
        className="input"
        dir="auto"
        list={list}
        onInput={({ nativeEvent, currentTarget }) => {
          // A browser replaces the whole text by a suggestion that is chosen.
          const { inputType } = nativeEvent as InputEvent
          if (inputType === 'insertReplacementText') apply(currentTarget.value)
        }}
      />
      <datalist id={list}>
        {suggestions.map((each) => (
          <option key={each.value} value={nameOf(each.value)} label={number(each.count)} />
        ))}
      </datalist>
    </AriaTextField>
  )
}
