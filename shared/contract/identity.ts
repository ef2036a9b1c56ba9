import { Type } from '@sinclair/typebox'
import { Anchors, IdentityConflicts, ResolveConflict } from '../schemas/identity.ts'
import { endpoint } from './endpoint.ts'

export const listAnchors = endpoint({
  name: 'listAnchors',
  method: 'GET',
  path: '/api/identity/anchors',
  tag: 'Identity',
  summary: 'What the memories say of the caller: name, home, work and more, with what was before',
  credential: 'bearer',
  success: [200, Anchors],
})

export const listConflicts = endpoint({
  name: 'listConflicts',
  method: 'GET',
  path: '/api/identity/conflicts',
  tag: 'Identity',
  summary: 'Where memories contradict each other about the caller',
  credential: 'bearer',
  success: [200, IdentityConflicts],
})

export const resolveConflict = endpoint({
  name: 'resolveConflict',
  method: 'POST',
  path: '/api/identity/resolve-conflict/commit',
  tag: 'Identity',
  summary: 'Choose a value; the memories that say otherwise are superseded, and kept',
  credential: 'bearer',
  body: ResolveConflict,
  success: [200, Type.Null()],
  errors: [404, 409],
})
