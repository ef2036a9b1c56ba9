import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { runSql } from '../harness/http.ts'
import { type Person, person } from '../harness/oauth-provider.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../harness/openid-provider.ts'
import { newUser, request, startServer, type TestServer } from '../harness/server.ts'
import { APP } from './oauth-sign-in-support.ts'
import { begin, follow } from './openid-support.ts'
import { newProvider, type Provider } from './scim-support.ts'

setDefaultTimeout(120_000)

let started: { provider: OpenIdProvider; server: TestServer } | undefined
beforeAll(async () => {
  const provider = await startOpenIdProvider()
  const server = await startServer({
    ...provider.env('WORKS', 'Example Works'),
    SVC_FRONTEND_ORIGINS: APP,
  })
  await provider.serve(server.baseUrl, 'works')
  started = { provider, server }
}, 120_000)
afterAll(async () => {
  await started?.server.stop()
  await started?.provider[Symbol.asyncDispose]()
})
const running = () => {
  if (!started) throw new Error('the server starts before the tests')
  return started
}

const signIn = async (who: Person) => {
  const { authorizeUrl, cookie } = await begin(running().server, 'works')
  const { landing } = await follow(
    running().server,
    await running().provider.agree(authorizeUrl, who),
    cookie,
  )
  const { token, error } = landing as { token?: string; error?: string }
  if (!token) return { error }
  const { body } = await request(running().server, 'GET', '/api/auth/me', { token })
  return { id: body.id as string }
}

const allow = ({ owner, org }: Provider, managed_sign_in: string[] | null) =>
  request(running().server, 'PATCH', `/api/orgs/${org.id}/policies`, {
    token: owner.accessToken,
    body: { managed_sign_in },
  })

/** An organization whose owner allowed the provider once, and a person whom SCIM created. */
const provisioned = async (isVerified = true) => {
  const scim = await newProvider(running().server, isVerified)
  expect((await allow(scim, ['works'])).status).toBe(200)
  const user = scim.user()
  const { id } = await scim.create(user)
  return { scim, scimId: id, who: { ...person(), email: user.userName } }
}

const sql = (statement: string) => runSql(running().server.database, statement)
const NOT_CONNECTED = { error: 'not_connected' }

test('a user of SCIM signs in through the provider that an owner allowed, again and by another address', async () => {
  const { scim, who } = await provisioned()
  const first = await signIn(who)
  const members = await scim.members()
  expect(members.find(({ email }) => email === who.email)?.user_id).toBe(first.id ?? '')
  expect(await signIn({ ...who, email: 'another@example.com' })).toEqual(first)
  // The connection is that of the user, so the policy may end.
  expect((await allow(scim, null)).status).toBe(200)
  expect(await signIn(who)).toEqual(first)
})

type Case = [name: string, change: (made: Awaited<ReturnType<typeof provisioned>>) => unknown]
const REFUSED: Case[] = [
  ['without the policy', ({ scim }) => allow(scim, null)],
  [
    'with a policy for another provider',
    ({ scim }) =>
      sql(
        `update orgs set policies = '{"managed_sign_in": ["others"]}' where id = '${scim.org.id}'`,
      ),
  ],
  [
    'at a domain that is no longer verified',
    ({ scim }) =>
      sql(`update organization_domains set verified_at = null where org_id = '${scim.org.id}'`),
  ],
  [
    'of an account that its owner created before',
    ({ who }) => sql(`update users set managed_by_org_id = null where email = '${who.email}'`),
  ],
  [
    'of an account that left the organization',
    ({ who }) =>
      sql(
        `delete from org_members where user_id = (select id from users where email = '${who.email}')`,
      ),
  ],
]

for (const [name, change] of REFUSED)
  test(`a sign-in ${name} opens no account`, async () => {
    const made = await provisioned()
    await change(made)
    expect(await signIn(made.who)).toEqual(NOT_CONNECTED)
  })

test('a provider that says nothing of the address, as Entra ID, opens the account', async () => {
  const { scim, who } = await provisioned()
  const { id = '' } = await signIn({ ...who, verified: undefined })
  expect((await scim.members()).map(({ user_id }) => user_id)).toContain(id)
})

test('an address that the provider does not verify opens no account', async () => {
  const { who } = await provisioned()
  expect(await signIn({ ...who, verified: false })).toEqual(NOT_CONNECTED)
})

test('a user whom SCIM deactivated does not sign in', async () => {
  const { scim, scimId, who } = await provisioned()
  await scim.patch(scimId, { op: 'replace', path: 'active', value: false })
  expect((await signIn(who)).error).toBeString()
  await scim.patch(scimId, { op: 'replace', path: 'active', value: true })
  expect((await signIn(who)).id).toBeString()
})

test('an organization without the domain opens no account by a provider', async () => {
  const { scim } = await provisioned(false)
  const victim = await newUser(running().server)
  await scim.create({ userName: victim.email })
  expect(await signIn({ ...person(), email: victim.email })).toEqual(NOT_CONNECTED)
})

test('only an owner changes the policy, to providers of the server', async () => {
  const { server } = running()
  const scim = await newProvider(server)
  const admin = await newUser(server)
  await sql(
    `insert into org_members (org_id, user_id, role) values ('${scim.org.id}', '${admin.id}', 'admin')`,
  )
  const byAdmin = await allow({ ...scim, owner: admin }, ['works'])
  expect([byAdmin.status, byAdmin.body.detail]).toEqual([
    403,
    'Only an owner of the organization can do this',
  ])
  for (const names of [['password'], ['unknown'], []])
    expect((await allow(scim, names)).status).toBe(422)
})
