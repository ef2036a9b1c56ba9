import { editor as texts } from '../../texts/reflexes.ts'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import type { ActionDraft } from './draft.ts'
import { memoryTypeOptions, optionsOf } from './options.ts'

interface ActionFieldsProps {
  action: ActionDraft
  onChange: (action: ActionDraft) => void
}

interface FieldsProps {
  action: ActionDraft
  change: (part: Partial<ActionDraft>) => void
}

const FIELDS = {
  notify: (props: FieldsProps) => <NotifyFields {...props} />,
  remember: (props: FieldsProps) => <RememberFields {...props} />,
  webhook: (props: FieldsProps) => <WebhookFields {...props} />,
}

export const ActionFields = ({ action, onChange }: ActionFieldsProps) => {
  const change = (part: Partial<ActionDraft>) => onChange({ ...action, ...part })
  return (
    <fieldset className="card stack">
      <legend>{texts.effect}</legend>
      <Select
        label={texts.action}
        options={optionsOf(texts.actions)}
        value={action.type}
        onChange={(type) => change({ type })}
      />
      {FIELDS[action.type]({ action, change })}
    </fieldset>
  )
}

const NotifyFields = ({ action, change }: FieldsProps) => (
  <>
    <Select
      name="action.channel"
      label={texts.channel}
      options={optionsOf(texts.channels)}
      value={action.channel}
      onChange={(channel) => change({ channel })}
    />
    <TextField
      name="action.title"
      label={texts.subject}
      note={texts.subjectNote}
      value={action.title}
      onChange={(title) => change({ title })}
      maxLength={200}
    />
    <TextField
      name="action.text"
      label={texts.text}
      note={texts.templateNote}
      rows={3}
      value={action.text}
      onChange={(text) => change({ text })}
      isRequired
      maxLength={4000}
    />
  </>
)

const RememberFields = ({ action, change }: FieldsProps) => (
  <>
    <TextField
      name="action.content"
      label={texts.text}
      note={texts.templateNote}
      rows={3}
      value={action.content}
      onChange={(content) => change({ content })}
      isRequired
      maxLength={4000}
    />
    <Select
      name="action.memory_type"
      label={texts.memoryType}
      options={memoryTypeOptions}
      value={action.memory_type}
      onChange={(memory_type) => change({ memory_type })}
    />
    <TextField
      name="action.tags"
      label={texts.tags}
      value={action.tags}
      onChange={(tags) => change({ tags })}
    />
  </>
)

const WebhookFields = ({ action, change }: FieldsProps) => (
  <TextField
    name="action.url"
    type="url"
    label={texts.url}
    note={texts.urlNote}
    value={action.url}
    onChange={(url) => change({ url })}
    isRequired
    maxLength={2000}
  />
)
