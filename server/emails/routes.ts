import { getEmailThread, listEmailThreads, sendEmail } from '../../shared/contract/index.ts'
import type { Mount } from '../platform/http/route.ts'
import type { EmailSendingService } from './service.ts'
import type { EmailThreadService } from './threads.ts'

export const emailSendingRoutes = (
  mount: Mount,
  emails: EmailSendingService,
  threads: EmailThreadService,
): void => {
  mount(sendEmail, async ({ caller, body }) => {
    await emails.send(caller, body)
    return {}
  })
  mount(listEmailThreads, ({ caller, query }) => threads.list(caller, query))
  mount(getEmailThread, ({ caller, params, query }) => threads.get(caller, params.thread_id, query))
}
