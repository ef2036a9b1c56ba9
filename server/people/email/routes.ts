import { getEmailThread, listEmailThreads, sendEmail } from '../../../shared/contract/index.ts'
import type { Mount } from '../../platform/http/route.ts'
import type { EmailSendingService } from './service.ts'

export const emailSendingRoutes = (mount: Mount, emails: EmailSendingService): void => {
  mount(sendEmail, async ({ caller, body }) => {
    await emails.send(caller, body)
    return {}
  })
  mount(listEmailThreads, ({ caller, query }) => emails.threads(caller, query))
  mount(getEmailThread, ({ caller, params, query }) =>
    emails.thread(caller, params.thread_id, query),
  )
}
