import type { Account } from '../account/account.ts'
import type { DeletionService } from '../account/users/deletion.ts'
import type { Billing } from '../billing/billing.ts'
import { defineFeature } from '../feature.ts'
import type { MemoryServices } from '../memory/memory.ts'
import { createAdmin, serveAdmin } from './admin.ts'

interface Needs {
  account: Account
  deletion: DeletionService
  billing: Pick<Billing, 'accounts'>
  memory: Pick<MemoryServices, 'engineControl'>
}

/** Users, settings and the state of the server, for its operators. */
export const admin = defineFeature({
  name: 'admin',
  start: (core, needs: Needs) => createAdmin(core, needs),
  serve: serveAdmin,
})
