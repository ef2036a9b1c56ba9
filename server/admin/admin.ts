import {
  adminAuditLog,
  adminConfiguration,
  adminHistory,
  adminQueues,
  adminStats,
  exportAudit,
  readLogs,
} from '../../shared/contract/index.ts'
import type { AccountServices } from '../account/account.ts'
import type { DeletionService } from '../account/users/deletion.ts'
import { createIsAdmin } from '../account/users/user.ts'
import type { Core } from '../feature.ts'
import type { MemoryServices } from '../memory/memory.ts'
import type { Db } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import type { Mounts } from '../platform/http/mounts.ts'
import type { UsageServices } from '../usage/usage.ts'
import { requireAdmin } from './admin-check.ts'
import { createAuditOverviewService } from './audit-log.ts'
import { createAdminImpersonationService, impersonationRoutes } from './impersonation.ts'
import { createLogService } from './logs.ts'
import { oauthClientRoutes } from './oauth-clients.ts'
import { serverSettingsRoutes } from './settings/routes.ts'
import { createServerSettingsService } from './settings/service.ts'
import { createSettingTests } from './settings/testing/setting-tests.ts'
import { signingKeyRoutes } from './signing-keys.ts'
import {
  createConfigurationService,
  createHistoryService,
  createQueueService,
  createStatsService,
} from './statistics.ts'
import { createUserAccountService, userAccountRoutes } from './user-accounts.ts'
import { createUserAdminService, userAdminRoutes } from './users.ts'

export type Admin = ReturnType<typeof createAdmin>

/** User management and what operators need to know about the server. */
export const createAdmin = (
  {
    config,
    baseUrl,
    database,
    jobs,
    log,
    findLines,
    settings,
    settingsCatalog: catalog,
    mailer,
  }: Core,
  {
    account,
    deletion,
    usage: { accounts },
    memory: { engineControl },
  }: {
    account: Pick<
      AccountServices,
      | 'sessions'
      | 'audit'
      | 'signingKeys'
      | 'impersonations'
      | 'managedClients'
      | 'registration'
      | 'emailChanges'
      | 'links'
      | 'resetFactors'
      | 'signUpPolicy'
    >
    deletion: Pick<DeletionService, 'lock' | 'erase' | 'forget'>
    usage: Pick<UsageServices, 'accounts'>
    memory: Pick<MemoryServices, 'engineControl'>
  },
) => ({
  /** @throws ApiError 403 if the caller is no longer an admin. */
  require: (tx: Db, caller: Caller): Promise<void> =>
    requireAdmin(tx, caller, createIsAdmin(config.adminEmails)),
  users: createUserAdminService(database, {
    sessions: account.sessions,
    audit: account.audit,
    accounts,
    adminEmails: config.adminEmails,
  }),
  userAccounts: createUserAccountService({
    database,
    mailer,
    baseUrl,
    account,
    deletion,
    adminEmails: config.adminEmails,
  }),
  impersonations: createAdminImpersonationService({
    database,
    mailer,
    baseUrl,
    impersonations: account.impersonations,
    audit: account.audit,
    isAdmin: createIsAdmin(config.adminEmails),
  }),
  stats: createStatsService(database, jobs, engineControl),
  configuration: createConfigurationService(config),
  queues: createQueueService(database, jobs),
  history: createHistoryService(database),
  auditOverview: createAuditOverviewService(database),
  signingKeys: account.signingKeys,
  managedClients: account.managedClients,
  logs: createLogService(findLines),
  settings: createServerSettingsService({
    database,
    settings,
    catalog,
    audit: account.audit,
    isAdmin: createIsAdmin(config.adminEmails),
    tests: createSettingTests({ baseUrl, log }),
  }),
})

export const serveAdmin = ({ mount }: Mounts, admin: Admin): void => {
  userAdminRoutes(mount, admin.users)
  userAccountRoutes(mount, admin.userAccounts)
  signingKeyRoutes(mount, admin.signingKeys)
  oauthClientRoutes(mount, admin.managedClients)
  serverSettingsRoutes(mount, admin.settings)
  mount(readLogs, ({ query }) => admin.logs.read(query))
  impersonationRoutes(mount, admin.impersonations)
  mount(adminStats, () => admin.stats.read())
  mount(adminConfiguration, () => admin.configuration.read())
  mount(adminQueues, () => admin.queues.read())
  mount(adminHistory, ({ query }) => admin.history.read(query.days))
  mount(adminAuditLog, ({ caller, query }) => admin.auditOverview.list(caller, query))
  mount(exportAudit, ({ caller, query }) => admin.auditOverview.export(caller, query))
}
