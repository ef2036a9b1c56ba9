import type { ContentPart, Message } from '../../platform/models/types.ts'
import { LOCAL_ANSWER_PLACEHOLDER } from '../../prompt/local-answer.ts'
import { imagePart, type MessageContent, messageText } from '../../prompt/message-content.ts'
import type { ChatMessageRow } from '../chat-sessions/table.ts'

/** A stored message with its attachments. */
export const toMessageContent = (row: ChatMessageRow): MessageContent => ({
  message: row.content,
  blocks: row.contentBlocks,
  fileIds: row.fileIds,
  snapshotHash: row.urlSnapshotHash,
})

/** A notice is a message of a reflex: it replies to no question. */
export const isNotice = ({ role, replyTo }: ChatMessageRow): boolean =>
  role === 'assistant' && replyTo === null

/** Replaces a notice in the history: its text may come from a third party, so it is quoted as data. */
const NOTICE_PLACEHOLDER = '(A reflex of the user posted a notice here; the notes quote it.)'

/** A stored message as a prompt's history contains it. */
export const toModelMessage = (row: ChatMessageRow): Message => {
  if (isNotice(row)) return { role: 'assistant', content: NOTICE_PLACEHOLDER }
  if (row.role === 'assistant') {
    const content = row.provider === 'local' ? LOCAL_ANSWER_PLACEHOLDER : row.content
    return { role: 'assistant', content }
  }
  const text = messageText(toMessageContent(row))
  const images = row.contentBlocks.flatMap((block) => imagePart(block) ?? [])
  if (images.length === 0) return { role: 'user', content: text }
  const parts: ContentPart[] = [{ type: 'text', text }, ...images]
  return { role: 'user', content: parts }
}
