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
  summary: 'List or search users, newest first',
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
  summary: 'Get a user',
  credential: 'bearer',
  adminOnly: true,
  params,
  success: [200, AdminUser],
  errors: { 404: ['administered_user_not_found'] },
})

export const disableUser = endpoint({
  name: 'disableUser',
  method: 'POST',
  path: '/api/admin/users/{user_id}/disable',
  tag,
  summary: 'Disable a user: end their sessions, pause their API keys and background work',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: DisableUser,
  success: [200, AdminUser],
  errors: { 403: ['admin_revoked'], 404: ['administered_user_not_found'], 409: ['last_admin'] },
})

export const enableUser = endpoint({
  name: 'enableUser',
  method: 'POST',
  path: '/api/admin/users/{user_id}/enable',
  tag,
  summary: 'Enable a disabled user',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: EnableUser,
  success: [200, AdminUser],
  errors: { 403: ['admin_revoked'], 404: ['administered_user_not_found'] },
})

export const setUserTier = endpoint({
  name: 'setUserTier',
  method: 'PUT',
  path: '/api/admin/users/{user_id}/tier',
  tag,
  summary: 'Set the tier of a user',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: SetUserTier,
  success: [200, AdminUser],
  errors: { 403: ['admin_revoked'], 404: ['administered_user_not_found'] },
})

export const setUserAdmin = endpoint({
  name: 'setUserAdmin',
  method: 'PUT',
  path: '/api/admin/users/{user_id}/admin',
  tag,
  summary: 'Grant or revoke admin rights',
  credential: 'jwt',
  adminOnly: true,
  params,
  body: SetUserAdmin,
  success: [200, AdminUser],
  errors: {
    403: ['admin_revoked'],
    404: ['administered_user_not_found'],
    409: ['last_admin', 'admin_by_configuration'],
  },
})

export const adminStats = endpoint({
  name: 'adminStats',
  method: 'GET',
  path: '/api/admin/stats',
  tag,
  summary: 'Get counts of users, data and queued work',
  credential: 'bearer',
  adminOnly: true,
  success: [200, AdminStats],
})
