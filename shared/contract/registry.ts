import { Type } from '@sinclair/typebox'
import { withDefault } from '../schemas/common.ts'
import { RegistryListing, RegistryType, SwitchHandler } from '../schemas/registry.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Admin'

export const listRegistry = endpoint({
  name: 'listRegistry',
  method: 'GET',
  path: '/api/admin/registry',
  tag,
  summary: 'List the automation handlers of a type',
  credential: 'bearer',
  adminOnly: true,
  query: Type.Object({
    registry_type: RegistryType,
    include_disabled: withDefault(
      Type.Boolean({ description: 'Include disabled handlers.' }),
      false,
    ),
  }),
  success: [200, RegistryListing],
})

export const switchHandler = endpoint({
  name: 'switchHandler',
  method: 'POST',
  path: '/api/admin/registry/{registry_type}/{name}/state',
  tag,
  summary: 'Enable or disable a handler; reflexes wait while it is disabled',
  credential: 'bearer',
  adminOnly: true,
  params: Type.Object({
    registry_type: Type.String({ examples: ['action_types'] }),
    name: Type.String({ examples: ['notify'] }),
  }),
  body: SwitchHandler,
  success: [200, Type.Null()],
  errors: { 404: ['handler_not_found'] },
})
