import {
  archiveDirectThread,
  listDirectMessages,
  listDirectThreads,
  readDirectThread,
  sendDirectMessage,
  startDirectThread,
} from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { DirectMessageService } from './messages.ts'
import type { DirectThreadService } from './threads.ts'

export const directMessageRoutes = (
  mount: Mount,
  threads: DirectThreadService,
  messages: DirectMessageService,
): void => {
  mount(listDirectThreads, ({ caller, query }) => threads.list(caller, query))
  mount(startDirectThread, ({ caller, body }) => threads.start(caller, body))
  mount(readDirectThread, ({ caller, params }) => threads.read(caller, params.thread_id))
  mount(archiveDirectThread, ({ caller, params }) =>
    threads.toggleArchive(caller, params.thread_id),
  )
  mount(listDirectMessages, ({ caller, params, query }) =>
    messages.list(caller, params.thread_id, query),
  )
  mount(sendDirectMessage, ({ caller, params, body }) =>
    messages.send(caller, params.thread_id, body),
  )
}
