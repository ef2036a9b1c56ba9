import { type Static, Type } from '@sinclair/typebox'
import { TokenResponse, User } from './account.ts'
import { Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'

export const StartDeviceLogin = Type.Object({
  client_name: withDefault(
    Type.String({ minLength: 1, maxLength: 100, trim: true, examples: ['svc on ada-laptop'] }),
    'MCP client',
  ),
  session: withDefault(
    Type.Boolean({
      description: 'Also ask for a session, which can manage keys. The approval page says so.',
    }),
    false,
  ),
})
export type StartDeviceLogin = Static<typeof StartDeviceLogin>

export const DeviceLogin = Type.Object({
  device_code: Type.String({ description: 'The secret the client polls with.' }),
  user_code: Type.String({ description: 'What the person compares or types.' }),
  verification_uri: Type.String(),
  verification_uri_complete: Type.String(),
  expires_in: Type.Integer({ description: 'Seconds until the codes end.' }),
  interval: Type.Integer({ description: 'Seconds to wait between two polls.' }),
})
export type DeviceLogin = Static<typeof DeviceLogin>

export const PollDeviceLogin = Type.Object({ device_code: Type.String() })
export type PollDeviceLogin = Static<typeof PollDeviceLogin>

export const DeviceLoginResult = Type.Object({
  status: OneOf(['pending', 'slow_down', 'denied', 'approved']),
  interval: Type.Optional(Type.Integer({ description: 'Seconds to wait before the next poll.' })),
  api_key: Type.Optional(Type.String({ description: 'Present once, when approved.' })),
  key_id: Type.Optional(Uuid()),
  user: Type.Optional(User),
  access_token: Type.Optional(TokenResponse.properties.access_token),
  token_type: Type.Optional(TokenResponse.properties.token_type),
})
export type DeviceLoginResult = Static<typeof DeviceLoginResult>

export const DeviceQuestion = Type.Object({
  client_name: Type.String(),
  session: Type.Boolean(),
  created_at: Timestamp(),
  ip: Nullable(Type.String()),
})
export type DeviceQuestion = Static<typeof DeviceQuestion>

export const AnswerDeviceLogin = Type.Object({
  user_code: Type.String(),
  approve: Type.Boolean(),
  org_id: Type.Optional(Nullable(Uuid())),
})
export type AnswerDeviceLogin = Static<typeof AnswerDeviceLogin>

export const DeviceAnswer = Type.Object({ status: OneOf(['approved', 'denied']) })
export type DeviceAnswer = Static<typeof DeviceAnswer>
