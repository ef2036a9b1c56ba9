import { endpointsOf } from '../../../shared/contract/endpoint.ts'
import * as userImportRows from '../../../shared/contract/user-import.ts'
import type { AuditService } from '../../account/users/audit/service.ts'
import { createIsAdmin } from '../../account/users/user.ts'
import { defineOptionalFeature } from '../../feature.ts'
import { createPace } from '../../platform/request-rate.ts'
import { createUserImportService, userImportRoutes } from './service.ts'

/** The share of the time that an import gets while other requests arrive. */
const IMPORT_SHARE = 1 / 10

/** The import of users with the password hashes of another system. */
export const userImport = defineOptionalFeature({
  name: 'userImport',
  option: 'user-import',
  rows: endpointsOf(userImportRows),
  start: (
    { database, config, cipher, requestRate },
    { account: { audit } }: { account: { audit: Pick<AuditService, 'record' | 'recordNewUsers'> } },
  ) =>
    createUserImportService({
      database,
      audit,
      cipher,
      isAdmin: createIsAdmin(config.adminEmails),
      adminEmails: config.adminEmails,
      defaultTier: () => config.defaultTier,
      pace: createPace(requestRate, IMPORT_SHARE),
    }),
  serve: ({ mount }, userImport) => userImportRoutes(mount, userImport),
})
