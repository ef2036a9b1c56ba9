import type {
  Trigger,
  TriggerEvent,
  TriggerOf,
  TriggerType,
} from '../../../shared/schemas/reflexes.ts'
import type { Handler } from '../registry/handler.ts'

/** One kind of thing that triggers reflexes. */
export interface TriggerHandler<T extends TriggerType = TriggerType> extends Handler {
  name: T
  /** Whether an event of its type is one that a trigger waits for. */
  matches(trigger: TriggerOf<T>, event: TriggerEvent): boolean
}

const about = <T extends TriggerType>(name: T, category: string) => ({
  name,
  category,
  version: '1.0.0',
  ref: `automation/triggers/handlers#${name}`,
})

/** Whether nothing is asked for, or the event has it. */
const isOr = (wanted: unknown, found: unknown): boolean => !wanted || wanted === found

const says = (text: unknown, words: string | null | undefined): boolean =>
  !words || (typeof text === 'string' && text.toLowerCase().includes(words.toLowerCase()))

const signal: TriggerHandler<'signal'> = {
  ...about('signal', 'senses'),
  matches: ({ device_id, signal_type }, event) =>
    isOr(device_id?.toLowerCase(), event.device_id) && isOr(signal_type, event.signal_type),
}

const schedule: TriggerHandler<'schedule'> = {
  ...about('schedule', 'time'),
  matches: () => true,
}

const memory: TriggerHandler<'memory'> = {
  ...about('memory', 'memory'),
  matches: ({ memory_type, tags, contains }, event) =>
    isOr(memory_type, event.memory_type) &&
    (tags ?? []).every((tag) => Array.isArray(event.tags) && event.tags.includes(tag)) &&
    says(event.content_text, contains),
}

const message: TriggerHandler<'message'> = {
  ...about('message', 'conversation'),
  matches: ({ source, contains }, event) =>
    isOr(source, event.source) && says(event.content, contains),
}

const byName = { signal, schedule, memory, message } as const

export const triggers: readonly Handler[] = Object.values(byName)

/** Whether an event is one that a trigger waits for. */
export const isTriggeredBy = (trigger: Trigger, event: TriggerEvent): boolean => {
  if (trigger.type !== event.type) return false
  const handler: TriggerHandler = byName[trigger.type] as TriggerHandler
  return handler.matches(trigger as never, event)
}
