import {
  AdminAuditLog,
  AdminAuditQuery,
  AdminConfiguration,
  AdminHistory,
  AdminHistoryQuery,
  AdminQueues,
} from '../schemas/operations.ts'
import { endpoint } from './endpoint.ts'

const tag = 'Admin'

export const adminQueues = endpoint({
  name: 'adminQueues',
  method: 'GET',
  path: '/api/admin/queues',
  tag,
  summary: 'Get the queues of jobs and emails, with their last failures',
  credential: 'bearer',
  adminOnly: true,
  success: [200, AdminQueues],
})

export const adminConfiguration = endpoint({
  name: 'adminConfiguration',
  method: 'GET',
  path: '/api/admin/configuration',
  tag,
  summary: 'List the optional parts of the server and whether each is configured',
  credential: 'bearer',
  adminOnly: true,
  success: [200, AdminConfiguration],
})

export const adminHistory = endpoint({
  name: 'adminHistory',
  method: 'GET',
  path: '/api/admin/history',
  tag,
  summary: 'Get the number of new users, sign-ins, memories and messages of each day',
  credential: 'bearer',
  adminOnly: true,
  query: AdminHistoryQuery,
  success: [200, AdminHistory],
})

export const adminAuditLog = endpoint({
  name: 'adminAuditLog',
  method: 'GET',
  path: '/api/admin/audit',
  tag,
  summary: 'List the audit events of all users, newest first',
  credential: 'bearer',
  adminOnly: true,
  query: AdminAuditQuery,
  success: [200, AdminAuditLog],
})
