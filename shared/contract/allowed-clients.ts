import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

const clientId = Type.String({
  minLength: 1,
  maxLength: 2000,
  description: 'The id of a registered client, or the URL of its metadata document.',
  examples: ['01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'],
})

const about = { description: 'The apps that may act in the organization; null: all.' }

/** The apps that members may sign in to, and give memories to, as members of the organization. */
export const AllowedClients = Type.Object(
  {
    client_ids: Nullable(Type.Array(Type.String()), about),
    known: Type.Array(
      Type.Object({
        client_id: Type.String(),
        name: Type.String(),
        in_use: Type.Boolean({ description: 'Whether a member uses it in the organization.' }),
      }),
      { description: 'The apps of the server, and those that members use in the organization.' },
    ),
  },
  { $id: 'AllowedClients' },
)
export type AllowedClients = Static<typeof AllowedClients>

export const SetAllowedClients = Type.Object(
  { client_ids: Nullable(Type.Array(clientId, { maxItems: 200, uniqueItems: true }), about) },
  { examples: [{ client_ids: ['01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'] }] },
)
export type SetAllowedClients = Static<typeof SetAllowedClients>

const tag = 'Organizations'
const path = '/api/orgs/{org_id}/allowed-clients'
const params = Type.Object({ org_id: Uuid() })

export const getAllowedClients = endpoint({
  name: 'getAllowedClients',
  method: 'GET',
  path,
  tag,
  summary: 'Get the apps that may act in an organization',
  credential: 'bearer',
  params,
  success: [200, AllowedClients],
  errors: { 403: ['not_org_member'] },
})

export const setAllowedClients = endpoint({
  name: 'setAllowedClients',
  method: 'PUT',
  path,
  tag,
  summary: 'Set the apps that may act in an organization (owners only); others lose access at once',
  credential: 'bearer',
  params,
  body: SetAllowedClients,
  isIdempotent: true,
  success: [200, AllowedClients],
  affects: ['getAllowedClients'],
  errors: { 403: ['not_org_member', 'org_owner_required'] },
})
