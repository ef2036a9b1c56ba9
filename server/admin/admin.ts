import type { Account } from '../account/account.ts'
import type { Billing } from '../billing/billing.ts'
import type { AppDeps } from '../deps.ts'
import type { Memory } from '../memory/memory.ts'
import { createAuditOverviewService } from './audit/service.ts'
import { createConfigurationService } from './configuration/service.ts'
import { createHistoryService } from './history/service.ts'
import { createQueueService } from './queues/service.ts'
import { createStatsService } from './stats/service.ts'
import { createUserAdminService } from './users/service.ts'

export type Admin = ReturnType<typeof createAdmin>

/** User management and what operators need to know about the server. */
export const createAdmin = (
  { config, database, jobs }: AppDeps,
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
  users: createUserAdminService(database, {
    sessions,
    audit,
    accounts,
    adminEmails: config.adminEmails,
  }),
  stats: createStatsService(database, jobs, engineControl),
  configuration: createConfigurationService(config),
  queues: createQueueService(database, jobs),
  history: createHistoryService(database),
  auditOverview: createAuditOverviewService(database),
})
