import type { InfiniteData } from '@tanstack/react-query'
import { type ChatMessage, listChatMessages } from '../../../shared/contract/chat-messages.ts'
import { getChatSession, listChatSessions } from '../../../shared/contract/chat-sessions.ts'
import { useApiPages } from '../../session/pages.ts'
import { queryClient } from '../../session/query-client.ts'

const PAGE_SIZE = 50

/** The messages of a chat, page by page from the newest. */
export const useMessages = (sessionId: string) =>
  useApiPages(
    listChatMessages,
    sessionId,
    (before) => ({
      params: { session_id: sessionId },
      query: { limit: PAGE_SIZE, ...(before && { before }) },
    }),
    (page) => (page.length === PAGE_SIZE ? page[0]?.id : undefined),
  )

/** All loaded messages, oldest first. */
export const messagesIn = (data: InfiniteData<ChatMessage[]> | undefined): ChatMessage[] =>
  data?.pages.toReversed().flat() ?? []

export const cachedMessages = (sessionId: string): ChatMessage[] =>
  messagesIn(queryClient.getQueryData([listChatMessages.name, 'pages', sessionId]))

export const refetchMessages = (sessionId: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: [listChatMessages.name, 'pages', sessionId] })

export const refetchSessions = async (): Promise<void> => {
  await Promise.all(
    [listChatSessions, getChatSession].map(({ name }) =>
      queryClient.invalidateQueries({ queryKey: [name] }),
    ),
  )
}
