import { type Static, Type } from '@sinclair/typebox'
import { Timestamp } from './common.ts'
import { endpoint } from './endpoint.ts'

export const ViewQuery = Type.Record(
  Type.String({ pattern: '^[a-z_]{1,30}$' }),
  Type.Union([Type.String({ maxLength: 500 }), Type.Boolean()]),
  {
    maxProperties: 20,
    description:
      'The filters by their names, as the client has them; the server does not read them.',
    examples: [{ tag: 'work', sort: 'happened' }],
  },
)
export type ViewQuery = Static<typeof ViewQuery>

/** The longest name of a view, in characters. */
export const MAX_VIEW_NAME = 60

const ViewName = Type.String({
  minLength: 1,
  maxLength: MAX_VIEW_NAME,
  pattern: '\\S',
  examples: ['Work of this year'],
})

export const SavedView = Type.Object(
  { name: Type.String(), query: ViewQuery, created_at: Timestamp() },
  { $id: 'SavedView' },
)
export type SavedView = Static<typeof SavedView>

const tag = 'Profile'
const path = '/api/views/{name}'

export const listViews = endpoint({
  name: 'listViews',
  method: 'GET',
  path: '/api/views',
  tag,
  summary: 'List the saved views of the list of memories, by name',
  credential: 'bearer',
  success: [200, Type.Object({ views: Type.Array(SavedView) })],
})

export const saveView = endpoint({
  name: 'saveView',
  method: 'PUT',
  path,
  tag,
  summary: 'Save filters of the list of memories under a name, or change those of this name',
  credential: 'bearer',
  params: Type.Object({ name: ViewName }),
  body: Type.Object({ query: ViewQuery }),
  isIdempotent: true,
  success: [200, SavedView],
  affects: ['listViews'],
  errors: { 409: ['cap_reached'] },
})

export const deleteView = endpoint({
  name: 'deleteView',
  method: 'DELETE',
  path,
  tag,
  summary: 'Delete a saved view; the memories stay',
  credential: 'bearer',
  params: Type.Object({ name: ViewName }),
  success: [204, null],
  affects: ['listViews'],
  errors: { 404: ['view_not_found'] },
})
