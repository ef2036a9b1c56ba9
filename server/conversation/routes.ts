import type { Mounts } from '../platform/http/mounts.ts'
import { agentRoutes } from './agents/routes.ts'
import { chatRoutes } from './chat/service.ts'
import { categoryRoutes } from './chat-sessions/categories.ts'
import { chatSessionRoutes } from './chat-sessions/routes.ts'
import type { Conversation } from './conversation.ts'
import { fileRoutes } from './files/service.ts'
import { suggestRoutes } from './suggest/service.ts'
import { talkRoutes } from './talk/service.ts'
import { transcribeRoutes } from './transcribe/service.ts'
import { urlRoutes } from './url/service.ts'

export const serveConversation = ({ mount }: Mounts, conversation: Conversation): void => {
  chatRoutes(mount, conversation.chats, conversation.models)
  talkRoutes(mount, conversation.talks)
  suggestRoutes(mount, conversation.suggestions)
  categoryRoutes(mount, conversation.categories)
  chatSessionRoutes(mount, conversation.chatSessions, conversation.messages, conversation.titles)
  agentRoutes(mount, conversation.agents, conversation.exchanges)
  fileRoutes(mount, conversation.files)
  transcribeRoutes(mount, conversation.transcriptions)
  urlRoutes(mount, conversation.urls)
}
