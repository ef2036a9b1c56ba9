import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { TokenResponse, User } from './sessions.ts'

export const StartDeviceLogin = Type.Object({
  client_name: withDefault(
    Type.String({ minLength: 1, maxLength: 100, trim: true, examples: ['svc on ada-laptop'] }),
    'MCP client',
  ),
  session: withDefault(
    Type.Boolean({
      description:
        'Also request a session, which can manage API keys. The approval page shows this.',
    }),
    false,
  ),
})
export type StartDeviceLogin = Static<typeof StartDeviceLogin>

export const DeviceLogin = Type.Object({
  device_code: Type.String({ description: 'The secret that the client polls with.' }),
  user_code: Type.String({ description: 'The code that the user compares or enters.' }),
  verification_uri: Type.String(),
  verification_uri_complete: Type.String(),
  expires_in: Type.Integer({ description: 'Seconds until the codes expire.' }),
  interval: Type.Integer({ description: 'Minimum number of seconds between two polls.' }),
})
export type DeviceLogin = Static<typeof DeviceLogin>

export const PollDeviceLogin = Type.Object({
  device_code: Type.String({ examples: ['9vXq2mLk7Rz4TbWc8HsJ1pNd6FyGa3Ue'] }),
})
export type PollDeviceLogin = Static<typeof PollDeviceLogin>

export const DeviceLoginResult = Type.Object({
  status: OneOf(['pending', 'slow_down', 'denied', 'approved']),
  interval: Type.Optional(Type.Integer({ description: 'Seconds to wait before the next poll.' })),
  api_key: Type.Optional(Type.String({ description: 'Returned once, after approval.' })),
  key_id: Type.Optional(Uuid()),
  user: Type.Optional(User),
  access_token: Type.Optional(TokenResponse.properties.access_token),
  token_type: Type.Optional(TokenResponse.properties.token_type),
})
export type DeviceLoginResult = Static<typeof DeviceLoginResult>

/** The code of a device login, with or without the hyphen. */
export const UserCode = () => Type.String({ examples: ['BCDF-GHJK'] })

export const PendingDeviceLogin = Type.Object({
  client_name: Type.String(),
  session: Type.Boolean(),
  created_at: Timestamp(),
  ip: Nullable(Type.String()),
})
export type PendingDeviceLogin = Static<typeof PendingDeviceLogin>

export const DecideDeviceLogin = Type.Object({
  user_code: UserCode(),
  approve: Type.Boolean(),
  org_id: Type.Optional(Nullable(Uuid())),
})
export type DecideDeviceLogin = Static<typeof DecideDeviceLogin>

export const DeviceDecision = Type.Object({ status: OneOf(['approved', 'denied']) })
export type DeviceDecision = Static<typeof DeviceDecision>

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
    403: ['not_org_member', 'org_policy'],
    404: ['user_code_not_found'],
    429: ['device_codes_per_user_rate_limited', 'device_codes_per_address_rate_limited'],
  },
})
