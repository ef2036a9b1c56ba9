import { type Static, Type } from '@sinclair/typebox'
import { AppScopes } from './app-scopes.ts'
import { Nullable, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

/** The access that a user gave an app. */
export const AppConsent = Type.Object(
  {
    id: Uuid(),
    client_id: Type.String({
      description: 'The id of a registered client, or the URL of its metadata document.',
      examples: ['01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'],
    }),
    name: Type.String(),
    org: Nullable(Type.Object({ id: Uuid(), name: Type.String() }), {
      description: 'The organization that the app acts in; null for the user’s own memory.',
    }),
    scopes: AppScopes,
    created_at: Timestamp(),
    last_used_at: Timestamp({ description: 'When the user last signed in to the app.' }),
  },
  { $id: 'AppConsent' },
)
export type AppConsent = Static<typeof AppConsent>

const tag = 'Sessions'

export const listConsents = endpoint({
  name: 'listConsents',
  method: 'GET',
  path: '/api/auth/consents',
  tag,
  summary: 'List the apps that the user signs in to with svc, the last used first',
  credential: 'session',
  success: [200, Type.Array(AppConsent)],
})

export const revokeConsent = endpoint({
  name: 'revokeConsent',
  method: 'DELETE',
  path: '/api/auth/consents/{consent_id}',
  tag,
  summary: 'Withdraw a consent; all tokens of the app end',
  credential: 'jwt',
  params: Type.Object({ consent_id: Uuid() }),
  success: [204, null],
  affects: ['listConsents', 'listSessions'],
  errors: { 404: ['consent_not_found'] },
})
