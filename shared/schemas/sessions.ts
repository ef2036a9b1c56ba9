import { type Static, Type } from '@sinclair/typebox'
import { Tier } from './billing.ts'
import { Nullable, OneOf, Timestamp, Uuid } from './common.ts'

const password = { examples: ['correct horse battery staple'] }

export const SignUp = Type.Object({
  email: Type.String({
    minLength: 5,
    maxLength: 255,
    trim: true,
    description: 'Case-insensitive. Disposable domains are rejected.',
    examples: ['ada@example.com'],
  }),
  password: Type.String({
    minLength: 8,
    maxLength: 128,
    description: 'Any 8-128 characters.',
    ...password,
  }),
  confirm_password: Type.String({ description: 'The same password again.', ...password }),
})
export type SignUp = Static<typeof SignUp>

export const SignIn = Type.Object({
  email: Type.String({ trim: true, examples: ['ada@example.com'] }),
  password: Type.String(password),
})
export type SignIn = Static<typeof SignIn>

export const User = Type.Object(
  {
    id: Uuid(),
    email: Type.String(),
    created_at: Timestamp(),
    email_verified: Type.Boolean(),
    display_name: Nullable(Type.String()),
    avatar_url: Nullable(Type.String()),
  },
  { $id: 'User' },
)
export type User = Static<typeof User>

export const AccessToken = Type.Object(
  {
    access_token: Type.String({ description: 'A JWT, valid for 60 minutes.' }),
    token_type: Type.Literal('bearer'),
  },
  { $id: 'AccessToken' },
)
export type AccessToken = Static<typeof AccessToken>

export const TokenResponse = Type.Object({ ...AccessToken.properties, user: User })
export type TokenResponse = Static<typeof TokenResponse>

export const CurrentUser = Type.Object({
  id: Uuid(),
  email: Type.String(),
  onboarding_completed: Type.Boolean(),
  email_verified: Type.Boolean(),
  display_name: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  is_admin: Type.Boolean(),
})
export type CurrentUser = Static<typeof CurrentUser>

export const Me = Type.Object({
  ...CurrentUser.properties,
  tier: Tier,
  credential: OneOf(['jwt', 'api_key'], { description: 'The kind of credential of this request.' }),
  org: Nullable(Type.Object({ id: Uuid(), name: Type.String(), role: Type.String() })),
})
export type Me = Static<typeof Me>

export const Onboarding = Type.Object({ completed: Type.Boolean() })
export type Onboarding = Static<typeof Onboarding>

export const Session = Type.Object(
  {
    id: Uuid(),
    created_at: Timestamp(),
    last_seen_at: Timestamp({ description: 'Updated at most every 20 seconds.' }),
    ip: Nullable(Type.String()),
    user_agent: Nullable(Type.String()),
    current: Type.Boolean({ description: 'Whether this is the session of the request.' }),
  },
  { $id: 'Session' },
)
export type Session = Static<typeof Session>
