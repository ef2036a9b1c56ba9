import { Link } from '@tanstack/react-router'
import { useKeptState } from '../../session/drafts.ts'
import { common } from '../../texts/common.ts'
import { editor as texts } from '../../texts/reflexes.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import { Form } from '../../ui/form.tsx'
import { ActionFields } from './action-fields.tsx'
import { ConditionFields } from './condition-fields.tsx'
import type { ReflexDraft } from './draft.ts'
import { TriggerFields } from './trigger-fields.tsx'

interface ReflexFormProps {
  /** Names the form. */
  draftKey: string
  initial: () => ReflexDraft
  /** The label of the submit button. */
  action: string
  isPending: boolean
  error: Error | null
  onSubmit: (draft: ReflexDraft) => void
}

/** Names of the fields that are shown; the API reports messages by them. */
const fieldsOf = ({ trigger, conditions, action }: ReflexDraft): string[] => {
  const triggers = {
    signal: ['device_id', 'signal_type'],
    schedule: [trigger.schedule, 'timezone'],
    memory: ['memory_type', 'tags', 'contains'],
    message: ['source', 'contains'],
  }
  const actions = {
    notify: ['channel', 'title', 'text'],
    remember: ['content', 'memory_type', 'tags'],
    webhook: ['url'],
  }
  return [
    'name',
    ...triggers[trigger.type].map((field) => `trigger.${field}`),
    ...conditions.flatMap((_, i) => [`conditions.${i}.path`, `conditions.${i}.value`]),
    ...actions[action.type].map((field) => `action.${field}`),
  ]
}

/** The address of a webhook may contain a secret. */
const withoutUrl = (draft: ReflexDraft): ReflexDraft => ({
  ...draft,
  action: { ...draft.action, url: '' },
})

export const ReflexForm = ({
  draftKey,
  initial,
  action,
  isPending,
  error,
  onSubmit,
}: ReflexFormProps) => {
  const [draft, setDraft] = useKeptState(draftKey, initial, withoutUrl)
  const change = (part: Partial<ReflexDraft>) => setDraft((current) => ({ ...current, ...part }))
  return (
    <Form onSubmit={() => onSubmit(draft)} error={error} fields={fieldsOf(draft)}>
      <TextField
        name="name"
        label={texts.name}
        value={draft.name}
        onChange={(name) => change({ name })}
        isRequired
        maxLength={100}
        autoFocus
      />
      <TriggerFields trigger={draft.trigger} onChange={(trigger) => change({ trigger })} />
      <ConditionFields
        conditions={draft.conditions}
        trigger={draft.trigger.type}
        onChange={(conditions) => change({ conditions })}
      />
      <ActionFields action={draft.action} onChange={(part) => change({ action: part })} />
      <div className="stack-tight">
        <Checkbox isSelected={draft.confirm} onChange={(confirm) => change({ confirm })}>
          {texts.confirm}
        </Checkbox>
        <p className="field-note">{texts.confirmNote}</p>
      </div>
      <div className="form-actions">
        <Button type="submit" look="primary" isPending={isPending}>
          {action}
        </Button>
        <Link to="/automation/reflexes" className="button">
          {common.cancel}
        </Link>
      </div>
    </Form>
  )
}
