import { beforeAll, describe, expect, test } from 'bun:test'
import { administer, claimAdmin } from '../admin/support.ts'
import { BASE_URL, newVerifiedUser, runSql } from '../harness/http.ts'
import {
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
  useServer,
} from '../harness/server.ts'
import { follow } from '../system/activity-stream.ts'
import { errorOf, newProvider, type Provider, verifyDomain } from './scim-support.ts'

const server = useServer({ SVC_BASE_URL: BASE_URL })
let admin: TestUser
beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
})

const signIn = (email: string, on: TestServer = server.current) =>
  request(on, 'POST', '/api/auth/signin', { body: { email, password: PASSWORD } })

/** A user of the identity provider, who has set a password by a mailed link and signed in, with a key. */
const newMember = async (provider: Provider, name?: string) => {
  const user = await provider.create(provider.user(name))
  const email = user.userName
  await request(server.current, 'POST', '/api/auth/forgot-password', { body: { email } })
  const mail = await server.current.noticed(new RegExp(`^Mail to ${email} [^]*/reset\\?token=`))
  const token = /\/reset\?token=([\w-]+)/.exec(mail)?.[1]
  const body = { token, password: PASSWORD }
  await request(server.current, 'POST', '/api/auth/reset-password', { body })
  const signedIn = await signIn(email)
  expect([signedIn.status, signedIn.body.user?.email_verified]).toEqual([200, true])
  const accessToken: string = signedIn.body.access_token
  const made = await request(server.current, 'POST', '/api/auth/api-keys', {
    token: accessToken,
    body: { name: 'test' },
  })
  return { ...user, accountId: signedIn.body.user.id, email, accessToken, key: made.body.key }
}

const meStatus = async (token: string, on: TestServer = server.current): Promise<number> =>
  (await request(on, 'GET', '/api/me', { token })).status

/** The status of requests with a credential in the organization. */
const inOrg = async (token: string, provider: Provider): Promise<number> =>
  (
    await request(server.current, 'GET', '/api/me', {
      token,
      headers: { 'x-org-id': provider.org.id },
    })
  ).status

const isAccount = async (email: string): Promise<boolean> =>
  (await runSql(server.current.database, `select from users where email = '${email}'`)).length > 0

const isMember = async (provider: Provider, email: string): Promise<boolean> =>
  (await provider.members()).some((member) => member.email === email)

describe('an account that SCIM creates at a verified domain', () => {
  test('deactivation ends its sessions, keys and streams at once, in every process', async () => {
    const provider = await newProvider(server.current)
    await using two = await startServer({ SVC_BASE_URL: BASE_URL }, server.current.database)
    const member = await newMember(provider)
    await using stream = await follow(member, two)
    const statuses = () =>
      Promise.all(
        [server.current, two].flatMap((on) =>
          [member.accessToken, member.key].map((token) => meStatus(token, on)),
        ),
      )
    expect(await statuses()).toEqual([200, 200, 200, 200])
    const ended = await provider.patch(member.id, { op: 'replace', path: 'active', value: false })
    expect(ended.body.active).toBe(false)
    expect(await statuses()).toEqual([401, 401, 401, 401])
    // The stream checks its credential within 15 seconds, and before each event.
    await stream.done
    expect(stream.error()).toBe('Invalid API key')
    expect((await signIn(member.email, two)).status).toBe(403)

    await provider.patch(member.id, { op: 'replace', path: 'active', value: true })
    expect(await statuses()).toEqual([401, 401, 401, 401])
    const again = await signIn(member.email)
    expect([again.status, await inOrg(again.body.access_token, provider)]).toEqual([200, 200])
  })

  test('DELETE disables the account, and a new POST of the user enables it', async () => {
    const provider = await newProvider(server.current)
    const member = await newMember(provider, 'leaver')
    expect((await provider.send('DELETE', `Users/${member.id}`)).status).toBe(204)
    expect(await meStatus(member.accessToken)).toBe(401)
    expect((await signIn(member.email)).status).toBe(403)
    const again = await provider.create(provider.user('leaver'))
    expect(again.id).not.toBe(member.id)
    expect((await signIn(member.email)).body.user.id).toBe(member.accountId)
    expect(await isMember(provider, member.email)).toBe(true)
  })

  test('deactivation ends the membership only, once the domain is not verified any more', async () => {
    const provider = await newProvider(server.current)
    const member = await newMember(provider)
    await runSql(
      server.current.database,
      `update organization_domains set verified_at = null where domain = '${provider.domain}'`,
    )
    await provider.patch(member.id, { op: 'replace', path: 'active', value: false })
    expect([await inOrg(member.accessToken, provider), await meStatus(member.accessToken)]).toEqual(
      [403, 200],
    )
  })

  test('SCIM does not enable an account that an admin disabled', async () => {
    const provider = await newProvider(server.current)
    const member = await newMember(provider)
    const setActive = (value: boolean) =>
      provider.patch(member.id, { op: 'replace', path: 'active', value })
    await setActive(false)
    await administer(server.current, admin, 'POST', `${member.accountId}/disable`, { reason: 'x' })
    await setActive(true)
    expect((await signIn(member.email)).status).toBe(403)
    await administer(server.current, admin, 'POST', `${member.accountId}/enable`, {})
    expect((await signIn(member.email)).status).toBe(200)
  })

  test('SCIM does not disable an admin of the server', async () => {
    const provider = await newProvider(server.current)
    const member = await newMember(provider)
    const grant = { is_admin: true, reason: 'x' }
    await administer(server.current, admin, 'PUT', `${member.accountId}/admin`, grant)
    await provider.patch(member.id, { op: 'replace', path: 'active', value: false })
    expect([await inOrg(member.accessToken, provider), await meStatus(member.accessToken)]).toEqual(
      [403, 200],
    )
  })

  test('the account gets the changed address, with its sessions and keys', async () => {
    const provider = await newProvider(server.current)
    const { id, userName, accessToken, key } = await newMember(provider)
    const [moved, again] = [`moved-${id}@${provider.domain}`, `again-${id}@${provider.domain}`]
    const emails = [{ primary: true, type: 'work', value: moved }]
    const { status } = await provider.patch(id, { op: 'replace', path: 'emails', value: emails })
    expect(status).toBe(200)
    for (const address of [userName, moved])
      await server.current.noticed(new RegExp(`^Mail to ${address} [^]*${moved}`))
    const me = await request(server.current, 'GET', '/api/auth/me', { token: accessToken })
    expect([me.body.email, me.body.email_verified]).toEqual([moved, true])
    expect((await request(server.current, 'GET', '/api/me', { token: key })).status).toBe(200)
    expect([(await signIn(userName)).status, (await signIn(moved)).status]).toEqual([401, 200])
    await provider.send('PUT', `Users/${id}`, { ...provider.user(), emails: [{ value: again }] })
    expect((await signIn(again)).status).toBe(200)
  })

  type Member = Awaited<ReturnType<typeof newMember>>
  const KEPT: [string, (provider: Provider, member: Member) => Promise<string>][] = [
    ['at another domain', async ({ domain }) => `ada@other-${domain}`],
    [
      'that another account has',
      async (provider) => {
        const { email } = await newVerifiedUser(server.current)
        await verifyDomain(server.current, provider.org.id, email.split('@')[1] ?? '').catch(
          () => {},
        )
        return email
      },
    ],
    [
      'while the domain is not verified any more',
      async ({ org, domain }) => {
        await runSql(
          server.current.database,
          `update organization_domains set verified_at = null where org_id = '${org.id}'`,
        )
        return `new@${domain}`
      },
    ],
    [
      'of an account that the organization does not manage',
      async ({ domain }, { accountId }) => {
        await runSql(
          server.current.database,
          `update users set managed_by_org_id = null where id = '${accountId}'`,
        )
        return `new@${domain}`
      },
    ],
  ]
  test.each(KEPT)('the account keeps its address for one %s', async (_name, prepare) => {
    const provider = await newProvider(server.current)
    const member = await newMember(provider)
    const value = await prepare(provider, member)
    const { status } = await provider.patch(member.id, {
      op: 'replace',
      path: 'emails',
      value: [{ primary: true, value }],
    })
    expect(status).toBe(200)
    expect((await signIn(member.userName)).body.user?.email).toBe(member.userName)
  })

  test('the account has the name that the identity provider gives', async () => {
    const provider = await newProvider(server.current)
    const member = await newMember(provider)
    const profile = () => request(server.current, 'GET', '/api/profile', { token: member.key })
    expect((await profile()).body.display_name).toBe('Ada Lovelace')
    await provider.patch(member.id, { op: 'replace', path: 'displayName', value: 'Ada L.' })
    expect((await profile()).body.display_name).toBe('Ada L.')
  })
})

describe('an account that SCIM did not create', () => {
  test('one with a verified address at a verified domain joins, and deactivation ends no more than the membership', async () => {
    const provider = await newProvider(server.current)
    const ada = await newVerifiedUser(server.current, `ada@${provider.domain}`)
    const { id } = await provider.create(provider.user('ada'))
    expect(await inOrg(ada.accessToken, provider)).toBe(200)
    const { body } = await request(server.current, 'POST', '/api/auth/api-keys', {
      token: ada.accessToken,
      body: { name: 'org', org_id: provider.org.id },
    })
    expect(await meStatus(body.key)).toBe(200)
    await provider.patch(id, { op: 'replace', path: 'active', value: false })
    expect(await Promise.all([ada.accessToken, ada.key, body.key].map((t) => meStatus(t)))).toEqual(
      [200, 200, 401],
    )
    expect(await inOrg(ada.accessToken, provider)).toBe(403)
    await provider.patch(id, { op: 'replace', path: 'active', value: true })
    expect([await inOrg(ada.accessToken, provider), await meStatus(body.key)]).toEqual([200, 401])
    await provider.send('DELETE', `Users/${id}`)
    expect([await inOrg(ada.accessToken, provider), await meStatus(ada.key)]).toEqual([403, 200])
  })

  test('one with an address that is not verified is invited', async () => {
    const provider = await newProvider(server.current)
    const squatter = await newUser(server.current, `eve@${provider.domain}`)
    await provider.create(provider.user('eve'))
    expect(await isMember(provider, squatter.email)).toBe(false)
    expect(await inOrg(squatter.accessToken, provider)).toBe(403)
    await server.current.noticed(new RegExp(`^Mail to ${squatter.email} [^]*/invite\\?token=`))
  })

  test('no organization gets power over an address outside of its verified domains', async () => {
    const victim = await newVerifiedUser(server.current)
    const unknown = `unknown-${crypto.randomUUID()}@example.com`
    const evil = await newProvider(server.current, false)
    // A verified domain of one organization is no proof for another.
    const other = await newProvider(server.current)
    const answers = await Promise.all(
      [victim.email, unknown, `x@${other.domain}`].map((email) =>
        evil.send('POST', 'Users', { userName: email, emails: [{ value: email, primary: true }] }),
      ),
    )
    const shapes = answers.map(({ status, body }) => [status, Object.keys(body), body.active])
    expect(shapes[0]).toEqual([201, expect.arrayContaining(['id', 'userName', 'meta']), true])
    expect([shapes[1], shapes[2]]).toEqual([shapes[0], shapes[0]])
    for (const email of [unknown, `x@${other.domain}`]) expect(await isAccount(email)).toBe(false)
    expect(await evil.members()).toHaveLength(1)
    for (const { body } of answers) await evil.send('DELETE', `Users/${body.id}`)
    expect([await meStatus(victim.accessToken), (await signIn(victim.email)).status]).toEqual([
      200, 200,
    ])
  })

  test('a change of the address does not move SCIM to the account of that address', async () => {
    const provider = await newProvider(server.current)
    const { id } = await provider.create(provider.user())
    const victim = await newVerifiedUser(server.current)
    const changed = await provider.patch(
      id,
      { op: 'replace', path: 'userName', value: victim.email },
      { op: 'replace', path: 'emails', value: [{ value: victim.email, primary: true }] },
    )
    expect(changed.status).toBe(200)
    await provider.patch(id, { op: 'replace', path: 'active', value: false })
    expect(await meStatus(victim.accessToken)).toBe(200)
    expect(await isMember(provider, victim.email)).toBe(false)
  })

  test('the invited user accepts, is linked, and loses the organization when deactivated', async () => {
    const provider = await newProvider(server.current, false)
    const ben = await newVerifiedUser(server.current)
    const { id } = await provider.create({ userName: ben.email })
    const mail = await server.current.noticed(
      new RegExp(`^Mail to ${ben.email} [^]*/invite\\?token=`),
    )
    const token = /\/invite\?token=([\w-]+)/.exec(mail)?.[1]
    const accepted = await request(server.current, 'POST', '/api/invites/accept', {
      token: ben.accessToken,
      body: { token },
    })
    expect([accepted.status, await inOrg(ben.accessToken, provider)]).toEqual([200, 200])
    await provider.patch(id, { op: 'replace', path: 'active', value: false })
    expect([await inOrg(ben.accessToken, provider), await meStatus(ben.key)]).toEqual([403, 200])
    await provider.patch(id, { op: 'replace', path: 'active', value: true })
    expect(await inOrg(ben.accessToken, provider)).toBe(200)
  })

  test('the owners see the invite in their audit log when the creator of the token is deleted', async () => {
    const provider = await newProvider(server.current)
    const { owner, org } = provider
    const second = await newVerifiedUser(server.current, `second@${provider.domain}`)
    await provider.create(provider.user('second'))
    const call = (method: string, path: string, body?: object, token = owner.accessToken) =>
      request(server.current, method, `/api/${path}`, { token, ...(body && { body }) })
    await call('PATCH', `orgs/${org.id}/members/${second.id}`, { role: 'owner' })
    const deleted = await call('DELETE', 'auth/delete-account', { password: PASSWORD })
    expect(deleted.status).toBe(200)
    await provider.create({ userName: 'unknown@example.com' })
    const { body } = await call('GET', 'auth/audit', undefined, second.accessToken)
    expect(body.entries[0]).toMatchObject({ action: 'org.invited', subject: org.id })
  })

  test('deactivating an invited user withdraws the invite', async () => {
    const provider = await newProvider(server.current, false)
    const ben = await newVerifiedUser(server.current)
    const { id } = await provider.create({ userName: ben.email })
    const invites = async () =>
      (
        await request(server.current, 'GET', `/api/orgs/${provider.org.id}/invites`, {
          token: provider.owner.accessToken,
        })
      ).body
    expect(await invites()).toMatchObject([{ email: ben.email, role: 'member' }])
    await provider.patch(id, { op: 'replace', path: 'active', value: false })
    expect(await invites()).toEqual([])
  })
})

test('the last owner is neither deactivated nor deleted', async () => {
  const provider = await newProvider(server.current, false)
  const { owner } = provider
  const { id } = await provider.create({ userName: owner.email })
  const refused = [
    await provider.patch(id, { op: 'replace', path: 'active', value: false }),
    await provider.send('DELETE', `Users/${id}`),
  ]
  for (const answer of refused) {
    expect(errorOf(answer)).toEqual([409, undefined])
    expect(answer.body.detail).toContain('needs an owner')
  }
  expect((await provider.send('GET', `Users/${id}`)).body.active).toBe(true)
  expect(await inOrg(owner.accessToken, provider)).toBe(200)
})

test('a user without a free seat is not created, and half of it is not stored', async () => {
  const provider = await newProvider(server.current)
  await runSql(
    server.current.database,
    `update users set tier = 'amnesiac' where id = '${provider.owner.id}'`,
  )
  for (const name of ['one', 'two']) await provider.create(provider.user(name))
  const refused = await provider.send('POST', 'Users', provider.user('three'))
  expect(errorOf(refused)).toEqual([402, undefined])
  expect(await isAccount(`three@${provider.domain}`)).toBe(false)
  expect((await provider.send('GET', 'Users?count=0')).body.totalResults).toBe(2)
})

test('parallel requests for one user make one account', async () => {
  const provider = await newProvider(server.current)
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => provider.send('POST', 'Users', provider.user('one'))),
  )
  const created = answers.filter(({ status }) => status === 201)
  expect(created).toHaveLength(1)
  for (const answer of answers)
    if (answer.status !== 201) expect(errorOf(answer)).toEqual([409, 'uniqueness'])
  expect(await provider.members()).toHaveLength(2)
})

test('parallel deactivations and activations end in one state', async () => {
  const provider = await newProvider(server.current)
  const { id } = await provider.create(provider.user('one'))
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, i) =>
      provider.patch(id, { op: 'replace', path: 'active', value: i % 2 === 0 }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
  const { body } = await provider.send('GET', `Users/${id}`)
  expect(await isMember(provider, body.userName)).toBe(body.active)
})

test('webhooks and the audit log name the token', async () => {
  const provider = await newProvider(server.current)
  const member = await newMember(provider)
  await provider.patch(member.id, { op: 'replace', path: 'active', value: false })
  const { body } = await request(server.current, 'GET', '/api/auth/audit', {
    token: provider.owner.accessToken,
  })
  const entries = body.entries.map(({ action, details }: { action: string; details: object }) => ({
    action,
    details,
  }))
  const details = { user_id: member.accountId, scim_token: 'Okta' }
  expect(entries).toContainEqual({
    action: 'org.member_joined',
    details: { ...details, role: 'member' },
  })
  expect(entries).toContainEqual({ action: 'org.member_removed', details })
  const own = await runSql(
    server.current.database,
    `select details from audit_log where user_id = '${member.accountId}' and action = 'user.disabled'`,
  )
  expect(own).toEqual([{ details: { org_id: provider.org.id, scim_token: 'Okta' } }])
})

test('deleting the organization deletes what SCIM provisioned, and not the accounts', async () => {
  const provider = await newProvider(server.current)
  const member = await newMember(provider)
  const deleted = await request(server.current, 'DELETE', `/api/orgs/${provider.org.id}`, {
    token: provider.owner.accessToken,
  })
  expect(deleted.status).toBe(204)
  expect(errorOf(await provider.send('GET', 'Users'))).toEqual([401, undefined])
  expect(await meStatus(member.accessToken)).toBe(200)
  const rows = await runSql(
    server.current.database,
    `select from scim_users where org_id = '${provider.org.id}'`,
  )
  expect(rows).toEqual([])
})

test('a user whose account is deleted stays in SCIM, without an account', async () => {
  const provider = await newProvider(server.current)
  const member = await newMember(provider)
  const gone = await request(server.current, 'DELETE', '/api/auth/delete-account', {
    token: member.accessToken,
    body: { password: PASSWORD },
  })
  expect(gone.status).toBe(200)
  expect((await provider.send('GET', `Users/${member.id}`)).body.active).toBe(true)
  await provider.patch(member.id, { op: 'replace', path: 'active', value: false })
  await provider.patch(member.id, { op: 'replace', path: 'active', value: true })
  expect(await isMember(provider, member.email)).toBe(true)
})

test('another account does not join in place of one that was deleted', async () => {
  const provider = await newProvider(server.current)
  const active = (value: boolean) => ({ op: 'replace', path: 'active', value })
  /** A user whose own account was a member until SCIM ended that, and was deleted then. */
  const newGone = async () => {
    const user = provider.user()
    const account = await newVerifiedUser(server.current, user.userName)
    const { id } = await provider.create(user)
    expect(await isMember(provider, account.email)).toBe(true)
    await provider.patch(id, active(false))
    const gone = await request(server.current, 'DELETE', '/api/auth/delete-account', {
      token: account.accessToken,
      body: { password: PASSWORD },
    })
    expect(gone.status).toBe(200)
    return { id, email: account.email }
  }
  const first = await newGone()
  await newUser(server.current, first.email)
  expect((await provider.patch(first.id, active(true))).status).toBe(200)

  const second = await newGone()
  const stranger = await newVerifiedUser(server.current)
  const emails = {
    op: 'replace',
    path: 'emails',
    value: [{ value: stranger.email, primary: true }],
  }
  expect((await provider.patch(second.id, emails, active(true))).status).toBe(200)
  const members = (await provider.members()).map(({ email }) => email)
  expect(members).toEqual([provider.owner.email])
})

test('an address whose account belongs to another user is refused in words, and deactivated and deleted without it', async () => {
  const provider = await newProvider(server.current)
  const member = await newMember(provider)
  // The account keeps its address for one at another domain.
  const elsewhere = `${crypto.randomUUID()}@elsewhere.example.com`
  const renamed = { ...provider.user(), emails: [{ value: elsewhere }] }
  await provider.send('PUT', `Users/${member.id}`, renamed)
  const hire = { ...provider.user(), userName: member.email, emails: [{ value: member.email }] }
  const refused = await provider.send('POST', 'Users', hire)
  expect(errorOf(refused)).toEqual([409, 'uniqueness'])
  expect(refused.body.detail).toContain(`belongs to the SCIM user ${renamed.userName}`)
  const { id } = await provider.create({ ...hire, active: false })
  expect((await provider.send('DELETE', `Users/${id}`)).status).toBe(204)
  expect(await isMember(provider, member.email)).toBe(true)
})

test('an invite of a person keeps its role, and a member whom SCIM has deactivated before ends', async () => {
  const provider = await newProvider(server.current, false)
  const call = (who: TestUser, method: string, path: string, body?: object) =>
    request(server.current, method, `/api/${path}`, {
      token: who.accessToken,
      ...(body && { body }),
    })
  const invite = (email: string) =>
    call(provider.owner, 'POST', `orgs/${provider.org.id}/invites`, { email, role: 'admin' })
  const accept = async (who: TestUser, invited: Awaited<ReturnType<typeof invite>>) => {
    const token = new URL(invited.body.invite_url).searchParams.get('token')
    expect((await call(who, 'POST', 'invites/accept', { token })).status).toBe(200)
  }
  const user = provider.user()
  const account = await newVerifiedUser(server.current, user.userName)
  const invited = await invite(account.email)
  const { id } = await provider.create(user)
  await accept(account, invited)
  const roles = async () => (await provider.members()).map(({ role }) => role).toSorted()
  expect(await roles()).toEqual(['admin', 'owner'])

  const active = (value: boolean) => provider.patch(id, { op: 'replace', path: 'active', value })
  await active(false)
  expect(await roles()).toEqual(['owner'])
  await accept(account, await invite(account.email))
  expect(await roles()).toEqual(['admin', 'owner'])
  await active(false)
  expect(await roles()).toEqual(['owner'])
})

test('two organizations do not share users, groups or tokens', async () => {
  const [one, two] = [await newProvider(server.current), await newProvider(server.current)]
  await verifyDomain(server.current, one.org.id, `${crypto.randomUUID()}.example.com`)
  const { id } = await one.create(one.user())
  for (const [method, body] of [
    ['GET', undefined],
    ['PUT', two.user()],
    ['PATCH', { Operations: [{ op: 'replace', path: 'active', value: false }] }],
    ['DELETE', undefined],
  ] as const)
    expect(errorOf(await two.send(method, `Users/${id}`, body))).toEqual([404, undefined])
  const group = await two.send('POST', 'Groups', { displayName: 'Spies', members: [{ value: id }] })
  expect(errorOf(group)).toEqual([400, 'invalidValue'])
  expect((await two.send('GET', 'Users')).body.totalResults).toBe(0)
})
