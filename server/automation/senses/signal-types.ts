import { Type } from '@sinclair/typebox'
import { SIGNAL_TYPES, type SignalType, signalValues } from '../../../shared/contract/senses.ts'
import type { FieldError } from '../../../shared/errors.ts'
import { readValue } from '../../platform/http/validate.ts'
import type { RegistryHandler } from '../registry/handler.ts'

/** Reads the values of a type of signal. */
interface SignalHandler extends RegistryHandler {
  name: SignalType
  /** Removes unknown fields. */
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

export const findSignalType = (name: SignalType): SignalHandler => byName.get(name) as SignalHandler
