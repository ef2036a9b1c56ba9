import { Type } from '@sinclair/typebox'
import {
  DecideDeviceLogin,
  DeviceDecision,
  DeviceLogin,
  DeviceLoginResult,
  PendingDeviceLogin,
  PollDeviceLogin,
  StartDeviceLogin,
  UserCode,
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
  errors: { 429: ['device_logins_rate_limited'] },
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
  errors: {
    400: ['device_code_unknown'],
    403: ['account_disabled'],
    409: ['cap_reached'],
    410: ['device_login_expired', 'device_login_delivered', 'device_approval_revoked'],
  },
})

export const pendingDeviceLogin = endpoint({
  name: 'pendingDeviceLogin',
  method: 'GET',
  path: '/api/auth/mcp/authorize',
  tag,
  summary: 'Get the device login that waits for approval under a user code',
  credential: 'jwt',
  query: Type.Object({ user_code: UserCode() }),
  success: [200, PendingDeviceLogin],
  errors: {
    404: ['user_code_not_found'],
    429: ['device_codes_per_user_rate_limited', 'device_codes_per_address_rate_limited'],
  },
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
  errors: {
    403: ['not_org_member'],
    404: ['user_code_not_found'],
    429: ['device_codes_per_user_rate_limited', 'device_codes_per_address_rate_limited'],
  },
})
