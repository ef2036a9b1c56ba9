import { expect } from 'bun:test'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import {
  type Answer,
  type RequestOptions,
  request,
  type TestServer,
  type TestUser,
} from '../harness/server.ts'

export const CORE = 'urn:ietf:params:scim:schemas:core:2.0'
export const MESSAGES = 'urn:ietf:params:scim:api:messages:2.0'
export const NO_ID = '01a1fdd5-1d91-733f-bcad-fcb5b119e8f9'

/** An organization with a SCIM token, and an identity provider that uses it. */
export interface Provider {
  owner: TestUser
  org: { id: string }
  token: string
  /** A domain of this organization only. */
  domain: string
  /** Sends a request below /api/scim/v2. */
  send(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer>
  /** A user with an address at the domain. */
  user(name?: string): Record<string, unknown> & { userName: string }
  patch(id: string, ...operations: object[]): Promise<Answer>
  /** Creates a user and returns its resource. */
  create(user: object): Promise<{ id: string; userName: string; meta: { version: string } }>
  members(): Promise<{ user_id: string; email: string; role: string }[]>
}

/** Marks a domain as verified by an organization, as the DNS record does. */
export const verifyDomain = (server: TestServer, orgId: string, domain: string) =>
  runSql(
    server.database,
    `insert into organization_domains (id, org_id, domain, token, joins, verified_at)
     values (gen_random_uuid(), '${orgId}', '${domain}', '${crypto.randomUUID()}', false, now())`,
  )

/** Gives an organization more seats. */
export const giveSeats = (server: TestServer, owner: TestUser, tier = 'conscious') =>
  runSql(server.database, `update users set tier = '${tier}' where id = '${owner.id}'`)

/** A new organization, whose domain is verified unless `isVerified` is false. */
export const newProvider = async (server: TestServer, isVerified = true): Promise<Provider> => {
  const owner = await newVerifiedUser(server)
  await giveSeats(server, owner)
  const call = (method: string, path: string, body?: object) =>
    request(server, method, `/api/${path}`, { token: owner.accessToken, ...(body && { body }) })
  const { body: org } = await call('POST', 'orgs', { name: 'Analytics' })
  const { body } = await call('POST', `orgs/${org.id}/scim/tokens`, { name: 'Okta' })
  const domain = `${crypto.randomUUID().slice(0, 13)}.example.com`
  if (isVerified) await verifyDomain(server, org.id, domain)
  const send: Provider['send'] = (method, path, sent, { headers, ...options } = {}) =>
    request(server, method, `/api/scim/v2/${path}`, {
      token: body.token,
      ...options,
      ...(sent !== undefined && { body: sent }),
      headers: {
        ...(sent !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
    })
  return {
    owner,
    org,
    domain,
    send,
    token: body.token,
    user(name = crypto.randomUUID().slice(0, 8)) {
      const email = `${name}@${domain}`
      return {
        schemas: [`${CORE}:User`],
        userName: email,
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        emails: [{ primary: true, value: email, type: 'work' }],
        active: true,
      }
    },
    patch: (id, ...Operations) =>
      send('PATCH', `Users/${id}`, { schemas: [`${MESSAGES}:PatchOp`], Operations }),
    async create(user) {
      const created = await send('POST', 'Users', user)
      if (created.status !== 201) throw new Error(`not created: ${created.text}`)
      return created.body
    },
    members: async () => (await call('GET', `orgs/${org.id}/members`)).body,
  }
}

/** The parts of an error response. */
export const errorOf = ({ status, headers, body }: Answer) => {
  expect(headers.get('content-type')).toBe('application/scim+json')
  expect([body.schemas, body.status]).toEqual([[`${MESSAGES}:Error`], String(status)])
  expect(body.detail).toBeString()
  return [status, body.scimType]
}
