import { Type } from '@sinclair/typebox'
import { Anchors, IdentityConflicts, ResolveConflict } from '../schemas/identity.ts'
import { endpoint } from './endpoint.ts'

export const listAnchors = endpoint({
  name: 'listAnchors',
  method: 'GET',
  path: '/api/identity/anchors',
  tag: 'Identity',
  summary: 'List the caller’s identity anchors (name, home, work and more) with earlier values',
  credential: 'bearer',
  success: [200, Anchors],
})

export const listConflicts = endpoint({
  name: 'listConflicts',
  method: 'GET',
  path: '/api/identity/conflicts',
  tag: 'Identity',
  summary: 'List contradictions between memories about the caller',
  credential: 'bearer',
  success: [200, IdentityConflicts],
})

export const resolveConflict = endpoint({
  name: 'resolveConflict',
  method: 'POST',
  path: '/api/identity/resolve-conflict/commit',
  tag: 'Identity',
  summary: 'Resolve a contradiction by choosing a value; memories with other values are superseded',
  credential: 'bearer',
  body: ResolveConflict,
  success: [200, Type.Null()],
  errors: { 404: ['conflict_not_found'], 409: ['conflict_memories_changed'] },
})
