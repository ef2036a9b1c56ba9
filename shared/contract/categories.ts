import { type Static, Type } from '@sinclair/typebox'
import { Nullable, Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'

export const SessionCategory = Type.Object(
  {
    id: Uuid(),
    name: Type.String(),
    position: Type.Integer({ description: 'From 0, in order of creation.' }),
    color: Type.String(),
    icon: Type.String(),
    created_at: Timestamp(),
    updated_at: Timestamp(),
  },
  { $id: 'SessionCategory' },
)
export type SessionCategory = Static<typeof SessionCategory>

const name = Type.String({ trim: true, minLength: 1, maxLength: 100, examples: ['Work'] })
const color = Type.String({
  trim: true,
  minLength: 1,
  maxLength: 50,
  examples: ['#6b7280'],
  description: 'Any color value that your app understands.',
})
const icon = Type.String({
  trim: true,
  minLength: 1,
  maxLength: 50,
  examples: ['folder'],
  description: 'Any icon name or emoji that your app understands.',
})

export const CreateSessionCategory = Type.Object({
  name,
  color: Type.Optional(Nullable(color, { trim: true })),
  icon: Type.Optional(Nullable(icon, { trim: true })),
})
export type CreateSessionCategory = Static<typeof CreateSessionCategory>

/** Null keeps the value of a field, because a category always has all three. */
export const UpdateSessionCategory = Type.Object(
  {
    name: Type.Optional(Nullable(name, { trim: true })),
    color: Type.Optional(Nullable(color, { trim: true })),
    icon: Type.Optional(Nullable(icon, { trim: true })),
  },
  { examples: [{ name: 'Travel' }] },
)
export type UpdateSessionCategory = Static<typeof UpdateSessionCategory>

const tag = 'Chat sessions'
const params = Type.Object({ category_id: Uuid() })

export const listSessionCategories = endpoint({
  name: 'listSessionCategories',
  method: 'GET',
  path: '/api/sessions/categories',
  tag,
  summary: 'List the categories of chat sessions',
  credential: 'bearer',
  success: [200, Type.Array(SessionCategory)],
})

export const createSessionCategory = endpoint({
  name: 'createSessionCategory',
  method: 'POST',
  path: '/api/sessions/categories',
  tag,
  summary: 'Create a category',
  credential: 'bearer',
  body: CreateSessionCategory,
  success: [201, SessionCategory],
  affects: ['listSessionCategories', 'listChatSessions'],
  errors: { 409: ['cap_reached'] },
})

export const updateSessionCategory = endpoint({
  name: 'updateSessionCategory',
  method: 'PATCH',
  path: '/api/sessions/categories/{category_id}',
  tag,
  summary: 'Update a category; null or omitted fields keep their value',
  credential: 'bearer',
  params,
  body: UpdateSessionCategory,
  success: [200, SessionCategory],
  affects: ['listSessionCategories', 'listChatSessions'],
  errors: { 404: ['category_not_found'] },
})

export const deleteSessionCategory = endpoint({
  name: 'deleteSessionCategory',
  method: 'DELETE',
  path: '/api/sessions/categories/{category_id}',
  tag,
  summary: 'Delete a category; its sessions are kept without one',
  credential: 'bearer',
  params,
  success: [204, null],
  affects: ['listSessionCategories', 'listChatSessions'],
  errors: { 404: ['category_not_found'] },
})
