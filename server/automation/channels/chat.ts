import { postNotice } from '../../conversation/chat-sessions/notices.ts'
import type { Channel } from '../firings/firing.ts'
import { updateReflexRow } from '../firings/reflex-store.ts'

/** Sends to the chat session of the reflex. */
export const createChatChannel = (): Channel => ({
  name: 'chat',
  version: '1.0.0',
  category: 'person',
  ref: 'automation/channels/chat',
  async send(tx, { owner, reflex }, { title, text }) {
    const sessionId = await postNotice(tx, owner.userId, {
      sessionId: reflex.chatSessionId,
      title: reflex.name,
      content: title === reflex.name ? text : `**${title}**\n\n${text}`,
      initiatedBy: 'reflex',
    })
    if (sessionId !== reflex.chatSessionId)
      await updateReflexRow(tx, reflex, { chatSessionId: sessionId })
  },
})
