import { createHash } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { parseInstant } from '../../../../shared/contract/common.ts'
import {
  type NewSignal,
  SIGNAL_TYPES,
  type SignalType,
  signalValues,
} from '../../../../shared/contract/senses.ts'
import type { FieldError } from '../../../../shared/errors.ts'
import { defineErrors } from '../../../platform/http/error.ts'
import { readValue } from '../../../platform/http/validate.ts'
import type { ReflexEvent } from '../events/events.ts'
import type { RegistryHandler } from '../registry/handler.ts'
import type { SenseDeviceRow } from './table.ts'

const invalidField = (field: string, type: string, msg: string) => ({
  status: 422,
  detail: [{ loc: ['body', field], type, msg }],
})

export const senseError = defineErrors({
  device_not_found: { status: 404, detail: 'Device not found' },
  signal_value_invalid: (problems: FieldError[]) => ({ status: 422, detail: problems }),
  sense_json_too_long: (field: string, maxChars: number) =>
    invalidField(field, 'too_long', `JSON should have at most ${maxChars} characters`),
  signal_time_too_early: invalidField(
    'occurred_at',
    'value_error',
    'Input should not be before 1970',
  ),
})

export type NewSignalRow = ReturnType<typeof newSignalRow>

/** Without a time, the signal occurred now and is not deduplicated. */
export const newSignalRow = (
  { userId, deviceId }: SenseDeviceRow,
  { signal_type: signalType, occurred_at }: NewSignal,
  value: unknown,
) => {
  const occurredAt = (occurred_at && parseInstant(occurred_at)) || undefined
  return {
    userId,
    deviceId,
    signalId: Bun.randomUUIDv7(),
    signalType,
    value,
    occurredAt: occurredAt ?? new Date(),
    contentHash: occurredAt ? hashOf([signalType, occurredAt.toISOString(), value]) : null,
  }
}

/** @throws ApiError 422 for a time before 1970, which is an unset clock. */
export const checkOccurredAt = (occurredAt: string | null | undefined): void => {
  if (occurredAt && (parseInstant(occurredAt)?.getTime() ?? 0) < 0)
    throw senseError('signal_time_too_early')
}

const hashOf = (content: unknown[]): string =>
  createHash('sha256').update(JSON.stringify(content, withSortedKeys)).digest('base64url')

/** A replacer for `JSON.stringify`: a device may send the same fields in another order. */
const withSortedKeys = (_key: string, value: unknown): unknown =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

export const eventOf = (device: SenseDeviceRow, signal: NewSignalRow): ReflexEvent => ({
  key: `signal:${signal.signalId}`,
  event: {
    type: 'signal',
    signal_id: signal.signalId,
    device_id: device.deviceId,
    device_name: device.deviceName,
    signal_type: signal.signalType,
    value: signal.value,
    occurred_at: signal.occurredAt.toISOString(),
  },
})

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
