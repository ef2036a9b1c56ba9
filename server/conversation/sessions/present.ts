import type {
  ChatMessage,
  ChatMessageVersion,
  ChatSession,
} from '../../../shared/schemas/chat-sessions.ts'
import type { SessionWithCategory } from './store.ts'
import type { ChatMessageRow, ChatMessageVersionRow, ChatSessionRow } from './table.ts'

/** What a session is called until somebody says something in it. */
const UNTITLED = 'New chat'

export const titled = ({ title }: Pick<ChatSessionRow, 'title'>): string => title ?? UNTITLED

export const presentSession = (session: SessionWithCategory): ChatSession => ({
  id: session.sessionId,
  title: titled(session),
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

/** `texts` has what the cited memories say; of those that were forgotten it has nothing. */
export const presentMessage = (
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
