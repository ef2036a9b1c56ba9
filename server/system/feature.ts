import packageJson from '../../package.json'
import { featureStates } from '../../shared/features.ts'
import type { AccountServices } from '../account/account.ts'
import type { ActivityService } from '../account/activity/service.ts'
import { defineFeature } from '../feature.ts'
import type { MemoryServices } from '../memory/memory.ts'
import type { Db } from '../platform/db/database.ts'
import type { Caller } from '../platform/http/caller.ts'
import { servePageScripts } from '../platform/http/page.ts'
import { serveTypeface } from '../platform/http/typeface.ts'
import { formatSecrets } from '../platform/secrets/auth-secret.ts'
import { isStored } from '../platform/settings/service.ts'
import { activityRoutes, createActivityReader } from './activity/service.ts'
import { backupRoutes, startBackupService } from './backup/service.ts'
import { createConsoleAssets } from './console/assets.ts'
import { serveConsole } from './console/pages.ts'
import {
  databasePart,
  embeddingPart,
  modelParts,
  recallPart,
  replicaParts,
  requestsPart,
  writesPart,
} from './health/parts.ts'
import { createHealthService, healthRoutes } from './health/service.ts'

/** Backups that admins and a schedule request. */
export const backups = defineFeature({
  name: 'backups',
  start: (
    { config, settings, authSecrets, ...core },
    {
      account,
      admin,
    }: {
      account: Pick<AccountServices, 'audit'>
      admin: { require(tx: Db, caller: Caller): Promise<void> }
    },
  ) =>
    startBackupService({
      ...core,
      audit: account.audit,
      requireAdmin: admin.require,
      authSecret: formatSecrets(authSecrets),
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      readSettings: () => config.backup,
      hasPassphrase: () => isStored(settings.current().get('SVC_BACKUP_PASSPHRASE')),
      onChange: settings.onChange,
    }),
  serve: ({ mount }, backups) => backupRoutes(mount, backups),
  stop: (backups) => [{ name: 'backups', stop: backups.stop }],
})

/** The activity, with the memories that it names. */
export const activityReader = defineFeature({
  name: 'activityReader',
  start: (
    _,
    needs: {
      activity: ActivityService
      account: Pick<AccountServices, 'questionPreference'>
      memory: Pick<MemoryServices, 'memories' | 'feedback' | 'introspect'>
    },
  ) =>
    createActivityReader(needs.activity, {
      ...needs.memory,
      questions: needs.account.questionPreference,
    }),
  serve: ({ mount }, reader) => activityRoutes(mount, reader),
})

/** Whether the server can work, and what is wrong if not. */
export const health = defineFeature({
  name: 'health',
  start: (
    { config, database, models, writes, admission, duties, stopping },
    { memory }: { memory: Pick<MemoryServices, 'recalls' | 'vectors'> },
  ) =>
    createHealthService(
      () => [
        databasePart(database),
        ...replicaParts(database.reads),
        writesPart(writes),
        requestsPart(admission),
        recallPart(memory.recalls),
        ...modelParts(models),
        embeddingPart(memory.vectors),
      ],
      {
        version: packageJson.version,
        role: duties.role,
        features: featureStates(config.featuresOff),
        isDraining: () => stopping.aborted,
      },
    ),
  serve: ({ mount }, health) => healthRoutes(mount, health),
})

/** The console, and the scripts of pages. */
export const consolePages = defineFeature({
  name: 'consolePages',
  start: ({ config }) => ({
    assets: createConsoleAssets(config.dataDir),
    featuresOff: [...config.featuresOff],
  }),
  serve({ app, http }, { assets, featuresOff }) {
    servePageScripts(app)
    serveTypeface(app)
    serveConsole(app, assets, { basePath: http.basePath, featuresOff })
  },
})
