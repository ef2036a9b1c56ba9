import { type Static, Type } from '@sinclair/typebox'
import { Timestamp } from './common.ts'
import { endpoint } from './endpoint.ts'
import { Project } from './memories.ts'

/** The most projects of a list. */
export const MAX_LISTED_PROJECTS = 1_000

export const ProjectSummary = Type.Object(
  {
    project: Type.String(),
    memories: Type.Integer({ description: 'The number of its memories.' }),
    conversations: Type.Integer({
      description: 'The number of captured conversations that they are of.',
    }),
    last_at: Timestamp({ description: 'The time of its latest memory.' }),
    aliases: Type.Array(Type.String(), {
      description: 'The names of projects that were merged into it.',
    }),
  },
  { $id: 'ProjectSummary' },
)
export type ProjectSummary = Static<typeof ProjectSummary>

export const ProjectList = Type.Object({
  projects: Type.Array(ProjectSummary, {
    maxItems: MAX_LISTED_PROJECTS,
    description: 'The one with the latest memory first.',
  }),
})
export type ProjectList = Static<typeof ProjectList>

export const MergedProject = Type.Object({
  project: Type.String(),
  count: Type.Integer({ description: 'The number of memories that were moved.' }),
  deleted: Type.Integer({
    description: 'Those that the project had already; they can be restored for 30 days.',
  }),
})
export type MergedProject = Static<typeof MergedProject>

const tag = 'Memory'

export const listProjects = endpoint({
  name: 'listProjects',
  method: 'GET',
  path: '/api/projects',
  tag,
  summary: 'List the projects that the caller’s memories are about',
  credential: 'bearer',
  success: [200, ProjectList],
})

export const mergeProject = endpoint({
  name: 'mergeProject',
  queue: 'bulk',
  method: 'POST',
  path: '/api/projects/merge',
  tag,
  summary:
    'Move the memories of a project to another one, which may be new. What is stored for the old name from then on belongs to the new one, too.',
  credential: 'bearer',
  body: Type.Object({
    project: Project({ description: 'The project that ends.' }),
    into: Project({ description: 'The project that gets its memories.', examples: ['acme/store'] }),
  }),
  isIdempotent: true,
  success: [200, MergedProject],
  affects: ['listProjects', 'listMemories'],
  errors: { 404: ['project_not_found'], 409: ['project_into_itself'] },
})
