import { Type } from '@sinclair/typebox'
import { Uuid } from '../schemas/common.ts'
import {
  CreateSenseDevice,
  NewSignal,
  ReceivedSignal,
  SenseDevice,
  Signal,
  SignalQuery,
  UpdateSenseDevice,
} from '../schemas/senses.ts'
import { endpoint } from './endpoint.ts'

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
