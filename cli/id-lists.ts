import { type Context, signedInClient } from './context.ts'
import type { IdList } from './short-id.ts'

/**
 * The ids that complete in the shell, by the command that takes one. `memories` is for every command
 * of `svc memories`, and `chat --session` for an option.
 */
export const idLists: Record<string, (context: Context) => Promise<IdList>> = {
  memories: async (context) =>
    (await import('./commands/memories/ids.ts')).memoryIds(signedInClient(context)),
  'memories restore': async (context) =>
    (await import('./commands/memories/ids.ts')).deletedMemoryIds(signedInClient(context)),
  sessions: async (context) =>
    (await import('./commands/sessions/ids.ts')).sessionIds(signedInClient(context)),
  'chat --session': async (context) =>
    (await import('./commands/sessions/ids.ts')).sessionIds(signedInClient(context)),
  keys: async (context) => {
    const { sessionClient } = await import('./session.ts')
    return (await import('./commands/keys/ids.ts')).keyIds(await sessionClient(context))
  },
}
