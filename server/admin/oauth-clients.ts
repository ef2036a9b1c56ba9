import {
  createManagedClient,
  deleteManagedClient,
  listManagedClients,
  rotateClientSecret,
  updateManagedClient,
} from '../../shared/contract/index.ts'
import type { AccountServices } from '../account/account.ts'
import type { Mount } from '../platform/http/route.ts'

/** The apps that an admin registers for “Sign in with svc”. */
export const oauthClientRoutes = (
  mount: Mount,
  clients: AccountServices['managedClients'],
): void => {
  mount(listManagedClients, () => clients.list())
  mount(createManagedClient, ({ caller: { userId }, client: { ip }, body }) =>
    clients.create({ userId, ip }, body),
  )
  mount(updateManagedClient, ({ caller: { userId }, client: { ip }, params, body }) =>
    clients.update({ userId, ip }, params.client_id.toLowerCase(), body),
  )
  mount(deleteManagedClient, async ({ caller: { userId }, client: { ip }, params }) => {
    await clients.delete({ userId, ip }, params.client_id.toLowerCase())
    return undefined
  })
  mount(rotateClientSecret, async ({ caller: { userId }, client: { ip }, params }) => ({
    client_secret: await clients.rotateSecret({ userId, ip }, params.client_id.toLowerCase()),
  }))
}
