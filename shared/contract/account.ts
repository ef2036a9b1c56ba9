import { Type } from '@sinclair/typebox'
import { AccessToken, CurrentUser, Me, SignIn, SignUp, TokenResponse } from '../schemas/account.ts'
import { Message } from '../schemas/common.ts'
import { MfaPending } from '../schemas/mfa.ts'
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
  errors: [400, 409, 429],
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
  errors: [400, 401, 429],
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
  errors: [403],
})

export const signOut = endpoint({
  name: 'signOut',
  method: 'POST',
  path: '/api/auth/signout',
  tag,
  summary: 'End the session of the refresh cookie and clear it',
  credential: 'cookie',
  success: [200, Message],
  errors: [403],
})

export const currentUser = endpoint({
  name: 'currentUser',
  method: 'GET',
  path: '/api/auth/me',
  tag,
  summary: 'The signed-in user',
  credential: 'bearer',
  success: [200, CurrentUser],
  errors: [404],
})

export const me = endpoint({
  name: 'me',
  method: 'GET',
  path: '/api/me',
  tag,
  summary: 'The caller, with tier, credential and organization',
  credential: 'bearer',
  success: [200, Me],
})
