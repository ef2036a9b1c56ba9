import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { AnyObject, Nullable, OneOf, PageSize, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

export const SIGNAL_TYPES = [
  'number',
  'boolean',
  'text',
  'readings',
  'location',
  'event',
  'presence',
  'battery',
] as const
export const SignalType = OneOf(SIGNAL_TYPES)
export type SignalType = Static<typeof SignalType>

/** The schema of the value of each signal type. */
export const signalValues: Readonly<Record<SignalType, TSchema>> = {
  number: Type.Number({ examples: [21.5] }),
  boolean: Type.Boolean(),
  text: Type.String({ minLength: 1, maxLength: 4_000 }),
  readings: Type.Record(
    Type.String({ minLength: 1, maxLength: 100, pattern: '^[^]{1,100}$' }),
    Type.Union([Type.Number(), Type.Boolean(), Type.String({ maxLength: 200 })]),
    {
      minProperties: 1,
      maxProperties: 50,
      // Rejects an invalid name instead of dropping its reading silently.
      additionalProperties: false,
      examples: [{ temperature: 21.5, humidity: 40 }],
    },
  ),
  location: Type.Object({
    latitude: Type.Number({ minimum: -90, maximum: 90 }),
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    accuracy_m: Type.Optional(Type.Number({ minimum: 0 })),
    place: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  event: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 100, examples: ['door_opened'] }),
    data: Type.Optional(AnyObject()),
  }),
  presence: OneOf(['present', 'absent']),
  battery: Type.Number({ minimum: 0, maximum: 100, description: 'Percent.' }),
}

const deviceName = Type.String({
  trim: true,
  minLength: 1,
  maxLength: 100,
  examples: ['Greenhouse'],
})
const capabilities = Type.Array(Type.String({ trim: true, minLength: 1, maxLength: 100 }), {
  maxItems: 50,
  description: 'What the device can measure or report, in free text.',
  examples: [['temperature', 'humidity']],
})
const metadata = AnyObject({
  description: 'Any JSON object of at most 16,384 characters.',
})

export const SenseDevice = Type.Object(
  {
    device_id: Uuid(),
    device_name: Type.String(),
    capabilities: Type.Array(Type.String()),
    metadata: AnyObject(),
    last_signal_at: Nullable(Timestamp()),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { $id: 'SenseDevice' },
)
export type SenseDevice = Static<typeof SenseDevice>

export const CreateSenseDevice = Type.Object({
  device_name: deviceName,
  capabilities: Type.Optional(Nullable(capabilities)),
  metadata: Type.Optional(Nullable(metadata)),
})
export type CreateSenseDevice = Static<typeof CreateSenseDevice>

/** Null keeps the value of a field. */
export const UpdateSenseDevice = Type.Object(
  {
    device_name: Type.Optional(Nullable(deviceName, { trim: true })),
    capabilities: Type.Optional(Nullable(capabilities)),
    metadata: Type.Optional(Nullable(metadata)),
  },
  { examples: [{ device_name: 'Balcony' }] },
)
export type UpdateSenseDevice = Static<typeof UpdateSenseDevice>

export const NewSignal = Type.Object(
  {
    signal_type: SignalType,
    value: Type.Unknown({
      description: 'A number, boolean, string or object, depending on the signal type.',
      examples: [{ temperature: 31.5 }],
    }),
    occurred_at: Type.Optional(
      Nullable(
        Timestamp({
          description:
            'When it was measured. Default: now. A repeated signal with the same time is stored once.',
        }),
      ),
    ),
  },
  { examples: [{ signal_type: 'number', value: 31.5 }] },
)
export type NewSignal = Static<typeof NewSignal>

export const Signal = Type.Object(
  {
    signal_id: Uuid(),
    device_id: Uuid(),
    signal_type: Type.String(),
    value: Type.Unknown(),
    occurred_at: Timestamp(),
    received_at: Timestamp(),
  },
  { $id: 'Signal' },
)
export type Signal = Static<typeof Signal>

export const ReceivedSignal = Type.Composite([
  Signal,
  Type.Object({
    deduplicated: Type.Boolean({ description: 'Whether the signal was already stored.' }),
  }),
])
export type ReceivedSignal = Static<typeof ReceivedSignal>

export const SignalQuery = Type.Object({
  limit: PageSize(50),
  before: Type.Optional(Uuid({ description: 'The last signal of the previous page.' })),
  signal_type: Type.Optional(SignalType),
})
export type SignalQuery = Static<typeof SignalQuery>

const common = {
  tag: 'Senses',
  credential: 'bearer',
  requiresVerifiedEmail: true,
} as const
const params = Type.Object({ device_id: Uuid() })

export const listSenseDevices = endpoint({
  ...common,
  name: 'listSenseDevices',
  method: 'GET',
  path: '/api/senses/devices',
  summary: 'List the devices that send signals to the caller’s reflexes',
  success: [200, Type.Array(SenseDevice)],
})

export const createSenseDevice = endpoint({
  ...common,
  name: 'createSenseDevice',
  method: 'POST',
  path: '/api/senses/devices',
  summary: 'Create a device',
  body: CreateSenseDevice,
  success: [201, SenseDevice],
  affects: ['listSenseDevices'],
  errors: { 409: ['cap_reached'] },
})

export const getSenseDevice = endpoint({
  ...common,
  name: 'getSenseDevice',
  method: 'GET',
  path: '/api/senses/devices/{device_id}',
  summary: 'Get a device',
  params,
  success: [200, SenseDevice],
  errors: { 404: ['device_not_found'] },
})

export const updateSenseDevice = endpoint({
  ...common,
  name: 'updateSenseDevice',
  method: 'PATCH',
  path: '/api/senses/devices/{device_id}',
  summary: 'Update a device; null or omitted fields keep their value',
  params,
  body: UpdateSenseDevice,
  success: [200, Type.Object({})],
  affects: ['listSenseDevices', 'getSenseDevice'],
  errors: { 404: ['device_not_found'] },
})

export const deleteSenseDevice = endpoint({
  ...common,
  name: 'deleteSenseDevice',
  method: 'DELETE',
  path: '/api/senses/devices/{device_id}',
  summary: 'Delete a device and its signals',
  params,
  success: [204, null],
  affects: ['listSenseDevices'],
  errors: { 404: ['device_not_found'] },
})

export const sendSignal = endpoint({
  ...common,
  name: 'sendSignal',
  method: 'POST',
  path: '/api/senses/devices/{device_id}/signals',
  summary: 'Send a signal of a device; matching reflexes fire',
  params,
  body: NewSignal,
  success: [201, ReceivedSignal],
  affects: ['listSignals', 'listSenseDevices', 'getSenseDevice', 'listReflexes'],
  errors: { 404: ['device_not_found'], 409: ['handler_disabled'] },
})

export const listSignals = endpoint({
  ...common,
  name: 'listSignals',
  method: 'GET',
  path: '/api/senses/devices/{device_id}/signals',
  summary: 'List the signals of a device, newest first',
  params,
  query: SignalQuery,
  success: [200, Type.Array(Signal)],
  errors: { 404: ['device_not_found'] },
})
