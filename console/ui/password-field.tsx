import { type ComponentProps, useState } from 'react'
import { FieldError, Input, Label, Text, TextField } from 'react-aria-components'
import { common } from '../texts/common.ts'
import { Button } from './button.tsx'

interface PasswordFieldProps
  extends Pick<
    ComponentProps<typeof TextField>,
    'name' | 'isRequired' | 'minLength' | 'maxLength' | 'autoComplete' | 'autoFocus'
  > {
  label: string
  note?: string
}

/** A password with a button that shows it. */
export const PasswordField = ({ label, note, ...props }: PasswordFieldProps) => {
  const [isShown, setShown] = useState(false)
  return (
    <TextField {...props} className="field" type={isShown ? 'text' : 'password'}>
      <Label>{label}</Label>
      <div className="password-row">
        <Input className="input" spellCheck={false} />
        <Button
          aria-label={isShown ? common.hidePassword(label) : common.showPassword(label)}
          onPress={() => setShown(!isShown)}
        >
          {isShown ? common.hide : common.show}
        </Button>
      </div>
      {note && (
        <Text slot="description" className="field-note">
          {note}
        </Text>
      )}
      <FieldError className="field-error" />
    </TextField>
  )
}
