import { Type } from '@sinclair/typebox'
import {
  AdminStats,
  AdminUser,
  AdminUserQuery,
  AdminUsers,
  DisableUser,
  EnableUser,
  SetUserAdmin,
  SetUserTier,
} from '../schemas/admin.ts'
import { Uuid } from '../schemas/common.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Admin'
const params = Type.Object({ user_id: Uuid() })

export const listUsers = endpoint({
  name: 'listUsers',
  method: 'GET',
  path: '/api/admin/users',
  tag,
  summary: 'The people who have an account here, newest first, or those that a search finds',
  credential: 'bearer',
  adminOnly: true,
  query: AdminUserQuery,
  success: [200, AdminUsers],
})

export const getUser = endpoint({
  name: 'getUser',
  method: 'GET',
  path: '/api/admin/users/{user_id}',
  tag,
  summary: 'One of them',
  credential: 'bearer',
  adminOnly: true,
  params,
  success: [200, AdminUser],
  errors: [404],
})

export const disableUser = endpoint({
  name: 'disableUser',
  method: 'POST',
  path: '/api/admin/users/{user_id}/disable',
  tag,
  summary: 'Keep a person out: their sessions end, their keys and what is done for them rest',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: DisableUser,
  success: [200, AdminUser],
  errors: [404, 409],
})

export const enableUser = endpoint({
  name: 'enableUser',
  method: 'POST',
  path: '/api/admin/users/{user_id}/enable',
  tag,
  summary: 'Let a person in again',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: EnableUser,
  success: [200, AdminUser],
  errors: [404],
})

export const setUserTier = endpoint({
  name: 'setUserTier',
  method: 'PUT',
  path: '/api/admin/users/{user_id}/tier',
  tag,
  summary: 'Give a person a tier',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: SetUserTier,
  success: [200, AdminUser],
  errors: [404],
})

export const setUserAdmin = endpoint({
  name: 'setUserAdmin',
  method: 'PUT',
  path: '/api/admin/users/{user_id}/admin',
  tag,
  summary: 'Make a person an admin, or one no longer',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: SetUserAdmin,
  success: [200, AdminUser],
  errors: [404, 409],
})

export const adminStats = endpoint({
  name: 'adminStats',
  method: 'GET',
  path: '/api/admin/stats',
  tag,
  summary: 'How much there is on this server, and how much work waits',
  credential: 'bearer',
  adminOnly: true,
  success: [200, AdminStats],
})
