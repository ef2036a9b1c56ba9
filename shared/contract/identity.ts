import { type Static, Type } from '@sinclair/typebox'
import { Timestamp, Uuid } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Trust } from './memories.ts'

export const Anchor = Type.Object(
  {
    anchor_key: Type.String({ examples: ['name', 'home', 'work.employer'] }),
    value: Type.String(),
    memory_id: Uuid({ description: 'The latest memory that states the value.' }),
    quote: Type.String({ description: 'The passage of the memory that states the value.' }),
    trust: Trust,
    since: Timestamp({ description: 'When the value was first stated after any other value.' }),
    history: Type.Array(
      Type.Object({ value: Type.String(), memory_id: Uuid(), trust: Trust, at: Timestamp() }),
      { description: 'Other values, latest first.' },
    ),
  },
  { $id: 'Anchor' },
)
export type Anchor = Static<typeof Anchor>

export const Anchors = Type.Object({ anchors: Type.Array(Anchor) })
export type Anchors = Static<typeof Anchors>

export const IdentityConflict = Type.Object(
  {
    anchor_key: Type.String({ examples: ['home'] }),
    values: Type.Array(
      Type.Object({
        value: Type.String(),
        memory_id: Uuid({ description: 'The latest memory that states the value.' }),
        quote: Type.String({ description: 'The passage of the memory that states the value.' }),
        trust: Trust,
        at: Timestamp({ description: 'When the value was stated.' }),
      }),
      {
        description:
          'The contradicting values, latest first. Until the conflict is resolved the latest one of the highest trust is the anchor.',
      },
    ),
    since: Timestamp({ description: 'When the first value was contradicted.' }),
  },
  { $id: 'IdentityConflict' },
)
export type IdentityConflict = Static<typeof IdentityConflict>

export const IdentityConflicts = Type.Object({ conflicts: Type.Array(IdentityConflict) })
export type IdentityConflicts = Static<typeof IdentityConflicts>

export const ResolveConflict = Type.Object({
  anchor_key: Type.String({ minLength: 1, maxLength: 200, examples: ['home'] }),
  chosen_value: Type.Unknown({
    description: 'One of the values or a new one: a string of up to 200 characters, or a number.',
    examples: ['Lisbon'],
  }),
})
export type ResolveConflict = Static<typeof ResolveConflict>

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
  affects: ['listConflicts', 'listAnchors', 'listProactiveIntents'],
  errors: { 404: ['conflict_not_found'], 409: ['conflict_memories_changed'] },
})
