import { listChatSessions } from '../../../shared/contract/chat-sessions.ts'
import { type Context, signedInClient } from '../../context.ts'
import { definedFields } from '../../defined.ts'
import { formatMinute } from '../../format.ts'
import { resolveId } from '../../ids.ts'
import { printList, printNextPage } from '../../list.ts'
import { fewSessionIds, sessionIds } from './ids.ts'

interface ListSessionsArgs {
  limit?: number
  before?: string
  search?: string
  archived?: boolean
}

const DEFAULT_LIMIT = 30

/** Lists chat sessions, pinned ones first, then the most recently changed. */
export const runSessionsList = async (context: Context, args: ListSessionsArgs): Promise<void> => {
  const { limit = DEFAULT_LIMIT, search, archived } = args
  const client = signedInClient(context)
  const before = args.before && (await resolveId(args.before, sessionIds(client)))
  const query = definedFields({ limit, before, q: search, archived })
  const sessions = await client.call(listChatSessions, { query })
  await printList(context, {
    items: sessions,
    id: ({ id }) => id,
    allIds: () => fewSessionIds(client),
    columns: {
      CHANGED: ({ updated_at }) => formatMinute(updated_at),
      MESSAGES: ({ message_count }) => message_count,
      TITLE: ({ is_pinned, title }) => `${is_pinned ? '* ' : ''}${title}`,
    },
    empty: 'No sessions. To start one, run: svc chat "…"',
  })
  const next = { limit: args.limit, search, archived, before: sessions.at(-1)?.id }
  printNextPage(context, sessions.length === limit, ['sessions', 'list'], next)
}
