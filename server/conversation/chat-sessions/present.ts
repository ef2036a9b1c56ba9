import type { ChatMessage, ChatMessageVersion } from '../../../shared/contract/chat-messages.ts'
import type { ChatSession } from '../../../shared/contract/chat-sessions.ts'
import type { ChatSessionWithCategory } from './session-store.ts'
import type { ChatMessageRow, ChatMessageVersionRow, ChatSessionRow } from './table.ts'

/** The title of a session before its first message. */
const UNTITLED = 'New chat'

export const sessionTitle = ({ title }: Pick<ChatSessionRow, 'title'>): string => title ?? UNTITLED

export const presentChatSession = (session: ChatSessionWithCategory): ChatSession => ({
  id: session.sessionId,
  title: sessionTitle(session),
  provider: session.provider,
  model: session.model,
  created_at: session.createdAt.toISOString(),
  updated_at: session.updatedAt.toISOString(),
  message_count: session.messageCount,
  last_message_preview: session.lastMessagePreview,
  category_id: session.categoryId,
  category_name: session.categoryName,
  category_color: session.categoryColor,
  category_icon: session.categoryIcon,
  is_pinned: session.isPinned,
  is_archived: session.isArchived,
  initiated_by: session.initiatedBy,
  unread: session.isUnread,
})

/** @param texts of the cited memories by id; forgotten memories have none and are left out. */
export const presentChatMessage = (
  message: ChatMessageRow,
  versions: ChatMessageVersionRow[],
  texts: ReadonlyMap<string, string>,
): ChatMessage => ({
  id: message.messageId,
  session_id: message.sessionId,
  role: message.role,
  content: message.content,
  content_blocks: message.contentBlocks,
  file_ids: message.fileIds,
  url_snapshot_hash: message.urlSnapshotHash,
  reply_to: message.replyTo,
  provider: message.provider,
  model: message.model,
  usage: message.usage,
  memories: message.memories.flatMap((cited) => {
    const content_text = texts.get(cited.memory_id)
    return content_text === undefined ? [] : [{ ...cited, content_text }]
  }),
  is_partial: message.isPartial,
  versions: versions.map(presentVersion),
  created_at: message.createdAt.toISOString(),
})

const presentVersion = (version: ChatMessageVersionRow): ChatMessageVersion => ({
  content: version.content,
  provider: version.provider,
  model: version.model,
  is_partial: version.isPartial,
  created_at: version.createdAt.toISOString(),
})

const TITLE_CHARS = 80
const PREVIEW_CHARS = 160

/** The title of a session by its first message; null where the message has no text. */
export const firstMessageTitle = (content: string): string | null =>
  shorten(content, TITLE_CHARS) || null

/** A message in one line, for lists of sessions; null where it has no text. */
export const messagePreview = (content: string): string | null =>
  shorten(content, PREVIEW_CHARS) || null

/** One line of at most so many characters, cut at a word boundary unless that drops half of it. */
const shorten = (text: string, chars: number): string => {
  const line = text
    .slice(0, chars * 8)
    .replace(/\s+/g, ' ')
    .trim()
  if (line.length <= chars) return line
  const cut = line.slice(0, chars - 1).replace(/[\ud800-\udbff]$/, '')
  const atWord = cut.replace(/\s\S*$/, '')
  return `${atWord.length > chars / 2 ? atWord : cut}…`
}
