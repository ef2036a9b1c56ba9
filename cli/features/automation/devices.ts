import {
  createSenseDevice,
  deleteSenseDevice,
  listSenseDevices,
  type SenseDevice,
  type SignalType,
  sendSignal,
} from '../../../shared/contract/senses.ts'
import { changeConfirmed } from '../../confirmed.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { usageError } from '../../errors.ts'
import { formatLastUse } from '../../format.ts'
import { findItem, type Kind } from '../../ids.ts'
import { printList } from '../../list.ts'
import { oneLine } from '../../output.ts'

export const devices: Kind<SenseDevice> = {
  noun: 'Device',
  command: 'svc devices list',
  all: (client) => client.call(listSenseDevices),
  id: ({ device_id }) => device_id,
  names: ({ device_name }) => [device_name],
}

export const runDevicesList = async (context: Context): Promise<void> =>
  printList(context, {
    items: await devices.all(signedInClient(context)),
    id: devices.id,
    columns: {
      'LAST SIGNAL': ({ last_signal_at }) => formatLastUse(last_signal_at),
      CAPABILITIES: ({ capabilities }) => capabilities.join(', '),
      NAME: ({ device_name }) => device_name,
    },
    empty: 'No devices. To create one, run: svc devices create NAME',
  })

export const runDevicesCreate = async (
  context: Context,
  { name, capability }: { name: string; capability?: string[] },
): Promise<void> => {
  const device = await signedInClient(context).call(createSenseDevice, {
    body: { device_name: name, ...definedFields({ capabilities: capability }) },
  })
  if (context.json) context.io.printJson(device)
  else context.io.print(device.device_id)
}

const findDevice = (context: Context, typed: string): Promise<SenseDevice> =>
  findItem(signedInClient(context), devices, typed)

interface SignalArgs {
  device: string
  value: string
  type?: SignalType
  occurredAt?: string
}

/** Sends a signal of a device and prints its ID. */
export const runDevicesSignal = async (context: Context, args: SignalArgs): Promise<void> => {
  const signal = parseSignal(args)
  const { device_id, device_name } = await findDevice(context, args.device)
  const received = await signedInClient(context).call(sendSignal, {
    params: { device_id },
    body: { ...signal, ...definedFields({ occurred_at: args.occurredAt }) },
  })
  if (context.json) context.io.printJson(received)
  else context.io.print(received.signal_id)
  context.io.info(
    received.deduplicated
      ? 'This signal already exists.'
      : `Sent a signal of type ${received.signal_type} from ${oneLine(device_name)}.`,
  )
}

const TEXT_TYPES: readonly SignalType[] = ['text', 'presence']

/** The value as text for a type that has text, and otherwise as JSON. */
const parseSignal = ({ value: typed, type }: SignalArgs) => {
  const value = parseJson(typed)
  const signal_type = type ?? typeOf(value)
  if (TEXT_TYPES.includes(signal_type)) return { signal_type, value: typed }
  if (value !== undefined) return { signal_type, value }
  throw usageError(
    `The value of a signal of type ${signal_type} must be JSON.`,
    `Quote it for the shell: svc devices signal DEVICE '{"temperature": 21.5}'`,
  )
}

const typeOf = (value: unknown): SignalType => {
  if (typeof value === 'number') return 'number'
  if (typeof value === 'boolean') return 'boolean'
  return value !== null && typeof value === 'object' ? 'readings' : 'text'
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export const runDevicesDelete = (
  context: Context,
  { device: typed, yes }: { device: string; yes?: boolean },
): Promise<void> =>
  changeConfirmed(context, {
    yes,
    words: ['devices', 'delete', typed],
    find: () => findDevice(context, typed),
    question: ({ device_name }) => `Delete the device ${oneLine(device_name)} and its signals?`,
    change: ({ device_id }) =>
      signedInClient(context).call(deleteSenseDevice, { params: { device_id } }),
    response: (device) => ({ ...device, deleted: true }),
    done: ({ device_name }) => `Deleted the device ${oneLine(device_name)}.`,
  })
