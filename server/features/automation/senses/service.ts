import {
  createSenseDevice,
  deleteSenseDevice,
  getSenseDevice,
  listSenseDevices,
  listSignals,
  sendSignal,
  updateSenseDevice,
} from '../../../../shared/contract/index.ts'
import type {
  CreateSenseDevice,
  NewSignal,
  ReceivedSignal,
  SenseDevice,
  Signal,
  SignalQuery,
  UpdateSenseDevice,
} from '../../../../shared/contract/senses.ts'
import { budgets } from '../../../platform/budgets.ts'
import { type Database, type Db, violatedReference } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import type { Mount } from '../../../platform/http/route.ts'
import { checkRowLimit, type RowLimit } from '../../../platform/row-limit.ts'
import type { Events } from '../events/events.ts'
import { lockCreator, lockReflexOwner } from '../firings/firing.ts'
import { checkHandlersEnabled, keyOf } from '../registry/handler.ts'
import {
  checkOccurredAt,
  eventOf,
  findSignalType,
  type NewSignalRow,
  newSignalRow,
  senseError,
} from './signals.ts'
import {
  deleteDevice,
  deleteOldestSignals,
  findDevice,
  findSameSignal,
  incrementSignalCount,
  insertDevice,
  insertSignal,
  listDevices,
  listSignalRows,
  updateDevice,
} from './store.ts'
import {
  DEVICE_REFERENCE,
  type SenseDeviceRow,
  type SenseSignalRow,
  senseDevices,
} from './table.ts'

/** The list has no pages. */
const ROW_LIMIT: RowLimit = { table: senseDevices, max: 100, name: 'devices' }
const MAX_JSON_CHARS = budgets.senseJson.characters
/** The newest signals of a device that are stored. */
const MAX_SIGNALS = 1_000
/** At this number, the oldest are deleted: once in 100 signals. */
const CLEANUP_AT = 1_100

type SenseService = ReturnType<typeof createSenseService>

export const createSenseService = ({ db }: Database, events: Pick<Events, 'emit' | 'mayFire'>) => {
  const find = async ({ userId }: Caller, deviceId: string): Promise<SenseDeviceRow> => {
    const device = await findDevice(db, userId, deviceId)
    if (!device) throw senseError('device_not_found')
    return device
  }

  /**
   * Without a reflex that the signal may fire, one statement writes it: a process that is frozen meanwhile
   * has no lock. @returns undefined if the same signal was sent before.
   */
  const insert = async (
    device: SenseDeviceRow,
    row: NewSignalRow,
  ): Promise<SenseSignalRow | undefined> => {
    const event = eventOf(device, row)
    if (!(await events.mayFire(device.userId, event))) return insertSignal(db, row)
    return db.transaction(async (tx) => {
      await lockReflexOwner(tx, device.userId)
      const inserted = await insertSignal(tx, row)
      if (inserted) await events.emit(tx, device.userId, [event])
      return inserted
    })
  }

  /** Stores a signal or finds the same one, which may be deleted between both statements. */
  const store = async (device: SenseDeviceRow, row: NewSignalRow) => {
    const { userId, deviceId } = device
    for (;;) {
      const inserted = await insert(device, row).catch((error) => {
        if (violatedReference(error) !== DEVICE_REFERENCE) throw error
        // It was deleted meanwhile.
        throw senseError('device_not_found')
      })
      if (inserted) return { row: inserted, deduplicated: false }
      const same = await findSameSignal(db, userId, deviceId, row.contentHash ?? '')
      if (same) return { row: same, deduplicated: true }
    }
  }

  return {
    async list({ userId }: Caller): Promise<SenseDevice[]> {
      return (await listDevices(db, userId)).map(presentDevice)
    },

    /** @throws ApiError 409 for too many devices, 422 for too much metadata. */
    async create({ userId }: Caller, body: CreateSenseDevice): Promise<SenseDevice> {
      checkSize(body.metadata, 'metadata')
      const row = await db.transaction(async (tx) => {
        await lockCreator(tx, userId)
        await checkRowLimit(tx, userId, ROW_LIMIT)
        return insertDevice(tx, { userId, deviceId: Bun.randomUUIDv7(), ...columnsOf(body) })
      })
      return presentDevice(row)
    },

    /** @throws ApiError 404 unless the caller has the device; so do all methods below. */
    get: async (caller: Caller, deviceId: string): Promise<SenseDevice> =>
      presentDevice(await find(caller, deviceId)),

    /** Keeps fields that are null or left out. @throws ApiError 422 for too much metadata. */
    async update({ userId }: Caller, deviceId: string, body: UpdateSenseDevice): Promise<void> {
      checkSize(body.metadata, 'metadata')
      const change = { ...columnsOf(body), updatedAt: new Date() }
      if (!(await updateDevice(db, userId, deviceId, change))) throw senseError('device_not_found')
    },

    async delete({ userId }: Caller, deviceId: string): Promise<void> {
      if (!(await deleteDevice(db, userId, deviceId))) throw senseError('device_not_found')
    },

    has: async ({ userId }: Caller, deviceId: string): Promise<boolean> =>
      (await findDevice(db, userId, deviceId)) !== undefined,

    /**
     * Stores a signal and fires the reflexes that it triggers.
     * @throws ApiError 409 while its type is switched off, 422 for a value of another type.
     */
    async send(caller: Caller, deviceId: string, body: NewSignal): Promise<ReceivedSignal> {
      const { signal_type } = body
      await checkHandlersEnabled(db, [keyOf('signal_types', signal_type)])
      const read = findSignalType(signal_type).read(body.value)
      if ('errors' in read) throw senseError('signal_value_invalid', read.errors)
      checkSize(read.value, 'value')
      checkOccurredAt(body.occurred_at)
      const device = await find(caller, deviceId)
      const row = newSignalRow(device, body, read.value)
      const stored = await store(device, row)
      if (!stored.deduplicated) await countSignal(db, device)
      return { ...presentSignal(stored.row), deduplicated: stored.deduplicated }
    },

    async signals(caller: Caller, deviceId: string, query: SignalQuery): Promise<Signal[]> {
      await find(caller, deviceId)
      const { before, signal_type: signalType, limit } = query
      const rows = await listSignalRows(db, caller.userId, deviceId, { before, signalType, limit })
      return rows.map(presentSignal)
    },
  }
}

/** After the signal, in statements of their own: a device is locked by none that waits for another one. */
const countSignal = async (db: Db, { userId, deviceId }: SenseDeviceRow): Promise<void> => {
  if ((await incrementSignalCount(db, userId, deviceId)) < CLEANUP_AT) return
  await deleteOldestSignals(db, userId, deviceId, MAX_SIGNALS)
  await updateDevice(db, userId, deviceId, { signalCount: MAX_SIGNALS })
}

/** The columns of fields that are neither null nor left out. */
const columnsOf = <T extends UpdateSenseDevice>({ device_name, capabilities, metadata }: T) =>
  ({
    ...(device_name && { deviceName: device_name }),
    ...(capabilities && { capabilities: [...new Set(capabilities)] }),
    ...(metadata && { metadata }),
  }) as T extends CreateSenseDevice
    ? { deviceName: string; capabilities?: string[]; metadata?: Record<string, unknown> }
    : { deviceName?: string; capabilities?: string[]; metadata?: Record<string, unknown> }

const checkSize = (value: unknown, field: string): void => {
  if (value !== undefined && JSON.stringify(value).length > MAX_JSON_CHARS)
    throw senseError('sense_json_too_long', field, MAX_JSON_CHARS)
}

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

export const senseRoutes = (mount: Mount, senses: SenseService): void => {
  mount(listSenseDevices, ({ caller }) => senses.list(caller))
  mount(createSenseDevice, ({ caller, body }) => senses.create(caller, body))
  mount(getSenseDevice, ({ caller, params }) => senses.get(caller, params.device_id))
  mount(updateSenseDevice, async ({ caller, params, body }) => {
    await senses.update(caller, params.device_id, body)
    return {}
  })
  mount(deleteSenseDevice, async ({ caller, params }) => {
    await senses.delete(caller, params.device_id)
    return undefined
  })
  mount(sendSignal, ({ caller, params, body }) => senses.send(caller, params.device_id, body))
  mount(listSignals, ({ caller, params, query }) => senses.signals(caller, params.device_id, query))
}
