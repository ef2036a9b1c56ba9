import { Type } from '@sinclair/typebox'
import {
  CreateSessionCategory,
  SessionCategory,
  UpdateSessionCategory,
} from '../schemas/categories.ts'
import { Uuid } from '../schemas/common.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Chat sessions'
const params = Type.Object({ category_id: Uuid() })

export const listSessionCategories = endpoint({
  name: 'listSessionCategories',
  method: 'GET',
  path: '/api/sessions/categories',
  tag,
  summary: 'The categories that sessions are sorted into',
  credential: 'bearer',
  success: [200, Type.Array(SessionCategory)],
})

export const createSessionCategory = endpoint({
  name: 'createSessionCategory',
  method: 'POST',
  path: '/api/sessions/categories',
  tag,
  summary: 'Make a category',
  credential: 'bearer',
  body: CreateSessionCategory,
  success: [201, SessionCategory],
  errors: [409],
})

export const updateSessionCategory = endpoint({
  name: 'updateSessionCategory',
  method: 'PATCH',
  path: '/api/sessions/categories/{category_id}',
  tag,
  summary: 'Change a category; what is null or left out stays as it is',
  credential: 'bearer',
  params,
  body: UpdateSessionCategory,
  success: [200, SessionCategory],
  errors: [404],
})

export const deleteSessionCategory = endpoint({
  name: 'deleteSessionCategory',
  method: 'DELETE',
  path: '/api/sessions/categories/{category_id}',
  tag,
  summary: 'Delete a category; its sessions stay, without one',
  credential: 'bearer',
  params,
  success: [204, null],
  errors: [404],
})
