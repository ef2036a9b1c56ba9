import { useState } from 'react'
import type { ServerSetting } from '../../../shared/contract/server-settings.ts'
import { serverSettings as texts } from '../../texts/server-settings.ts'
import { Checkbox, Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Time } from '../../ui/time.tsx'

interface SettingFieldProps {
  setting: ServerSetting
  isRemoved: boolean
  onRemove: (isRemoved: boolean) => void
}

/** The text of the field before it is edited. */
export const initialText = ({ source, value }: ServerSetting): string =>
  source === 'default' ? '' : (value ?? '')

const labelOf = ({ name }: ServerSetting): string => texts.names[name] ?? name

const noteOf = (setting: ServerSetting): string => {
  const { name, is_readable, is_secret, source, hint } = setting
  const fallback = setting.default ? texts.defaultIs(setting.default) : texts.noDefault
  const isSecretSet = is_secret && source === 'stored'
  const state = !is_readable
    ? texts.unreadable
    : isSecretSet
      ? hint
        ? texts.secretEnds(hint)
        : texts.secretSet
      : fallback
  return `${state} ${texts.variable(name)}`
}

export const SettingField = (props: SettingFieldProps) => {
  const { setting } = props
  const { changed_at, changed_by, source } = setting
  return (
    <div className="stack-tight">
      {source === 'environment' ? <FixedSetting setting={setting} /> : <Editable {...props} />}
      {changed_at && changed_by && source !== 'environment' && (
        <p className="quiet small">
          {texts.changedBy(changed_by)}, <Time iso={changed_at} />
        </p>
      )}
    </div>
  )
}

const FixedSetting = ({ setting }: { setting: ServerSetting }) => {
  const { name, value } = setting
  return (
    <div className="field">
      <span className="label">{labelOf(setting)}</span>
      <span className="mono setting-value">{value ?? texts.secretFixed}</span>
      <p className="field-note">{texts.fixed(name)}</p>
    </div>
  )
}

const Editable = ({ setting, isRemoved, onRemove }: SettingFieldProps) => {
  const { name, is_secret, source, choices, minimum } = setting
  if (choices) return <Choice setting={setting} choices={choices} />
  return (
    <>
      <TextField
        name={name}
        label={labelOf(setting)}
        note={noteOf(setting)}
        defaultValue={initialText(setting)}
        type={is_secret ? 'password' : 'text'}
        autoComplete={is_secret ? 'new-password' : 'off'}
        spellCheck="false"
        isDisabled={isRemoved}
        {...(minimum !== null && { inputMode: 'numeric' as const })}
      />
      {is_secret && source === 'stored' && (
        <Checkbox isSelected={isRemoved} onChange={onRemove}>
          {texts.remove(labelOf(setting))}
        </Checkbox>
      )}
    </>
  )
}

const Choice = ({ setting, choices }: { setting: ServerSetting; choices: string[] }) => {
  const [value, setValue] = useState(initialText(setting))
  return (
    <>
      <Select
        label={labelOf(setting)}
        note={texts.variable(setting.name)}
        options={[
          { id: '', label: texts.defaultChoice(setting.default) },
          ...choices.map((id) => ({ id, label: id })),
        ]}
        value={value}
        onChange={setValue}
      />
      <input type="hidden" name={setting.name} value={value} />
    </>
  )
}
