import {
  archiveChatSession,
  branchChatSession,
  createChatSession,
  deleteChatSession,
  getChatSession,
  getMessageContext,
  listChatMessages,
  listChatSessions,
  moveChatSession,
  pinChatSession,
  readChatSession,
  titleChatSession,
  updateChatSession,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { ChatMessageService } from './messages.ts'
import type { ChatSessionService } from './service.ts'
import type { TitleService } from './titles.ts'

export const chatSessionRoutes = (
  mount: Mount,
  sessions: ChatSessionService,
  messages: ChatMessageService,
  titles: TitleService,
): void => {
  mount(listChatSessions, ({ caller, query }) => sessions.list(caller, query))
  mount(createChatSession, ({ caller, body }) => sessions.create(caller, body))
  mount(getChatSession, ({ caller, params }) => sessions.get(caller, params.session_id))
  mount(updateChatSession, ({ caller, params, body }) =>
    sessions.rename(caller, params.session_id, body.title),
  )
  mount(deleteChatSession, async ({ caller, params }) => {
    await sessions.delete(caller, params.session_id)
    return undefined
  })
  mount(listChatMessages, ({ caller, params, query }) =>
    messages.list(caller, params.session_id, query),
  )
  mount(getMessageContext, ({ caller, params }) =>
    messages.context(caller, params.session_id, params.message_id),
  )
  mount(branchChatSession, ({ caller, params, body }) =>
    sessions.branch(caller, params.session_id, body),
  )
  mount(titleChatSession, ({ caller, params, signal, disableIdleTimeout }) => {
    disableIdleTimeout()
    return titles.name(caller, params.session_id, signal)
  })
  mount(readChatSession, ({ caller, params }) => sessions.markRead(caller, params.session_id))
  mount(moveChatSession, ({ caller, params, body }) =>
    sessions.move(caller, params.session_id, body.category_id),
  )
  mount(pinChatSession, ({ caller, params }) => sessions.togglePin(caller, params.session_id))
  mount(archiveChatSession, ({ caller, params }) =>
    sessions.toggleArchive(caller, params.session_id),
  )
}
