import type { ChatSessionService } from '../../conversation/sessions/service.ts'
import { changeReflex } from '../reflexes/store.ts'
import type { Channel } from './channel.ts'

/** In a session of chat that the reflex has for itself. */
export const createChat = (sessions: Pick<ChatSessionService, 'tell'>): Channel => ({
  name: 'chat',
  version: '1.0.0',
  category: 'person',
  ref: 'automation/channels/chat',
  async tell(tx, { person, reflex }, { title, text }) {
    const sessionId = await sessions.tell(tx, person.userId, {
      sessionId: reflex.chatSessionId,
      title: reflex.name,
      content: title === reflex.name ? text : `**${title}**\n\n${text}`,
      initiatedBy: 'reflex',
    })
    if (sessionId !== reflex.chatSessionId)
      await changeReflex(tx, reflex, { chatSessionId: sessionId })
  },
})
