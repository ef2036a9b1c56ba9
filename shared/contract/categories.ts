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
  errors: { 404: ['category_not_found'] },
})
