import { type ChatMessage, listChatMessages } from '../../../shared/contract/chat-messages.ts'
import type { ChatSession } from '../../../shared/contract/chat-sessions.ts'
import { callApi } from '../../session/client.ts'
import { chat } from '../../texts/chat.ts'
import { saveFile } from '../../ui/save-file.ts'

const PAGE_SIZE = 100

/** All messages of a chat, oldest first. */
const allMessages = async (sessionId: string): Promise<ChatMessage[]> => {
  const pages: ChatMessage[][] = []
  for (;;) {
    const before = pages.at(-1)?.[0]?.id
    const page = await callApi(listChatMessages, {
      params: { session_id: sessionId },
      query: { limit: PAGE_SIZE, ...(before && { before }) },
    })
    pages.push(page)
    if (page.length < PAGE_SIZE) return pages.toReversed().flat()
  }
}

const sectionOf = ({ role, content, created_at, model }: ChatMessage): string => {
  const author = role === 'user' ? chat.message.you : [chat.message.svc, model].filter(Boolean)
  return `## ${[author].flat().join(' · ')}, ${created_at}\n\n${content}\n`
}

/** Characters that a file system refuses in names. */
const REFUSED = /[/\\:*?"<>|\p{Cc}]+/gu

/** Saves a chat as Markdown. */
export const exportChat = async ({ id, title }: ChatSession): Promise<void> => {
  const messages = await allMessages(id)
  const text = [`# ${title}\n`, ...messages.map(sectionOf)].join('\n')
  const name = title.replaceAll(REFUSED, ' ').replaceAll(/\s+/g, ' ').trim() || chat.title
  saveFile(`${name}.md`, new Blob([text], { type: 'text/markdown' }))
}
