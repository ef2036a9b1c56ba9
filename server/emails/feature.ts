import { getEmailThread, listEmailThreads, sendEmail } from '../../shared/contract/index.ts'
import { defineFeature } from '../feature.ts'
import type { UsageServices } from '../usage/usage.ts'
import { startEmailSending } from './service.ts'
import { createEmailThreadService } from './threads.ts'

/** Emails that people send from here, and their threads. */
export const emails = defineFeature({
  name: 'emails',
  start: ({ database, jobs, mailer }, { usage }: { usage: Pick<UsageServices, 'counts'> }) => ({
    ...startEmailSending({ database, jobs, mailer, usage: usage.counts }),
    threads: createEmailThreadService(database),
  }),
  endings: ({ erase }) => ({ user: [{ run: (tx, { id }) => erase(tx, id) }] }),
  serve({ mount }, { send, threads }) {
    mount(sendEmail, async ({ caller, body }) => {
      await send(caller, body)
      return {}
    })
    mount(listEmailThreads, ({ caller, query }) => threads.list(caller, query))
    mount(getEmailThread, ({ caller, params, query }) =>
      threads.get(caller, params.thread_id, query),
    )
  },
})
