import { findOp } from '../conditions/ops.ts'
import { type HandlerKey, keyOf } from '../registry/handler.ts'
import type { ReflexRow } from './table.ts'

/** The user's definition of a reflex. */
export type ReflexParts = Pick<ReflexRow, 'trigger' | 'conditions' | 'action'>

/** The handlers that a reflex needs. */
export const handlersOf = ({ trigger, conditions, action }: ReflexParts): HandlerKey[] => [
  keyOf('trigger_types', trigger.type),
  ...conditions.map(({ op }) => keyOf('condition_ops', findOp(op).name)),
  keyOf('action_types', action.type),
  ...('channel' in action ? [keyOf('channel_types', action.channel)] : []),
]
