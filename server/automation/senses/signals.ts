import { createHash } from 'node:crypto'
import { parseInstant } from '../../../shared/contract/common.ts'
import type { NewSignal } from '../../../shared/contract/senses.ts'
import { automationError } from '../errors.ts'
import type { ReflexEvent } from '../events/events.ts'
import type { SenseDeviceRow } from './table.ts'

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
    throw automationError('signal_time_too_early')
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
