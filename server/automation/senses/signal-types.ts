import { Type } from '@sinclair/typebox'
import type { FieldError } from '../../../shared/errors.ts'
import { SIGNAL_TYPES, type SignalType, signalValues } from '../../../shared/schemas/senses.ts'
import { readValue } from '../../platform/http/validate.ts'
import type { Handler } from '../registry/handler.ts'

/** One kind of signal: what its values are. */
export interface SignalHandler extends Handler {
  name: SignalType
  /** Reads a value, without what it does not know. */
  read(value: unknown): { value: unknown } | { errors: FieldError[] }
}

const CATEGORIES: Record<SignalType, string> = {
  number: 'measurement',
  boolean: 'measurement',
  text: 'text',
  readings: 'measurement',
  location: 'place',
  event: 'event',
  presence: 'place',
  battery: 'device',
}

const handlerOf = (name: SignalType): SignalHandler => {
  const schema = Type.Object({ value: signalValues[name] })
  return {
    name,
    version: '1.0.0',
    category: CATEGORIES[name],
    ref: `automation/senses/signal-types#${name}`,
    read(value) {
      const read = readValue(schema, value === undefined ? {} : { value })
      return 'errors' in read ? read : { value: read.value.value }
    },
  }
}

export const signalTypes: readonly SignalHandler[] = SIGNAL_TYPES.map(handlerOf)

const byName = new Map(signalTypes.map((handler) => [handler.name, handler]))

export const signalTypeNamed = (name: SignalType): SignalHandler =>
  byName.get(name) as SignalHandler
