import { type Context, signedInClient } from './context.ts'
import { idsOf, namesOf } from './feature.ts'
import { features } from './features.ts'
import type { IdList } from './ids.ts'

const memories = async (context: Context) =>
  (await import('./commands/memories/ids.ts')).memoryIds(signedInClient(context))

/**
 * The ids that complete in the shell. `memories` is for the argument `<id>` of every command of
 * `svc memories`, `<device>` for every argument and option of this name, and `messages <user>` for those
 * of `svc messages`.
 */
export const idLists: Record<string, (context: Context) => Promise<IdList>> = {
  memories,
  show: memories,
  edit: memories,
  delete: memories,
  'memories restore': async (context) =>
    (await import('./commands/memories/ids.ts')).deletedMemoryIds(signedInClient(context)),
  sessions: async (context) =>
    (await import('./commands/sessions/ids.ts')).sessionIds(signedInClient(context)),
  keys: async (context) => {
    const { sessionClient } = await import('./session.ts')
    const { keys } = await import('./commands/keys.ts')
    return (await import('./ids.ts')).idList(keys, await sessionClient(context))
  },
  '<session>': async (context) =>
    (await import('./commands/sessions/ids.ts')).sessionIds(signedInClient(context)),
  '<project>': async (context) => {
    const { projects } = await import('./commands/projects.ts')
    return namesOf(context, () => projects)
  },
  'captures <session>': async (context) => {
    const { captures } = await import('./commands/captures.ts')
    return namesOf(context, () => captures)
  },
  'captures <client>': async (context) => {
    const { captureClients } = await import('./commands/captures.ts')
    return namesOf(context, () => captureClients)
  },
  '<organization>': async (context) =>
    idsOf(context, (await import('./organization.ts')).organizations),
  '<category>': async (context) =>
    idsOf(context, (await import('./commands/categories.ts')).categories),
  '<agent>': async (context) => {
    const { agents } = await import('./commands/agents.ts')
    return namesOf(context, () => agents)
  },
  files: async (context) => idsOf(context, (await import('./commands/files.ts')).files),
  'admin <user>': async (context) =>
    namesOf(context, (await import('./commands/admin/users.ts')).usersWith),
  'admin <client>': async (context) =>
    idsOf(context, (await import('./commands/admin/clients.ts')).clients),
  'orgs <app>': async (context) => {
    const { chosenOrganization } = await import('./commands/orgs/chosen.ts')
    const { appsOf } = await import('./commands/orgs/apps.ts')
    const apps = appsOf(await chosenOrganization(context))
    return namesOf(context, () => apps)
  },
  '<member>': async (context) => {
    const { chosenOrganization } = await import('./commands/orgs/chosen.ts')
    const { membersOf } = await import('./commands/orgs/members.ts')
    const members = membersOf(await chosenOrganization(context))
    return namesOf(context, () => members)
  },
  '<org>': async (context) => idsOf(context, (await import('./organization.ts')).organizations),
  ...Object.assign({}, ...features.map(({ ids }) => ids)),
}
