import { expect, test } from 'bun:test'
import { BASE_URL, newVerifiedUser, runSql } from '../harness/http.ts'
import { PASSWORD, request, startServer, useServer } from '../harness/server.ts'
import { newProvider } from './scim-support.ts'

const server = useServer({ SVC_BASE_URL: BASE_URL })

/** Statuses that a request may get while others change the same organization. */
const ALLOWED = [200, 201, 204, 401, 403, 404, 409, 410, 412, 503]

test('two processes that provision one user make one account and one membership', async () => {
  const provider = await newProvider(server.current)
  await using two = await startServer({ SVC_BASE_URL: BASE_URL }, server.current.database)
  const send = (on: { url: string }) =>
    request(on, 'POST', '/api/scim/v2/Users', { token: provider.token, body: provider.user('one') })
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) => send(i % 2 ? two : server.current)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)])
  const rows = await runSql(
    server.current.database,
    `select from users where email = 'one@${provider.domain}'`,
  )
  expect([rows.length, (await provider.members()).length]).toEqual([1, 2])
})

test('a sign-up and SCIM that race for one address make one account', async () => {
  const provider = await newProvider(server.current)
  for (const name of ['a', 'b', 'c']) {
    const email = `${name}@${provider.domain}`
    const body = { email, password: PASSWORD, confirm_password: PASSWORD }
    const [signedUp, ...created] = await Promise.all([
      request(server.current, 'POST', '/api/auth/signup', { body }),
      provider.send('POST', 'Users', provider.user(name)),
      provider.send('POST', 'Users', provider.user(name)),
    ])
    expect([201, 409]).toContain(signedUp?.status ?? 0)
    for (const { status } of created) expect([201, 409]).toContain(status)
    const rows = await runSql(
      server.current.database,
      `select password_hash is null as is_managed, email_verified from users where email = '${email}'`,
    )
    // The account of the sign-up is not verified, so SCIM has no power over it.
    const isManaged = signedUp?.status !== 201
    expect(rows).toEqual([{ is_managed: isManaged, email_verified: isManaged }])
  }
})

test.each(['stays', 'is deleted'])(
  'parallel changes by the identity provider, owners and members fail with no 500 while the organization %s',
  async (what) => {
    const provider = await newProvider(server.current)
    const { owner, org } = provider
    const call = (token: string, method: string, path: string, body?: object) =>
      request(server.current, method, `/api/${path}`, { token, ...(body && { body }) })
    const invited = await newVerifiedUser(server.current)
    const joining = await newVerifiedUser(server.current, `joining@${provider.domain}`)
    const waiting = await provider.create({ userName: invited.email })
    const mail = await server.current.noticed(
      new RegExp(`^Mail to ${invited.email} [^]*/invite\\?token=`),
    )
    const token = /\/invite\?token=([\w-]+)/.exec(mail)?.[1]
    const member = await provider.create(provider.user('joining'))
    const { body: group } = await provider.send('POST', 'Groups', { displayName: 'Team' })
    const setActive = (id: string, value: boolean) =>
      provider.patch(id, { op: 'replace', path: 'active', value })
    const addToGroup = (value: string) =>
      provider.send('PATCH', `Groups/${group.id}`, {
        Operations: [{ op: 'add', path: 'members', value: [{ value }] }],
      })
    const answers = await Promise.all([
      call(invited.accessToken, 'POST', 'invites/accept', { token }),
      setActive(waiting.id, false),
      setActive(member.id, false),
      call(owner.accessToken, 'DELETE', `orgs/${org.id}/members/${joining.id}`),
      setActive(member.id, true),
      addToGroup(member.id),
      addToGroup(waiting.id),
      call(joining.accessToken, 'POST', 'auth/api-keys', { name: 'late', org_id: org.id }),
      call(owner.accessToken, 'PATCH', `orgs/${org.id}/members/${joining.id}`, { role: 'owner' }),
      provider.send('PUT', `Users/${waiting.id}`, { userName: invited.email, active: true }),
      provider.send('DELETE', `Users/${waiting.id}`),
      call(joining.accessToken, 'DELETE', 'auth/delete-account', { password: PASSWORD }),
      provider.send('POST', 'Users', provider.user('late')),
      ...(what === 'is deleted' ? [call(owner.accessToken, 'DELETE', `orgs/${org.id}`)] : []),
    ])
    // A user that was deleted before it was added to the group is none of the organization any more.
    const isGone = (text: string) => text.includes('members is not the id of a user')
    for (const { status, text } of answers)
      expect([ALLOWED.includes(status) || isGone(text), text]).toEqual([true, text])
    const orphans = await runSql(
      server.current.database,
      `select from scim_users u where u.org_id = '${org.id}'
         and not exists (select from orgs o where o.id = u.org_id)`,
    )
    expect(orphans).toEqual([])
  },
)
