import { request } from '../harness/server.ts'
import { createOrg } from './fixtures.ts'
import type { Prepare } from './prepare.ts'

const tokenPath = (orgId: string) => `/api/orgs/${orgId}/scim/tokens`

export const withScimToken: Prepare = async (sender) => {
  const org_id = await createOrg(sender)
  const { id } = await sender.send('POST', tokenPath(org_id), { name: 'Okta' })
  return { values: { org_id, token_id: id } }
}

/** A request of an identity provider, about a new resource if there is one. */
const ofProvider =
  (path?: string, resource?: object): Prepare =>
  async (sender) => {
    const { token } = await sender.send('POST', tokenPath(await createOrg(sender)), {
      name: 'Okta',
    })
    const created =
      path &&
      (await request(sender.server, 'POST', `/api/scim/v2/${path}`, { token, body: resource }))
    return {
      headers: { authorization: `Bearer ${token}` },
      ...(created && { values: { resource_id: created.body.id } }),
    }
  }

/** A request for one of the documents that describe what SCIM supports. */
const named =
  (name: string): Prepare =>
  async (sender) => ({ ...(await ofProvider()(sender)), values: { name } })

const ofResource = (noun: string, path: string, resource: object) => ({
  ...Object.fromEntries(
    [`listScim${noun}s`, `searchScim${noun}s`, `createScim${noun}`].map((row) => [
      row,
      ofProvider(),
    ]),
  ),
  ...Object.fromEntries(
    ['get', 'replace', 'patch', 'delete'].map((verb) => [
      `${verb}Scim${noun}`,
      ofProvider(path, resource),
    ]),
  ),
})

/** By the names of the endpoints. */
export const scimPreparations: Record<string, Prepare> = {
  revokeScimToken: withScimToken,
  scimServiceProviderConfig: ofProvider(),
  scimResourceTypes: ofProvider(),
  scimSchemas: ofProvider(),
  scimResourceType: named('User'),
  scimSchema: named('urn:ietf:params:scim:schemas:core:2.0:User'),
  ...ofResource('User', 'Users', { userName: 'ben@example.com' }),
  ...ofResource('Group', 'Groups', { displayName: 'Research' }),
}
