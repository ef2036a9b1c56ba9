import type { ReactNode } from 'react'
import {
  Checkbox as AriaCheckbox,
  Select as AriaSelect,
  Switch as AriaSwitch,
  Button,
  type CheckboxProps,
  FieldError,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  type SwitchProps,
  Text,
} from 'react-aria-components'
import { Icon } from './icon.tsx'

type Styled = 'className' | 'style' | 'children'

export const Checkbox = ({
  children,
  ...props
}: Omit<CheckboxProps, Styled> & { children?: ReactNode }) => (
  <AriaCheckbox {...props} className="check">
    <span className="check-box">
      <Icon name="check" />
    </span>
    {children && <span>{children}</span>}
  </AriaCheckbox>
)

export const Switch = ({
  children,
  ...props
}: Omit<SwitchProps, Styled> & { children: ReactNode }) => (
  <AriaSwitch {...props} className="switch">
    <span className="switch-track" />
    <span>{children}</span>
  </AriaSwitch>
)

export interface Option<T extends string = string> {
  id: T
  label: string
}

interface SelectProps<T extends string> {
  label: string
  isLabelHidden?: boolean
  note?: string
  name?: string
  options: readonly Option<T>[]
  value: T
  onChange: (value: T) => void
  isDisabled?: boolean
}

/** A choice of one of several values. */
export const Select = <T extends string>(props: SelectProps<T>) => {
  const { label, isLabelHidden, note, name, options, value, onChange, isDisabled = false } = props
  return (
    <AriaSelect
      className="field"
      value={value}
      onChange={(key) => {
        const chosen = options.find(({ id }) => id === key)
        if (chosen) onChange(chosen.id)
      }}
      isDisabled={isDisabled}
      {...(name && { name })}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : 'label'}>{label}</Label>
      <Button className="button select-button">
        <SelectValue className="truncate" />
        <Icon name="chevron" />
      </Button>
      {note && (
        <Text slot="description" className="field-note">
          {note}
        </Text>
      )}
      <FieldError className="field-error" />
      <Popover className="popover">
        <ListBox className="menu" items={options}>
          {(option) => (
            <ListBoxItem className="menu-item" id={option.id} textValue={option.label}>
              {option.label}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
