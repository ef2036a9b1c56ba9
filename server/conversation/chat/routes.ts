import { chat, chatStream, regenerate } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { ChatService } from './service.ts'

export const chatRoutes = (mount: Mount, chats: ChatService): void => {
  mount(chat, ({ caller, body, signal, disableIdleTimeout }) => {
    disableIdleTimeout()
    return chats.send(caller, body, signal)
  })
  mount(chatStream, ({ caller, body, signal }) => chats.stream(caller, body, signal))
  mount(regenerate, async ({ caller, body, signal, wantsStream, disableIdleTimeout }) => {
    if (wantsStream) return chats.streamRegenerated(caller, body, signal)
    disableIdleTimeout()
    await chats.regenerate(caller, body, signal)
    return null
  })
}
