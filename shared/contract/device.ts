import { Type } from '@sinclair/typebox'
import {
  DecideDeviceLogin,
  DeviceDecision,
  DeviceLogin,
  DeviceLoginResult,
  PendingDeviceLogin,
  PollDeviceLogin,
  StartDeviceLogin,
} from '../schemas/device.ts'
import { endpoint } from './endpoint.ts'

const tag = 'MCP login'

export const startDeviceLogin = endpoint({
  name: 'startDeviceLogin',
  method: 'POST',
  path: '/api/auth/mcp/start',
  tag,
  summary:
    'Start a device login (RFC 8628): returns a code for the user and a secret for the client',
  credential: 'none',
  body: StartDeviceLogin,
  success: [200, DeviceLogin],
  errors: [429],
})

export const pollDeviceLogin = endpoint({
  name: 'pollDeviceLogin',
  method: 'POST',
  path: '/api/auth/mcp/poll',
  tag,
  summary: 'Poll for the user’s decision; the API key is returned exactly once',
  credential: 'none',
  body: PollDeviceLogin,
  success: [200, DeviceLoginResult],
  errors: [400, 409, 410],
})

export const pendingDeviceLogin = endpoint({
  name: 'pendingDeviceLogin',
  method: 'GET',
  path: '/api/auth/mcp/authorize',
  tag,
  summary: 'Get the device login that waits for approval under a user code',
  credential: 'jwt',
  query: Type.Object({ user_code: Type.String() }),
  success: [200, PendingDeviceLogin],
  errors: [403, 404, 429],
})

export const decideDeviceLogin = endpoint({
  name: 'decideDeviceLogin',
  method: 'POST',
  path: '/api/auth/mcp/authorize',
  tag,
  summary: 'Approve or deny a device login',
  credential: 'jwt',
  body: DecideDeviceLogin,
  success: [200, DeviceDecision],
  errors: [403, 404, 429],
})
