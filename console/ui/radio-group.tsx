import { RadioGroup as AriaRadioGroup, Label, Radio, Text } from 'react-aria-components'
import type { Option } from './choice.tsx'

interface RadioGroupProps<T extends string> {
  label: string
  note?: string
  options: readonly (Option<T> & { note?: string })[]
  value: T
  onChange: (value: T) => void
  isDisabled?: boolean
}

/** A choice of one of a few values that are all visible. */
export const RadioGroup = <T extends string>(props: RadioGroupProps<T>) => {
  const { label, note, options, value, onChange, isDisabled = false } = props
  return (
    <AriaRadioGroup
      className="field"
      value={value}
      isDisabled={isDisabled}
      onChange={(id) => {
        const chosen = options.find((option) => option.id === id)
        if (chosen) onChange(chosen.id)
      }}
    >
      <Label className="label">{label}</Label>
      {note && (
        <Text slot="description" className="field-note">
          {note}
        </Text>
      )}
      {options.map((option) => (
        <Radio key={option.id} value={option.id} className="radio">
          <span className="radio-dot" />
          <span>
            {option.label}
            {option.note && <span className="field-note radio-note">{option.note}</span>}
          </span>
        </Radio>
      ))}
    </AriaRadioGroup>
  )
}
