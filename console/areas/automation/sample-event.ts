import type { Trigger, TriggerEvent } from '../../../shared/contract/reflex-triggers.ts'

const now = (): string => new Date().toISOString()

/** An event that matches the trigger, with the fields that the user is likely to change. */
export const sampleEvent = (trigger: Trigger): TriggerEvent => {
  const { type } = trigger
  switch (type) {
    case 'signal': {
      const { device_id, signal_type } = trigger
      return { type, device_id, signal_type: signal_type ?? 'number', value: 0, occurred_at: now() }
    }
    case 'schedule':
      return { type, due_at: now(), fired_at: now() }
    case 'memory': {
      const { contains, memory_type, tags } = trigger
      return {
        type,
        content_text: contains ?? '',
        memory_type: memory_type ?? 'episodic',
        importance: 0.5,
        tags: tags ?? [],
      }
    }
    case 'message':
      return { type, source: trigger.source ?? 'chat', content: trigger.contains ?? '' }
  }
}
