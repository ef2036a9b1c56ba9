import type {
  Trigger,
  TriggerEvent,
  TriggerOf,
  TriggerType,
} from '../../../../shared/contract/reflex-triggers.ts'
import { foldLabel } from '../../../../shared/labels.ts'
import type { RegistryHandler } from '../registry/handler.ts'

/** Matches events of one type with triggers. */
interface TriggerHandler<T extends TriggerType = TriggerType> extends RegistryHandler {
  name: T
  matches(trigger: TriggerOf<T>, event: TriggerEvent): boolean
}

const handlerFields = <T extends TriggerType>(name: T, category: string) => ({
  name,
  category,
  version: '1.0.0',
  ref: `automation/triggers/handlers#${name}`,
})

/** A filter that is left out matches everything. */
const matchesFilter = (filter: unknown, value: unknown): boolean => !filter || filter === value

const containsText = (text: unknown, words: string | null | undefined): boolean =>
  !words || (typeof text === 'string' && text.toLowerCase().includes(words.toLowerCase()))

const hasLabels = (labels: unknown, wanted: readonly string[]): boolean => {
  const own = new Set(Array.isArray(labels) ? labels.map((label) => foldLabel(String(label))) : [])
  return wanted.every((label) => own.has(foldLabel(label)))
}

const signal: TriggerHandler<'signal'> = {
  ...handlerFields('signal', 'senses'),
  matches: ({ device_id, signal_type }, event) =>
    matchesFilter(device_id?.toLowerCase(), event.device_id) &&
    matchesFilter(signal_type, event.signal_type),
}

const schedule: TriggerHandler<'schedule'> = {
  ...handlerFields('schedule', 'time'),
  matches: () => true,
}

const memory: TriggerHandler<'memory'> = {
  ...handlerFields('memory', 'memory'),
  matches: ({ memory_type, tags, contains }, event) =>
    matchesFilter(memory_type, event.memory_type) &&
    hasLabels(event.tags, tags ?? []) &&
    containsText(event.content_text, contains),
}

const message: TriggerHandler<'message'> = {
  ...handlerFields('message', 'conversation'),
  matches: ({ source, contains }, event) =>
    matchesFilter(source, event.source) && containsText(event.content, contains),
}

const byName = { signal, schedule, memory, message } as const

export const triggers: readonly RegistryHandler[] = Object.values(byName)

export const isTriggeredBy = (trigger: Trigger, event: TriggerEvent): boolean => {
  if (trigger.type !== event.type) return false
  const handler: TriggerHandler = byName[trigger.type]
  return handler.matches(trigger, event)
}
