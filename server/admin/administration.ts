import type { Account } from '../account/account.ts'
import type { Billing } from '../billing/billing.ts'
import type { Memory } from '../memory/memory.ts'
import type { Surroundings } from '../surroundings.ts'
import { createStatsService } from './stats/service.ts'
import { createUserAdministration } from './users/service.ts'

export type Administration = ReturnType<typeof createAdministration>

/** What an operator sees and does. */
export const createAdministration = (
  { config, database, jobs }: Surroundings,
  {
    account: { sessions, audit },
    billing: { accounts },
    memory: { engineControl },
  }: {
    account: Pick<Account, 'sessions' | 'audit'>
    billing: Pick<Billing, 'accounts'>
    memory: Pick<Memory, 'engineControl'>
  },
) => ({
  users: createUserAdministration(database, {
    sessions,
    audit,
    accounts,
    adminEmails: config.adminEmails,
  }),
  stats: createStatsService(database, jobs, engineControl),
})
