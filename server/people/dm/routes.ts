import {
  archiveDirectThread,
  listDirectMessages,
  listDirectThreads,
  readDirectThread,
  sendDirectMessage,
  startDirectThread,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { DirectMessageService } from './service.ts'

export const directMessageRoutes = (mount: Mount, messages: DirectMessageService): void => {
  mount(listDirectThreads, ({ caller, query }) => messages.list(caller, query))
  mount(startDirectThread, ({ caller, body }) => messages.start(caller, body))
  mount(listDirectMessages, ({ caller, params, query }) =>
    messages.messages(caller, params.thread_id, query),
  )
  mount(sendDirectMessage, ({ caller, params, body }) =>
    messages.send(caller, params.thread_id, body),
  )
  mount(readDirectThread, ({ caller, params }) => messages.read(caller, params.thread_id))
  mount(archiveDirectThread, ({ caller, params }) =>
    messages.toggleArchive(caller, params.thread_id),
  )
}
