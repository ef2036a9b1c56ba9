import type { Mounts } from '../platform/http/mounts.ts'
import { agentRoutes } from './agents/routes.ts'
import { categoryRoutes } from './categories/routes.ts'
import { chatRoutes } from './chat/service.ts'
import { chatSessionRoutes } from './chat-sessions/routes.ts'
import type { Conversation } from './conversation.ts'
import { fileRoutes } from './files/routes.ts'
import { suggestRoutes } from './suggest/routes.ts'
import { talkRoutes } from './talk/service.ts'
import { transcribeRoutes } from './transcribe/routes.ts'
import { urlRoutes } from './url/routes.ts'

export const serveConversation = ({ mount }: Mounts, conversation: Conversation): void => {
  chatRoutes(mount, conversation.chats)
  talkRoutes(mount, conversation.talks)
  suggestRoutes(mount, conversation.suggestions)
  categoryRoutes(mount, conversation.categories)
  chatSessionRoutes(mount, conversation.sessions, conversation.messages)
  agentRoutes(mount, conversation.agents, conversation.exchanges)
  fileRoutes(mount, conversation.files)
  transcribeRoutes(mount, conversation.transcriptions)
  urlRoutes(mount, conversation.urls)
}
