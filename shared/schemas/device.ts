import { type Static, Type } from '@sinclair/typebox'
import { Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'
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
