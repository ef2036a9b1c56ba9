import type { Client } from '../../shared/client.ts'
import { forgetMatching, restoreMatching } from '../../shared/contract/memory-bulk.ts'
import { listProjects, mergeProject, type ProjectSummary } from '../../shared/contract/projects.ts'
import { commandLine } from '../command-line.ts'
import { changeConfirmed } from '../confirmed.ts'
import { type Context, signedInClient } from '../context.ts'
import { formatMemoryCount, formatMinute } from '../format.ts'
import { type Kind, notFoundError } from '../ids.ts'
import { printList } from '../list.ts'
import { oneLine } from '../output.ts'

const LIST = 'svc projects list'

const listed = async (client: Client): Promise<ProjectSummary[]> =>
  (await client.call(listProjects)).projects

/** For completion. */
export const projects: Kind<ProjectSummary> = {
  noun: 'Project',
  command: LIST,
  all: listed,
  id: ({ project }) => project,
  names: ({ project, aliases }) => [project, ...aliases],
}

export const runProjectsList = async (context: Context): Promise<void> => {
  const response = await signedInClient(context).call(listProjects)
  await printList(context, {
    items: response.projects,
    columns: {
      LAST: ({ last_at }) => formatMinute(last_at),
      PROJECT: ({ project }) => project,
      MEMORIES: ({ memories }) => memories,
      CONVERSATIONS: ({ conversations }) => conversations,
      MERGED: ({ aliases }) => aliases.join(', '),
    },
    minor: ['MERGED', 'CONVERSATIONS'],
    empty: 'No memory is about a project. To add one, run: svc remember "…" --project NAME',
    response,
  })
}

interface MergeArgs {
  project: string
  into: string
  yes?: boolean
}

/** The project of a name, or of one that was merged into it. @throws CliError without one. */
const findProject = async (context: Context, name: string): Promise<ProjectSummary> => {
  const all = await listed(signedInClient(context))
  const found = all.find(({ project, aliases }) => project === name || aliases.includes(name))
  if (!found) throw notFoundError('Project', name, LIST)
  return found
}

/** Joins a project with another one, which may be new, after a confirmation. */
export const runProjectsMerge = async (
  context: Context,
  { project, into, yes }: MergeArgs,
): Promise<void> => {
  let count = 0
  let deleted = 0
  await changeConfirmed(context, {
    yes,
    words: ['projects', 'merge', project, into],
    find: () => findProject(context, project),
    question: ({ memories }) =>
      `Move the ${formatMemoryCount(memories)} of ${oneLine(project)} to ${oneLine(into)}? This cannot be undone.`,
    async change(found) {
      const body = { project: found.project, into }
      ;({ count, deleted } = await signedInClient(context).call(mergeProject, { body }))
    },
    response: () => ({ project: into, count, deleted }),
    done: () =>
      `Moved ${formatMemoryCount(count)} to ${oneLine(into)}.${deleted ? ` It had ${formatMemoryCount(deleted)} already.` : ''}`,
  })
}

interface ProjectArgs {
  project: string
  yes?: boolean
}

/** Deletes the memories of a project, after a confirmation. */
export const runProjectsDelete = async (
  context: Context,
  { project, yes }: ProjectArgs,
): Promise<void> => {
  let deleted = 0
  let since: string | null = null
  await changeConfirmed(context, {
    yes,
    words: ['projects', 'delete', project],
    find: () => findProject(context, project),
    question: ({ memories }) => `Delete the ${formatMemoryCount(memories)} of ${oneLine(project)}?`,
    async change(found) {
      const body = { project: found.project }
      const forgotten = await signedInClient(context).call(forgetMatching, { body })
      deleted = forgotten.count
      since = forgotten.deleted_since
    },
    response: (found) => ({ project: found.project, deleted, deleted_since: since }),
    done: (found) =>
      `Deleted ${formatMemoryCount(deleted)}. To restore them within 30 days, run: ${commandLine(context, ['projects', 'restore', found.project], {})}`,
  })
}

interface RestoreArgs {
  project: string
  since?: string
}

/** Restores the memories of a project that were deleted in the last 30 days. */
export const runProjectsRestore = async (
  context: Context,
  { project, since = new Date(0).toISOString() }: RestoreArgs,
): Promise<void> => {
  context.io.willPrint(['project', 'restored'])
  const { count } = await signedInClient(context).call(restoreMatching, {
    body: { project, deleted_since: since },
  })
  if (context.json) context.io.printJson({ project, restored: count })
  context.io.info(`Restored ${formatMemoryCount(count)} of ${oneLine(project)}.`)
}
