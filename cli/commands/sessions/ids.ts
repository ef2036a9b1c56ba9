import type { Client } from '../../../shared/client.ts'
import { listChatSessions } from '../../../shared/contract/chat-sessions.ts'
import type { ChatSession } from '../../../shared/schemas/chat-sessions.ts'
import type { IdList } from '../../short-id.ts'

const PAGE_SIZE = 100

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
  if (pages.some(({ length }) => length === PAGE_SIZE)) return undefined
  return pages.flat().map(({ id }) => id)
}

const page = (client: Client, archived: boolean, before?: string): Promise<ChatSession[]> =>
  client.call(listChatSessions, {
    query: { limit: PAGE_SIZE, archived, ...(before && { before }) },
  })

/** The list is not ordered by id, so a prefix may be on any page. */
const allPages = async (client: Client): Promise<ChatSession[]> => {
  const found = await Promise.all(
    [false, true].map(async (archived) => {
      const sessions = await page(client, archived)
      for (let { length } = sessions; length === PAGE_SIZE; ) {
        const next = await page(client, archived, sessions.at(-1)?.id)
        sessions.push(...next)
        length = next.length
      }
      return sessions
    }),
  )
  return found.flat()
}
