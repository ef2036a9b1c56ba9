import type { Client } from '../../../shared/client.ts'
import { listChatMessages } from '../../../shared/contract/chat-messages.ts'
import {
  type ChatSession,
  getChatSession,
  listChatSessions,
} from '../../../shared/contract/chat-sessions.ts'
import { type Context, signedInClient } from '../../context.ts'
import { CliError } from '../../errors.ts'
import { allInPages, type IdList, MAX_PAGE_SIZE, orNotFound, resolveId } from '../../ids.ts'

/** The chat sessions whose ids commands take, archived ones too. */
export const sessionIds = (client: Client): IdList => ({
  noun: 'session',
  command: 'svc sessions list',
  async find(prefix) {
    const found = prefix ? await allPages(client) : await page(client, false)
    return found.map(({ id, title }) => ({ id, label: title }))
  },
})

/** All ids of sessions, if there are not many; otherwise undefined. */
export const fewSessionIds = async (client: Client): Promise<string[] | undefined> => {
  const pages = await Promise.all([page(client, false), page(client, true)])
  if (pages.some(({ length }) => length === MAX_PAGE_SIZE)) return undefined
  return pages.flat().map(({ id }) => id)
}

const page = (
  client: Client,
  archived: boolean,
  query: { limit: number; before?: string } = { limit: MAX_PAGE_SIZE },
): Promise<ChatSession[]> => client.call(listChatSessions, { query: { archived, ...query } })

/** The list is not ordered by id, so a prefix may be on any page. */
const allPages = async (client: Client): Promise<ChatSession[]> => {
  const found = await Promise.all(
    [false, true].map((archived) =>
      allInPages(
        (query) => page(client, archived, query),
        ({ id }) => id,
      ),
    ),
  )
  return found.flat()
}

/** The messages of a session. */
export const messageIds = (client: Client, session_id: string): IdList => ({
  noun: 'message',
  command: `svc sessions show ${session_id} --json`,
  async find() {
    const messages = await allInPages(
      // Each page has its oldest message first.
      async (query) =>
        (await client.call(listChatMessages, { params: { session_id }, query })).toReversed(),
      ({ id }) => id,
    )
    return messages.map(({ id, content }) => ({ id, label: content }))
  },
})

/** The id of a session from an id, a unique prefix of one, or `last`, the most recently changed one. */
const resolveSessionId = (context: Context, id: string): Promise<string> =>
  id === 'last' ? lastSession(context) : resolveId(id, sessionIds(signedInClient(context)))

/** The session with an ID, or the last one. @throws CliError if there is none. */
export const findSession = async (context: Context, idOrLast: string): Promise<ChatSession> =>
  signedInClient(context)
    .call(getChatSession, { params: { session_id: await resolveSessionId(context, idOrLast) } })
    .catch(orNotFound('Session', idOrLast, 'svc sessions list'))

const lastSession = async (context: Context): Promise<string> => {
  // The list starts with pinned sessions, however old they are.
  const sessions = await signedInClient(context).call(listChatSessions, {
    query: { limit: MAX_PAGE_SIZE },
  })
  const [last] = sessions.sort((a, b) => b.updated_at.localeCompare(a.updated_at))
  if (last) return last.id
  throw new CliError('There is no session to continue.', 'Start one: svc chat "Hello."')
}
