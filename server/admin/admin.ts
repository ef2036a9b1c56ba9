import {
  adminAuditLog,
  adminConfiguration,
  adminHistory,
  adminQueues,
  adminStats,
  readLogs,
} from '../../shared/contract/index.ts'
import type { Account } from '../account/account.ts'
import type { Billing } from '../billing/billing.ts'
import type { AppDeps } from '../deps.ts'
import type { MemoryServices } from '../memory/memory.ts'
import type { Mounts } from '../platform/http/mounts.ts'
import { type AuditOverviewService, createAuditOverviewService } from './audit-log.ts'
import { createLogService, type LogService } from './logs.ts'
import { serverSettingsRoutes } from './settings/routes.ts'
import { createServerSettingsService, type ServerSettingsService } from './settings/service.ts'
import { createTrials } from './settings/trials/trials.ts'
import { signingKeyRoutes } from './signing-keys.ts'
import {
  type ConfigurationService,
  createConfigurationService,
  createHistoryService,
  createQueueService,
  createStatsService,
  type HistoryService,
  type QueueService,
  type StatsService,
} from './statistics.ts'
import { createUserAdminService, type UserAdminService, userAdminRoutes } from './users.ts'

export interface Admin {
  users: UserAdminService
  stats: StatsService
  configuration: ConfigurationService
  queues: QueueService
  history: HistoryService
  auditOverview: AuditOverviewService
  signingKeys: Account['signingKeys']
  settings: ServerSettingsService
  logs: LogService
}

/** User management and what operators need to know about the server. */
export const createAdmin = (
  { config, baseUrl, database, jobs, log, findLines, settings, settingsCatalog: catalog }: AppDeps,
  {
    account: { sessions, audit, signingKeys },
    billing: { accounts },
    memory: { engineControl },
  }: {
    account: Pick<Account, 'sessions' | 'audit' | 'signingKeys'>
    billing: Pick<Billing, 'accounts'>
    memory: Pick<MemoryServices, 'engineControl'>
  },
): Admin => ({
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
  signingKeys,
  logs: createLogService(findLines),
  settings: createServerSettingsService({
    ...{ database, settings, catalog, audit },
    trials: createTrials({ baseUrl, log }),
  }),
})

export const serveAdmin = ({ mount }: Mounts, admin: Admin): void => {
  userAdminRoutes(mount, admin.users)
  signingKeyRoutes(mount, admin.signingKeys)
  serverSettingsRoutes(mount, admin.settings)
  mount(readLogs, ({ query }) => admin.logs.read(query))
  mount(adminStats, () => admin.stats.read())
  mount(adminConfiguration, () => admin.configuration.read())
  mount(adminQueues, () => admin.queues.read())
  mount(adminHistory, ({ query }) => admin.history.read(query.days))
  mount(adminAuditLog, ({ query }) => admin.auditOverview.list(query))
}
