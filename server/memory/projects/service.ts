import {
  listProjects,
  type MergedProject,
  mergeProject,
  type ProjectList,
} from '../../../shared/contract/projects.ts'
import type { RecordActivity } from '../../account/activity/service.ts'
import { type Database, isUniqueViolation } from '../../platform/db/database.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { defineErrors } from '../../platform/http/error.ts'
import type { Mount } from '../../platform/http/route.ts'
import { actorOf, readableTrust } from '../memories/actor.ts'
import { deleteSet, lockSet } from '../memories/set-store.ts'
import {
  addAlias,
  findProject,
  listProjects as list,
  memoriesOf,
  memoriesOfBoth,
  moveMemories,
} from './store.ts'

const projectError = defineErrors({
  project_not_found: { status: 404, detail: 'No memory is about that project' },
  project_into_itself: { status: 409, detail: 'A project cannot be merged into itself' },
})

export type ProjectService = ReturnType<typeof createProjectService>

/** The projects that memories are about. A project begins with its first memory, and ends with its last one. */
export const createProjectService = (
  { query, bulk }: Pick<Database, 'query' | 'bulk'>,
  record: RecordActivity,
) => ({
  async list(caller: Caller): Promise<ProjectList> {
    const rows = await list(query, caller.ownerId, readableTrust(caller))
    return {
      projects: rows.map(({ lastAt, ...row }) => ({ ...row, last_at: lastAt.toISOString() })),
    }
  },

  /**
   * Moves the memories of a project to another one, all or none. Those with a text that the other one has in the
   * same thread are deleted.
   * @throws ApiError 404 for a project without memories, 409 for one and the same.
   */
  async merge(caller: Caller, given: { project: string; into: string }): Promise<MergedProject> {
    const { ownerId } = caller
    const into = await findProject(query, ownerId, given.into)
    const names = { from: given.project, into }
    if (names.from === into) throw projectError('project_into_itself')
    const set = memoriesOf(ownerId, names.from)
    const both = memoriesOfBoth(ownerId, names)
    const move = () =>
      bulk.transaction(async (within) => {
        if (!(await lockSet(within, set))) return undefined
        await addAlias(within, ownerId, names)
        const count = await moveMemories(within, ownerId, names)
        return { count, deleted: await deleteSet(within, both, actorOf(caller)) }
      })
    const moved = await move().catch((error) => {
      // Another request has just remembered one of the texts.
      if (isUniqueViolation(error)) return move()
      throw error
    })
    if (!moved) throw projectError('project_not_found')
    // A write that began before the merge knows the old name only.
    const later = await move()
    const merged = {
      project: into,
      count: moved.count + (later?.count ?? 0),
      deleted: moved.deleted + (later?.deleted ?? 0),
    }
    if (merged.count) record(caller, { kind: 'memory.changed', count: merged.count })
    return merged
  },
})

export const projectRoutes = (mount: Mount, projects: ProjectService): void => {
  mount(listProjects, ({ caller }) => projects.list(caller))
  mount(mergeProject, ({ caller, body }) => projects.merge(caller, body))
}
