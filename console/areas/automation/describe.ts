import type { Action } from '../../../shared/contract/reflex-actions.ts'
import type { Trigger } from '../../../shared/contract/reflex-triggers.ts'
import { signals } from '../../texts/automation.ts'
import { common } from '../../texts/common.ts'
import { memories } from '../../texts/memories.ts'
import { editor } from '../../texts/reflexes.ts'
import type { Labels } from '../../texts/tools/labels.ts'
import { formatDateTime } from '../../ui/time.tsx'

/** @param deviceName finds the name of a device. */
export const describeTrigger = (
  trigger: Trigger,
  deviceName: (id: string) => string | undefined,
): string => {
  switch (trigger.type) {
    case 'signal': {
      const device = trigger.device_id ? deviceName(trigger.device_id) : undefined
      const type = trigger.signal_type ? signals.types[trigger.signal_type] : undefined
      return [editor.triggers.signal, device, type].filter(Boolean).join(' · ')
    }
    case 'schedule':
      return [trigger.at ? formatDateTime(trigger.at) : trigger.cron, trigger.timezone]
        .filter(Boolean)
        .join(' · ')
    case 'memory':
      return [
        editor.triggers.memory,
        trigger.memory_type && memories.types[trigger.memory_type],
        trigger.tags?.join(', '),
        trigger.contains && common.quoted(trigger.contains),
      ]
        .filter(Boolean)
        .join(' · ')
    case 'message':
      return [
        editor.triggers.message,
        trigger.source && editor.sources[trigger.source],
        trigger.contains && common.quoted(trigger.contains),
      ]
        .filter(Boolean)
        .join(' · ')
  }
}

export const describeAction = (action: Action): string => {
  switch (action.type) {
    case 'notify':
      return `${editor.actions.notify} (${editor.channels[action.channel]}): ${action.text}`
    case 'remember':
      return `${editor.actions.remember}: ${action.content}`
    case 'webhook':
      return `${editor.actions.webhook}: ${action.url}`
  }
}

const operators: Labels = editor.ops

const describeValue = (value: unknown): string =>
  typeof value === 'string' ? editor.quoted(value) : JSON.stringify(value)

/** A condition in words, such as “value.temperature is greater than 30”. */
export const describeCondition = (op: string, path: string, value: unknown): string => {
  if (op === 'exists') return value === false ? editor.missing(path) : editor.present(path)
  return `${path} ${operators[op] ?? op} ${describeValue(value)}`
}
