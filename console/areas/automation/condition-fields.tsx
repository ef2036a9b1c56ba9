import { useRef } from 'react'
import type { TriggerType } from '../../../shared/contract/reflex-triggers.ts'
import { editor as texts } from '../../texts/reflexes.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { type ConditionDraft, newCondition } from './draft.ts'
import { optionsOf } from './options.ts'

const MAX_CONDITIONS = 20

interface ConditionFieldsProps {
  conditions: readonly ConditionDraft[]
  trigger: TriggerType
  onChange: (conditions: ConditionDraft[]) => void
}

export const ConditionFields = ({ conditions, trigger, onChange }: ConditionFieldsProps) => {
  const box = useRef<HTMLFieldSetElement>(null)
  const replace = (key: string, part: Partial<ConditionDraft>) =>
    onChange(conditions.map((each) => (each.key === key ? { ...each, ...part } : each)))
  const remove = (key: string) => {
    onChange(conditions.filter((each) => each.key !== key))
    box.current?.querySelector<HTMLElement>('.add-condition button')?.focus()
  }
  return (
    <fieldset className="card stack" ref={box}>
      <legend>{texts.conditions}</legend>
      <p className="field-note">{texts.conditionsNote}</p>
      {conditions.map((condition, index) => (
        <ConditionRow
          key={condition.key}
          condition={condition}
          index={index}
          note={texts.pathNotes[trigger]}
          onChange={(part) => replace(condition.key, part)}
          onRemove={() => remove(condition.key)}
        />
      ))}
      {conditions.length < MAX_CONDITIONS && (
        <div className="add-condition">
          <Button isSmall icon="plus" onPress={() => onChange([...conditions, newCondition()])}>
            {texts.addCondition}
          </Button>
        </div>
      )}
    </fieldset>
  )
}

interface ConditionRowProps {
  condition: ConditionDraft
  index: number
  note: string
  onChange: (part: Partial<ConditionDraft>) => void
  onRemove: () => void
}

const ConditionRow = ({ condition, index, note, onChange, onRemove }: ConditionRowProps) => {
  const { op, path, value } = condition
  const number = index + 1
  return (
    <fieldset className="condition" aria-label={texts.conditionLabel(number)}>
      <TextField
        name={`conditions.${index}.path`}
        label={texts.path}
        note={note}
        value={path}
        onChange={(changed) => onChange({ path: changed })}
        isRequired
        maxLength={200}
      />
      <Select
        label={texts.op}
        options={optionsOf(texts.ops)}
        value={op}
        onChange={(changed) =>
          onChange({ op: changed, ...(changed === 'exists' && { value: 'true' }) })
        }
      />
      {op === 'exists' ? (
        <Select
          label={texts.value}
          options={optionsOf(texts.exists)}
          value={value === 'false' ? 'false' : 'true'}
          onChange={(changed) => onChange({ value: changed })}
        />
      ) : (
        <TextField
          name={`conditions.${index}.value`}
          label={texts.value}
          note={op === 'in' ? texts.listNote : texts.valueNote}
          value={value}
          onChange={(changed) => onChange({ value: changed })}
          isRequired
        />
      )}
      <IconButton icon="trash" label={texts.removeCondition(number)} onPress={onRemove} />
    </fieldset>
  )
}
