import { type Static, Type } from '@sinclair/typebox'
import { AppScopes, RequestedAppScopes } from './app-scopes.ts'
import { Nullable, Timestamp, Uuid, withDefault } from './common.ts'
import { endpoint } from './endpoint.ts'

const uri = (example: string) => Type.String({ minLength: 1, maxLength: 2000, examples: [example] })

const about = {
  redirect_uris: 'Redirect URIs: `https`, `http` on a loopback address, or a private-use scheme.',
  post_logout_redirect_uris: 'Where the browser may go after a sign-out.',
  backchannel_logout_uri: 'Gets a logout token when the session of a user ends; null: none.',
}
const callback = uri('https://planner.example.com/callback')
const home = uri('https://planner.example.com/')
const list = { maxItems: 20, uniqueItems: true }

const fields = {
  name: Type.String({
    trim: true,
    minLength: 1,
    maxLength: 100,
    description: 'The name on the consent page.',
    examples: ['Planner'],
  }),
  redirect_uris: Type.Array(callback, { ...list, minItems: 1, description: about.redirect_uris }),
  post_logout_redirect_uris: Type.Array(home, {
    ...list,
    description: about.post_logout_redirect_uris,
  }),
  backchannel_logout_uri: Nullable(uri('https://planner.example.com/logout'), {
    description: about.backchannel_logout_uri,
  }),
  scopes: RequestedAppScopes,
  skips_consent: Type.Boolean({
    description: 'Users are not asked, because the app is one of the server’s own.',
  }),
}

/** An OAuth client that an admin registered. */
export const ManagedClient = Type.Object(
  {
    client_id: Uuid(),
    name: Type.String(),
    redirect_uris: Type.Array(Type.String(), { description: about.redirect_uris }),
    post_logout_redirect_uris: Type.Array(Type.String(), {
      description: about.post_logout_redirect_uris,
    }),
    backchannel_logout_uri: Nullable(Type.String(), { description: about.backchannel_logout_uri }),
    scopes: AppScopes,
    skips_consent: fields.skips_consent,
    confidential: Type.Boolean({ description: 'Whether the client has a secret.' }),
    created_at: Timestamp(),
    last_used_at: Nullable(Timestamp(), { description: 'When a user last signed in.' }),
  },
  { $id: 'ManagedClient' },
)
export type ManagedClient = Static<typeof ManagedClient>

const secret = Type.String({ description: 'Shown once.' })

export const CreatedClient = Type.Object({
  ...ManagedClient.properties,
  client_secret: Type.Optional(secret),
})
export type CreatedClient = Static<typeof CreatedClient>

export const CreateManagedClient = Type.Object(
  {
    name: fields.name,
    redirect_uris: fields.redirect_uris,
    post_logout_redirect_uris: withDefault(fields.post_logout_redirect_uris, []),
    backchannel_logout_uri: withDefault(fields.backchannel_logout_uri, null),
    scopes: withDefault(fields.scopes, ['openid', 'profile', 'email']),
    confidential: withDefault(
      Type.Boolean({
        description:
          'Whether the client gets a secret: a web server can keep one; an app in a browser or on a device cannot.',
      }),
      true,
    ),
    skips_consent: withDefault(fields.skips_consent, false),
  },
  {
    examples: [{ name: 'Planner', redirect_uris: ['https://planner.example.com/callback'] }],
  },
)
export type CreateManagedClient = Static<typeof CreateManagedClient>

/** Omitted fields keep their value. */
export const UpdateManagedClient = Type.Partial(Type.Object(fields), {
  examples: [{ name: 'Team planner' }],
})
export type UpdateManagedClient = Static<typeof UpdateManagedClient>

const tag = 'Admin'
const params = Type.Object({ client_id: Uuid() })
const admin = { tag, adminOnly: true } as const
const affects = ['listManagedClients', 'adminAuditLog']

export const listManagedClients = endpoint({
  ...admin,
  name: 'listManagedClients',
  method: 'GET',
  path: '/api/admin/clients',
  summary: 'List the apps that an admin registered for “Sign in with svc”, by name',
  credential: 'bearer',
  success: [200, Type.Array(ManagedClient)],
})

export const createManagedClient = endpoint({
  ...admin,
  name: 'createManagedClient',
  method: 'POST',
  path: '/api/admin/clients',
  summary: 'Register an app; its secret is shown once',
  credential: 'jwt',
  body: CreateManagedClient,
  success: [201, CreatedClient],
  affects,
  errors: { 409: ['too_many_clients'] },
})

export const updateManagedClient = endpoint({
  ...admin,
  name: 'updateManagedClient',
  method: 'PATCH',
  path: '/api/admin/clients/{client_id}',
  summary: 'Change an app; scopes that it loses end for its tokens too',
  credential: 'jwt',
  params,
  body: UpdateManagedClient,
  success: [200, ManagedClient],
  affects,
  errors: { 404: ['client_not_found'] },
})

export const deleteManagedClient = endpoint({
  ...admin,
  name: 'deleteManagedClient',
  method: 'DELETE',
  path: '/api/admin/clients/{client_id}',
  summary: 'Delete an app with its consents and tokens',
  credential: 'jwt',
  params,
  success: [204, null],
  affects,
  errors: { 404: ['client_not_found'] },
})

export const rotateClientSecret = endpoint({
  ...admin,
  name: 'rotateClientSecret',
  method: 'POST',
  path: '/api/admin/clients/{client_id}/secret',
  summary: 'Replace the secret of an app; the previous one ends at once',
  credential: 'jwt',
  params,
  success: [200, Type.Object({ client_secret: secret })],
  affects,
  errors: { 404: ['client_not_found'], 409: ['client_is_public'] },
})
