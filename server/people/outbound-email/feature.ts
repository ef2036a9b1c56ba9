import type { Billing } from '../../billing/billing.ts'
import { defineFeature } from '../../feature.ts'
import { startEmailSending } from './service.ts'

/** Email that people send from here. */
export const emails = defineFeature({
  name: 'emails',
  start: ({ database, jobs, mailer }, { billing }: { billing: Pick<Billing, 'usage'> }) =>
    startEmailSending({ database, jobs, mailer, usage: billing.usage }),
  endings: ({ erase }) => ({ user: [{ run: (tx, { id }) => erase(tx, id) }] }),
})
