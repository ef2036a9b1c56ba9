import { Type } from '@sinclair/typebox'
import { MessageResponse, Uuid, withDefault } from '../schemas/common.ts'
import { MfaPending } from '../schemas/mfa.ts'
import {
  AccessToken,
  CurrentUser,
  Me,
  Onboarding,
  Session,
  SignIn,
  SignUp,
  TokenResponse,
} from '../schemas/sessions.ts'
import { endpoint } from './endpoint.ts'

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
    400: ['passwords_do_not_match', 'invalid_email', 'disposable_email', 'common_password'],
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
  success: [200, MessageResponse],
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
  success: [204, null],
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
  errors: { 404: ['session_not_found'] },
})
