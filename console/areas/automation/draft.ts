/** The state of the reflex editor: every field as its control has it, whatever the type. */

import type { CallArgs } from '../../../shared/client.ts'
import type { MemoryType } from '../../../shared/contract/memories.ts'
import type { ActionType } from '../../../shared/contract/reflex-actions.ts'
import type { ConditionOp } from '../../../shared/contract/reflex-conditions.ts'
import type { TriggerType } from '../../../shared/contract/reflex-triggers.ts'
import type { createReflex, Reflex } from '../../../shared/contract/reflexes.ts'
import type { SignalType } from '../../../shared/contract/senses.ts'
import { withoutNulls } from '../../../shared/objects.ts'
import { isoOf, localOf } from '../../ui/zone.ts'
import { formatValue, parseValue } from './condition-value.ts'

type MessageSource = 'chat' | 'talk' | 'dm'

export interface ConditionDraft {
  /** Identifies the row while it moves. */
  key: string
  op: ConditionOp
  path: string
  value: string
}

export interface TriggerDraft {
  type: TriggerType
  device_id: string
  signal_type: SignalType | ''
  schedule: 'cron' | 'at'
  cron: string
  at: string
  timezone: string
  memory_type: MemoryType | ''
  tags: string
  source: MessageSource | ''
  contains: string
}

export interface ActionDraft {
  type: ActionType
  channel: 'inbox' | 'chat' | 'email'
  title: string
  text: string
  content: string
  memory_type: MemoryType
  tags: string
  url: string
}

export interface ReflexDraft {
  name: string
  trigger: TriggerDraft
  conditions: ConditionDraft[]
  action: ActionDraft
  confirm: boolean
}

export const newCondition = (): ConditionDraft => ({
  key: crypto.randomUUID(),
  op: 'gt',
  path: 'value',
  value: '',
})

export const newDraft = (): ReflexDraft => ({
  name: '',
  trigger: {
    type: 'signal',
    device_id: '',
    signal_type: '',
    schedule: 'cron',
    cron: '',
    at: '',
    timezone: '',
    memory_type: '',
    tags: '',
    source: '',
    contains: '',
  },
  conditions: [],
  action: {
    type: 'notify',
    channel: 'inbox',
    title: '',
    text: '',
    content: '',
    memory_type: 'episodic',
    tags: '',
    url: '',
  },
  confirm: false,
})

/** A time without an offset is local to the time zone of the schedule. */
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/i
const MINUTES = 16

/** The value of a `datetime-local` field. */
const localTime = (at: string): string =>
  OFFSET.test(at) ? localOf(new Date(at)) : at.slice(0, MINUTES)

const triggerDraft = (trigger: Reflex['trigger']): TriggerDraft => {
  const { trigger: empty } = newDraft()
  if (trigger.type === 'schedule') {
    const { at, cron, timezone } = trigger
    return {
      ...empty,
      type: 'schedule',
      schedule: at ? 'at' : 'cron',
      at: at ? localTime(at) : '',
      cron: cron ?? '',
      timezone: (at && OFFSET.test(at) ? undefined : timezone) ?? '',
    }
  }
  if (trigger.type === 'memory') {
    const { tags, ...fields } = trigger
    return { ...empty, ...withoutNulls(fields), tags: tags?.join(', ') ?? '' }
  }
  return { ...empty, ...withoutNulls(trigger) }
}

const actionDraft = (action: Reflex['action']): ActionDraft => {
  const { action: empty } = newDraft()
  if (action.type === 'remember') return { ...empty, ...action, tags: action.tags.join(', ') }
  if (action.type === 'notify') return { ...empty, ...action, title: action.title ?? '' }
  return { ...empty, type: 'webhook', url: action.url }
}

export const draftOf = (reflex: Reflex): ReflexDraft => ({
  name: reflex.name,
  trigger: triggerDraft(reflex.trigger),
  conditions: reflex.conditions.map(({ op, path, value }) => ({
    key: crypto.randomUUID(),
    op,
    path,
    value: formatValue(op, value),
  })),
  action: actionDraft(reflex.action),
  confirm: reflex.confirm,
})

type ReflexInput = CallArgs<typeof createReflex>['body']

const listIn = (text: string): string[] =>
  text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean)

const scheduleOf = ({ schedule, cron, at, timezone }: TriggerDraft): ReflexInput['trigger'] => {
  const zone = timezone.trim() ? { timezone } : {}
  if (schedule === 'cron') return { type: 'schedule', cron, ...zone }
  if (!at) return { type: 'schedule', ...zone }
  const time = timezone.trim() ? `${at}:00` : isoOf(at)
  return { type: 'schedule', at: time, ...zone }
}

const triggerOf = (trigger: TriggerDraft): ReflexInput['trigger'] => {
  const { type, device_id, signal_type, memory_type, source } = trigger
  const contains = trigger.contains.trim() ? { contains: trigger.contains } : {}
  const tags = listIn(trigger.tags)
  if (type === 'schedule') return scheduleOf(trigger)
  if (type === 'signal')
    return { type, ...(device_id && { device_id }), ...(signal_type && { signal_type }) }
  if (type === 'message') return { type, ...(source && { source }), ...contains }
  return { type, ...(memory_type && { memory_type }), ...(tags.length && { tags }), ...contains }
}

const actionOf = (action: ActionDraft): ReflexInput['action'] => {
  const { type, channel, title, text, content, memory_type, url } = action
  if (type === 'notify') return { type, channel, text, title: title.trim() ? title : null }
  if (type === 'remember') return { type, content, memory_type, tags: listIn(action.tags) }
  return { type, url, channel: 'webhook' }
}

export const inputOf = ({
  name,
  trigger,
  conditions,
  action,
  confirm,
}: ReflexDraft): ReflexInput => ({
  name,
  trigger: triggerOf(trigger),
  conditions: conditions.map(({ op, path, value }) => ({ op, path, value: parseValue(op, value) })),
  action: actionOf(action),
  confirm,
})
