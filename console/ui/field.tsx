import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components'

interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'children' | 'style'> {
  label: string
  /** A sentence below the field. */
  note?: string | undefined
  /** Shown instead of a label that the context makes obvious; the label stays for screen readers. */
  isLabelHidden?: boolean
  /** Lines of a text area. Default: one line. */
  rows?: number
  placeholder?: string
}

/** A text field with a label, a note and its error. In a `Form` its `name` receives errors of the API. */
export const TextField = ({
  label,
  note,
  isLabelHidden,
  rows,
  placeholder,
  ...props
}: TextFieldProps) => (
  <AriaTextField {...props} className="field">
    <Label {...(isLabelHidden && { className: 'visually-hidden' })}>{label}</Label>
    {rows ? (
      <TextArea className="input" rows={rows} {...(placeholder && { placeholder })} dir="auto" />
    ) : (
      <Input className="input" {...(placeholder && { placeholder })} dir="auto" />
    )}
    {note && (
      <Text slot="description" className="field-note">
        {note}
      </Text>
    )}
    <FieldError className="field-error" />
  </AriaTextField>
)
