import type { AllowedClients } from '../../../../shared/contract/allowed-clients.ts'
import { getAllowedClients, setAllowedClients } from '../../../../shared/contract/index.ts'
import type { Database, Db } from '../../../platform/db/database.ts'
import type { Caller } from '../../../platform/http/caller.ts'
import { commonError } from '../../../platform/http/error.ts'
import type { Mount } from '../../../platform/http/route.ts'
import {
  checkKeyScope,
  checkOwner,
  lockOrgAsMember,
  recordOrgAudit,
} from '../../organizations/rights.ts'
import { findAllowedClients, listUsedClients, saveAllowedClients } from './allowed-clients-store.ts'
import { listManagedClients } from './client-store.ts'

/** The OAuth clients that may act in an organization. Tokens of others find no grant. */
export type AllowedClientService = ReturnType<typeof createAllowedClients>

export const createAllowedClients = ({ db }: Database) => ({
  /** @throws ApiError 403 for a caller who is not a member. */
  get: (caller: Caller, orgId: string): Promise<AllowedClients> => read(db, caller, orgId),

  /** @param clientIds null for all. @throws ApiError 403 for a caller who is not an owner. */
  set(caller: Caller, orgId: string, clientIds: string[] | null): Promise<AllowedClients> {
    return db.transaction(async (tx) => {
      const { org, role } = await lockOrgAsMember(tx, caller, orgId)
      checkOwner(role)
      await saveAllowedClients(tx, org.id, clientIds)
      await recordOrgAudit(tx, 'org.allowed_clients_changed', org.id, {
        by: caller.userId,
        details: { clients: clientIds === null ? 'all' : String(clientIds.length) },
      })
      return read(tx, caller, org.id)
    })
  },
})

const read = async (db: Db, caller: Caller, orgId: string): Promise<AllowedClients> => {
  checkKeyScope(caller, orgId)
  const found = await findAllowedClients(db, caller.userId, orgId)
  if (!found) throw commonError('not_org_member')
  const used = await listUsedClients(db, orgId)
  const known = new Map(
    (await listManagedClients(db)).map(({ id, name }) => [id, { name, in_use: false }]),
  )
  for (const { clientId, name } of used) known.set(clientId, { name, in_use: true })
  return {
    client_ids: found.clientIds,
    known: [...known].map(([client_id, client]) => ({ client_id, ...client })),
  }
}

export const allowedClientRoutes = (mount: Mount, clients: AllowedClientService): void => {
  mount(getAllowedClients, ({ caller, params }) => clients.get(caller, params.org_id))
  mount(setAllowedClients, ({ caller, params, body }) =>
    clients.set(caller, params.org_id, body.client_ids),
  )
}
