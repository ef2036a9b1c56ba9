import { listSenseDevices } from '../../../shared/contract/senses.ts'
import { useApi } from '../../session/query.ts'
import { editor as texts } from '../../texts/reflexes.ts'
import { Select } from '../../ui/choice.tsx'
import { TextField } from '../../ui/field.tsx'
import type { TriggerDraft } from './draft.ts'
import { memoryTypeOptions, optionsOf, signalTypeOptions } from './options.ts'

interface TriggerFieldsProps {
  trigger: TriggerDraft
  onChange: (trigger: TriggerDraft) => void
}

interface FieldsProps {
  trigger: TriggerDraft
  change: (part: Partial<TriggerDraft>) => void
}

const FIELDS = {
  signal: (props: FieldsProps) => <SignalFields {...props} />,
  schedule: (props: FieldsProps) => <ScheduleFields {...props} />,
  memory: (props: FieldsProps) => <MemoryFields {...props} />,
  message: (props: FieldsProps) => <MessageFields {...props} />,
}

export const TriggerFields = ({ trigger, onChange }: TriggerFieldsProps) => {
  const change = (part: Partial<TriggerDraft>) => onChange({ ...trigger, ...part })
  return (
    <fieldset className="card stack">
      <legend>{texts.when}</legend>
      <Select
        label={texts.trigger}
        options={optionsOf(texts.triggers)}
        value={trigger.type}
        onChange={(type) => change({ type })}
      />
      {FIELDS[trigger.type]({ trigger, change })}
    </fieldset>
  )
}

const SignalFields = ({ trigger, change }: FieldsProps) => {
  const devices = useApi(listSenseDevices, {}).data ?? []
  return (
    <>
      <Select
        name="trigger.device_id"
        label={texts.device}
        options={[
          { id: '', label: texts.anyDevice },
          ...devices.map(({ device_id, device_name }) => ({ id: device_id, label: device_name })),
        ]}
        value={trigger.device_id}
        onChange={(device_id) => change({ device_id })}
      />
      <Select
        name="trigger.signal_type"
        label={texts.signalType}
        options={[{ id: '', label: texts.anyType }, ...signalTypeOptions]}
        value={trigger.signal_type}
        onChange={(signal_type) => change({ signal_type })}
      />
    </>
  )
}

const ScheduleFields = ({ trigger, change }: FieldsProps) => (
  <>
    <Select
      label={texts.schedule}
      options={optionsOf(texts.schedules)}
      value={trigger.schedule}
      onChange={(schedule) => change({ schedule })}
    />
    {trigger.schedule === 'cron' ? (
      <TextField
        name="trigger.cron"
        label={texts.cron}
        note={texts.cronNote}
        value={trigger.cron}
        onChange={(cron) => change({ cron })}
        isRequired
        maxLength={100}
      />
    ) : (
      <TextField
        name="trigger.at"
        type="datetime-local"
        label={texts.at}
        value={trigger.at}
        onChange={(at) => change({ at })}
        isRequired
      />
    )}
    <TextField
      name="trigger.timezone"
      label={texts.timezone}
      note={texts.timezoneNote}
      value={trigger.timezone}
      onChange={(timezone) => change({ timezone })}
      maxLength={100}
    />
  </>
)

const ContainsField = ({ trigger, change }: FieldsProps) => (
  <TextField
    name="trigger.contains"
    label={texts.contains}
    value={trigger.contains}
    onChange={(contains) => change({ contains })}
    maxLength={200}
  />
)

const MemoryFields = ({ trigger, change }: FieldsProps) => (
  <>
    <Select
      name="trigger.memory_type"
      label={texts.memoryType}
      options={[{ id: '', label: texts.anyType }, ...memoryTypeOptions]}
      value={trigger.memory_type}
      onChange={(memory_type) => change({ memory_type })}
    />
    <TextField
      name="trigger.tags"
      label={texts.tags}
      note={texts.tagsNote}
      value={trigger.tags}
      onChange={(tags) => change({ tags })}
    />
    <ContainsField trigger={trigger} change={change} />
  </>
)

const MessageFields = ({ trigger, change }: FieldsProps) => (
  <>
    <Select
      name="trigger.source"
      label={texts.source}
      options={[{ id: '', label: texts.anySource }, ...optionsOf(texts.sources)]}
      value={trigger.source}
      onChange={(source) => change({ source })}
    />
    <ContainsField trigger={trigger} change={change} />
  </>
)
