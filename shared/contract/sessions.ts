import { type Static, Type } from '@sinclair/typebox'
import { MessageResponse, Nullable, OneOf, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'
import { missing, OrgPolicyRefusal } from './organization-policies.ts'
import { limits } from './scopes.ts'
import { SIGN_UP_REFUSALS } from './sign-up.ts'
import { Tier } from './usage.ts'

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

export const MfaPending = Type.Object({
  mfa_required: Type.Literal(true),
  partial_token: Type.String({ description: 'Valid for 5 minutes and five attempts.' }),
})
export type MfaPending = Static<typeof MfaPending>

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

export const TokenResponse = Type.Object({
  ...AccessToken.properties,
  user: User,
  refused_orgs: Type.Optional(
    Type.Array(OrgPolicyRefusal, {
      description: 'The organizations whose policies this sign-in does not meet; absent: none.',
    }),
  ),
})
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

export const Impersonation = Type.Object({
  reason: Type.String(),
  expires_at: Timestamp(),
})
export type Impersonation = Static<typeof Impersonation>

export const Me = Type.Object({
  ...CurrentUser.properties,
  tier: Tier,
  credential: OneOf(['jwt', 'api_key'], { description: 'The kind of credential of this request.' }),
  org: Nullable(
    Type.Object({
      id: Uuid(),
      name: Type.String(),
      role: Type.String(),
      missing: Type.Optional(missing),
    }),
  ),
  scopes: limits.scopes,
  impersonation: Type.Optional({
    ...Impersonation,
    description: 'Present for an admin who uses the account: why, and until when.',
  }),
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
    impersonation: Type.Optional({
      ...Impersonation,
      description: 'Present for a session by which an admin uses the account: why, and until when.',
    }),
  },
  { $id: 'Session' },
)
export type Session = Static<typeof Session>

export const SignedOut = Type.Object({
  ...MessageResponse.properties,
  logout_url: Type.Optional(
    Type.String({
      description: 'The page that also ends the session at the OpenID provider of the sign-in.',
    }),
  ),
})
export type SignedOut = Static<typeof SignedOut>

const tag = 'Account'

export const signUp = endpoint({
  name: 'signUp',
  method: 'POST',
  path: '/api/auth/signup',
  tag,
  summary: 'Create an account and sign in',
  credential: 'none',
  body: SignUp,
  success: [201, TokenResponse],
  errors: {
    400: [
      'passwords_do_not_match',
      'invalid_email',
      'disposable_email',
      'unreachable_email',
      'common_password',
    ],
    403: SIGN_UP_REFUSALS,
    409: ['email_taken'],
    429: ['auth_rate_limited'],
  },
  authLimited: true,
})

export const signIn = endpoint({
  name: 'signIn',
  method: 'POST',
  path: '/api/auth/signin',
  tag,
  summary: 'Sign in with email and password',
  credential: 'none',
  body: SignIn,
  success: [200, Type.Union([TokenResponse, MfaPending])],
  errors: {
    400: ['no_password'],
    401: ['wrong_credentials'],
    403: ['account_disabled'],
    429: ['auth_rate_limited', 'sign_in_locked'],
  },
  authLimited: true,
})

export const refresh = endpoint({
  name: 'refresh',
  method: 'POST',
  path: '/api/auth/refresh',
  tag,
  summary: 'Exchange the refresh cookie for a new access token',
  credential: 'cookie',
  success: [200, AccessToken],
  errors: { 403: ['origin_not_allowed'] },
})

export const signOut = endpoint({
  name: 'signOut',
  method: 'POST',
  path: '/api/auth/signout',
  tag,
  summary: 'End the session of the refresh cookie and clear it',
  credential: 'cookie',
  success: [200, SignedOut],
  errors: { 403: ['origin_not_allowed'] },
})

export const currentUser = endpoint({
  name: 'currentUser',
  method: 'GET',
  path: '/api/auth/me',
  tag,
  summary: 'Get the signed-in user',
  credential: 'bearer',
  success: [200, CurrentUser],
  errors: { 404: ['user_not_found'] },
})

export const me = endpoint({
  name: 'me',
  method: 'GET',
  path: '/api/me',
  tag,
  summary: 'Get the caller with tier, credential and organization',
  credential: 'bearer',
  success: [200, Me],
})

export const setOnboarding = endpoint({
  name: 'setOnboarding',
  method: 'PUT',
  path: '/api/me/onboarding',
  tag,
  summary: 'Record whether the user has completed or dismissed the first steps',
  credential: 'bearer',
  body: Onboarding,
  isIdempotent: true,
  success: [204, null],
  affects: ['me'],
})

export const listSessions = endpoint({
  name: 'listSessions',
  method: 'GET',
  path: '/api/auth/sessions',
  tag: 'Sessions',
  summary: 'List the sessions of the account',
  credential: 'session',
  success: [200, Type.Array(Session)],
})

export const revokeAllSessions = endpoint({
  name: 'revokeAllSessions',
  method: 'DELETE',
  path: '/api/auth/sessions',
  tag: 'Sessions',
  summary: 'End all sessions of the account, or all others',
  credential: 'session',
  query: Type.Object({
    keep_current: withDefault(
      Type.Boolean({ description: 'Keep the session of the request.' }),
      false,
    ),
  }),
  success: [200, MessageResponse],
  affects: ['listSessions', 'listApps'],
})

export const revokeSession = endpoint({
  name: 'revokeSession',
  method: 'DELETE',
  path: '/api/auth/sessions/{session_id}',
  tag: 'Sessions',
  summary: 'End one session',
  credential: 'session',
  params: Type.Object({ session_id: Uuid() }),
  success: [204, null],
  affects: ['listSessions', 'listApps'],
  errors: { 404: ['session_not_found'] },
})
