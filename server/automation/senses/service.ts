import { createHash } from 'node:crypto'
import type {
  CreateSenseDevice,
  NewSignal,
  ReceivedSignal,
  SenseDevice,
  Signal,
  SignalQuery,
  UpdateSenseDevice,
} from '../../../shared/schemas/senses.ts'
import { type Cap, checkRoom } from '../../platform/db/caps.ts'
import type { Database, Db } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/error.ts'
import { parseInstant } from '../../platform/http/validate.ts'
import type { Events } from '../firings/events.ts'
import { holdMaker, holdPerson } from '../firings/person.ts'
import { keyOf } from '../registry/handler.ts'
import { checkSwitchedOn } from '../registry/switches.ts'
import { signalTypeNamed } from './signal-types.ts'
import {
  changeDevice,
  deleteDevice,
  findDevice,
  findSameSignal,
  insertDevice,
  insertSignal,
  keepNewest,
  listDevices,
  listSignals,
  lockDevice,
  pruneSignals,
} from './store.ts'
import { type SenseDeviceRow, type SenseSignalRow, senseDevices } from './table.ts'

/** They are listed all at once. */
const CAP: Cap = { table: senseDevices, most: 100, name: 'devices' }
const MAX_JSON_CHARS = 16_384
/** So many signals of each device are kept, and some more before the oldest are taken away. */
const KEPT_SIGNALS = 1_000
const PRUNED_AT = 1_100

export type SenseService = ReturnType<typeof createSenseService>

export const createSenseService = ({ db }: Database, events: Pick<Events, 'raise'>) => {
  const found = async ({ userId }: Caller, deviceId: string): Promise<SenseDeviceRow> => {
    const device = await findDevice(db, userId, deviceId)
    if (!device) throw notFound()
    return device
  }

  const count = async (tx: Db, { userId, deviceId, signalCount }: SenseDeviceRow) => {
    const isFull = signalCount + 1 >= PRUNED_AT
    if (isFull) await keepNewest(tx, userId, deviceId, KEPT_SIGNALS)
    await changeDevice(tx, userId, deviceId, {
      signalCount: isFull ? KEPT_SIGNALS : signalCount + 1,
      lastSignalAt: new Date(),
    })
  }

  return {
    async list({ userId }: Caller): Promise<SenseDevice[]> {
      return (await listDevices(db, userId)).map(presentDevice)
    },

    /** @throws ApiError 409 for one too many, 422 for too much metadata. */
    async create({ userId }: Caller, body: CreateSenseDevice): Promise<SenseDevice> {
      checkSize(body.metadata, 'metadata')
      const row = await db.transaction(async (tx) => {
        await holdMaker(tx, userId)
        await checkRoom(tx, userId, CAP)
        return insertDevice(tx, { userId, deviceId: Bun.randomUUIDv7(), ...columnsOf(body) })
      })
      return presentDevice(row)
    },

    /** @throws ApiError 404 for a device that is not there or not the caller's; so do all that follow. */
    get: async (caller: Caller, deviceId: string): Promise<SenseDevice> =>
      presentDevice(await found(caller, deviceId)),

    /** What is null or left out stays. @throws ApiError 422 also for too much metadata. */
    async update({ userId }: Caller, deviceId: string, body: UpdateSenseDevice): Promise<void> {
      checkSize(body.metadata, 'metadata')
      const change = { ...columnsOf(body), updatedAt: new Date() }
      if (!(await changeDevice(db, userId, deviceId, change))) throw notFound()
    },

    async delete({ userId }: Caller, deviceId: string): Promise<void> {
      if (!(await deleteDevice(db, userId, deviceId))) throw notFound()
    },

    has: async ({ userId }: Caller, deviceId: string): Promise<boolean> =>
      (await findDevice(db, userId, deviceId)) !== undefined,

    /**
     * Keeps a signal, and has the reflexes that wait for it fire.
     * @throws ApiError 409 while signals of its type are switched off, 422 for a value that is not of it.
     */
    async send({ userId }: Caller, deviceId: string, body: NewSignal): Promise<ReceivedSignal> {
      const { signal_type } = body
      await checkSwitchedOn(db, [keyOf('signal_types', signal_type)])
      const read = signalTypeNamed(signal_type).read(body.value)
      if ('errors' in read) throw new ApiError(422, read.errors)
      checkSize(read.value, 'value')
      checkTime(body.occurred_at)
      return db.transaction(async (tx) => {
        await holdPerson(tx, userId)
        const device = await lockDevice(tx, userId, deviceId)
        if (!device) throw notFound()
        const signal = newSignal(device, body, read.value)
        const kept = await insertSignal(tx, signal)
        if (!kept) {
          const before = await findSameSignal(tx, userId, device.deviceId, signal.sameness ?? '')
          return { ...presentSignal(before as SenseSignalRow), deduplicated: true }
        }
        await count(tx, device)
        await events.raise(tx, userId, [happeningOf(device, kept)])
        return { ...presentSignal(kept), deduplicated: false }
      })
    },

    async signals(caller: Caller, deviceId: string, query: SignalQuery): Promise<Signal[]> {
      await found(caller, deviceId)
      const { before, signal_type: signalType, limit } = query
      const rows = await listSignals(db, caller.userId, deviceId, { before, signalType, limit })
      return rows.map(presentSignal)
    },

    /** Takes away the signals of before a time. */
    prune: (before: Date): Promise<void> => pruneSignals(db, before),
  }
}

const notFound = () => new ApiError(404, 'Device not found')

/** Only what is given, and not null. */
const columnsOf = <T extends UpdateSenseDevice>({ device_name, capabilities, metadata }: T) =>
  ({
    ...(device_name && { deviceName: device_name }),
    ...(capabilities && { capabilities: [...new Set(capabilities)] }),
    ...(metadata && { metadata }),
  }) as T extends CreateSenseDevice
    ? { deviceName: string; capabilities?: string[]; metadata?: Record<string, unknown> }
    : { deviceName?: string; capabilities?: string[]; metadata?: Record<string, unknown> }

/** @throws ApiError 422 for what is too long as JSON. */
const checkSize = (value: unknown, field: string): void => {
  if (value === undefined || JSON.stringify(value).length <= MAX_JSON_CHARS) return
  const msg = `JSON should have at most ${MAX_JSON_CHARS} characters`
  throw new ApiError(422, [{ loc: ['body', field], type: 'too_long', msg }])
}

/** @throws ApiError 422 for what no clock of a device says. */
const checkTime = (occurredAt: string | null | undefined): void => {
  if (!occurredAt || (parseInstant(occurredAt)?.getTime() ?? 0) >= 0) return
  const msg = 'Input should not be before 1970'
  throw new ApiError(422, [{ loc: ['body', 'occurred_at'], type: 'value_error', msg }])
}

const newSignal = (
  { userId, deviceId }: SenseDeviceRow,
  { signal_type: signalType, occurred_at }: NewSignal,
  value: unknown,
) => {
  const occurredAt = (occurred_at && parseInstant(occurred_at)) || undefined
  const told = [signalType, occurredAt?.toISOString(), value]
  return {
    userId,
    deviceId,
    signalId: Bun.randomUUIDv7(),
    signalType,
    value,
    occurredAt: occurredAt ?? new Date(),
    sameness: occurredAt
      ? createHash('sha256').update(JSON.stringify(told, withSortedKeys)).digest('base64url')
      : null,
  }
}

/** For `JSON.stringify`: a device may name what it reads in another order when it sends it again. */
const withSortedKeys = (_key: string, value: unknown): unknown =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)))
    : value

const happeningOf = (device: SenseDeviceRow, signal: SenseSignalRow) => ({
  key: `signal:${signal.signalId}`,
  event: {
    type: 'signal' as const,
    signal_id: signal.signalId,
    device_id: device.deviceId,
    device_name: device.deviceName,
    signal_type: signal.signalType,
    value: signal.value,
    occurred_at: signal.occurredAt.toISOString(),
  },
})

const presentDevice = (device: SenseDeviceRow): SenseDevice => ({
  device_id: device.deviceId,
  device_name: device.deviceName,
  capabilities: device.capabilities,
  metadata: device.metadata,
  last_signal_at: device.lastSignalAt?.toISOString() ?? null,
  created_at: device.createdAt.toISOString(),
  updated_at: device.updatedAt.toISOString(),
})

const presentSignal = (signal: SenseSignalRow): Signal => ({
  signal_id: signal.signalId,
  device_id: signal.deviceId,
  signal_type: signal.signalType,
  value: signal.value,
  occurred_at: signal.occurredAt.toISOString(),
  received_at: signal.receivedAt.toISOString(),
})
