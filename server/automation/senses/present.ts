import type { SenseDevice, Signal } from '../../../shared/contract/senses.ts'
import type { SenseDeviceRow, SenseSignalRow } from './table.ts'

export const presentDevice = (device: SenseDeviceRow): SenseDevice => ({
  device_id: device.deviceId,
  device_name: device.deviceName,
  capabilities: device.capabilities,
  metadata: device.metadata,
  last_signal_at: device.lastSignalAt?.toISOString() ?? null,
  created_at: device.createdAt.toISOString(),
  updated_at: device.updatedAt.toISOString(),
})

export const presentSignal = (signal: SenseSignalRow): Signal => ({
  signal_id: signal.signalId,
  device_id: signal.deviceId,
  signal_type: signal.signalType,
  value: signal.value,
  occurred_at: signal.occurredAt.toISOString(),
  received_at: signal.receivedAt.toISOString(),
})
