import { type MemoryType, MemoryType as MemoryTypes } from '../../../shared/contract/memories.ts'
import { SIGNAL_TYPES, type SignalType } from '../../../shared/contract/senses.ts'
import { keysOf } from '../../../shared/objects.ts'
import { signals } from '../../texts/automation.ts'
import { memories } from '../../texts/memories.ts'
import type { Option } from '../../ui/choice.tsx'

/** The options of a `Select` from a record of labels. */
export const optionsOf = <T extends string>(labels: Readonly<Record<T, string>>): Option<T>[] =>
  keysOf(labels).map((id) => ({ id, label: labels[id] }))

export const signalTypeOptions: readonly Option<SignalType>[] = SIGNAL_TYPES.map((id) => ({
  id,
  label: signals.types[id],
}))

export const memoryTypeOptions: readonly Option<MemoryType>[] = MemoryTypes.anyOf.map(
  ({ const: id }) => ({ id, label: memories.types[id] }),
)
