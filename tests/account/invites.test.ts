import { beforeAll, describe, expect, test } from 'bun:test'
import { ISO, newVerifiedUser, startRestartable, UUID } from '../harness/http.ts'
import { tokenIn, useServerWithMail } from '../harness/mail.ts'
import { newUser, type TestUser, uniqueEmail, useServer } from '../harness/server.ts'
import { createOrgClient, NO_ID } from './organization-support.ts'

const server = useServer()
const { call, createOrg, invite, join, members, orgAudit } = createOrgClient(server)

let ada: TestUser
beforeAll(async () => {
  ada = await newVerifiedUser(server.current)
})

const NOT_OPEN = [
  410,
  { detail: 'This invitation has expired, was withdrawn, or was answered already' },
] as const

const accept = (caller: TestUser, token: string) =>
  call(caller, 'POST', 'invites/accept', { token })
const decline = (token: string) =>
  call({ accessToken: '' }, 'POST', 'invites/decline', { token }, { token: '' })
const listed = async (org: { id: string }) =>
  (await call(ada, 'GET', `orgs/${org.id}/invites`)).body
const invited = (org: { id: string }, body: object, user: Pick<TestUser, 'accessToken'> = ada) =>
  call(user, 'POST', `orgs/${org.id}/invites`, body)

describe('inviting', () => {
  test("an invite has the contract's fields, a link that the list repeats, and expires after seven days", async () => {
    const org = await createOrg(ada)
    const email = uniqueEmail()
    const { status, body } = await invited(org, { email: `  ${email.toUpperCase()} `, junk: 1 })
    expect([status, body]).toEqual([
      201,
      {
        id: UUID,
        email,
        role: 'member',
        created_at: ISO,
        expires_at: ISO,
        invite_url: expect.stringMatching(/^http:\/\/[^/]+\/invite\?token=[\w-]{43}$/),
      },
    ])
    expect(body.invite_url).toStartWith(`${server.current.baseUrl}/`)
    expect(Date.parse(body.expires_at) - Date.parse(body.created_at)).toBe(7 * 86_400_000)
    expect(await listed(org)).toEqual([body])
    expect((await orgAudit(ada))[0]).toEqual({
      action: 'org.invited',
      subject: org.id,
      details: { invite_id: body.id, role: 'member' },
    })
  })

  test('the email names the inviter and the organization', async () => {
    const org = await createOrg(ada, 'Data & <b>Team</b>')
    const email = uniqueEmail()
    const { token } = await invite(ada, org, email)
    const mail = await server.current.noticed(new RegExp(`^Mail to ${email} `))
    expect(mail).toContain('the organization “Data & <b>Team</b>”')
    expect(mail).toContain(ada.email)
    expect(mail).toContain(`/invite?token=${token}&proof=`)
  })

  test('names are reduced to one line and one text direction in the email and on the page', async () => {
    const eve = await newVerifiedUser(server.current)
    const rename = (display_name: string) => call(eve, 'PUT', 'profile', { display_name })
    await rename('Eve\r\n\r\nPay at evil.test \u202e(moc.elpmaxe@ada)\u2066\u0007')
    const org = await createOrg(eve, 'Team\u202e\u2028one\u0007\u200f')
    const email = uniqueEmail()
    const { invite_url } = await invite(eve, org, email)
    const mail = await server.current.noticed(new RegExp(`^Mail to ${email} `))
    const shown = await fetch(invite_url.replace(/^https?:\/\/[^/]+/, server.current.url))
    for (const text of [mail, await shown.text()]) {
      expect(text).toContain('Eve Pay at evil.test (moc.elpmaxe@ada)')
      expect(text).toContain('Team one')
      expect(text).not.toMatch(/[\p{Bidi_Control}\u2028\u0007\r]/u)
    }
    await rename('\u202e\u2066')
    const other = uniqueEmail()
    await invite(eve, org, other)
    expect(await server.current.noticed(new RegExp(`^Mail to ${other} `))).toContain(
      `\n${eve.email} invites you`,
    )
  })

  test.each(['admin', 'member'] as const)('an invite as %s makes the user %s', async (role) => {
    const org = await createOrg(ada)
    const ben = await newVerifiedUser(server.current)
    const { token } = await invite(ada, org, ben.email, role)
    const { status, body } = await accept(ben, token)
    expect([status, body]).toEqual([
      200,
      { ...org, role, seats: { used: 2, limit: 3 }, updated_at: ISO },
    ])
    expect((await members(ben, org)).map((member) => [member.user_id, member.role])).toEqual([
      [ada.id, 'owner'],
      [ben.id, role],
    ])
    expect(await listed(org)).toEqual([])
  })

  test('an invalid address, a disposable address and an unknown role are refused', async () => {
    const org = await createOrg(ada)
    for (const [body, field, type] of [
      [{}, 'email', 'missing'],
      [{ email: null }, 'email', 'string_type'],
      [{ email: '' }, 'email', 'value_error'],
      [{ email: 'ben' }, 'email', 'value_error'],
      [{ email: 'a@example.com, b@example.com' }, 'email', 'value_error'],
      [{ email: 'a@example.com\r\nBcc: b@example.com' }, 'email', 'value_error'],
      [{ email: '"x@evil.example x"@example.org' }, 'email', 'value_error'],
      [{ email: 'ａda@example.com' }, 'email', 'value_error'],
      [{ email: 'x@mailinator.com' }, 'email', 'value_error'],
      [{ email: 'x@y.mailinator.com' }, 'email', 'value_error'],
      [{ email: `${'x'.repeat(250)}@example.com` }, 'email', 'string_too_long'],
      [{ email: 'a@example.com', role: 'owner' }, 'role', 'literal_error'],
      [{ email: 'a@example.com', role: null }, 'role', 'literal_error'],
    ] as const) {
      const { status, body: answer } = await invited(org, body)
      expect([body, status, answer.detail]).toEqual([
        body,
        422,
        [{ loc: ['body', field], type, msg: expect.any(String) }],
      ])
    }
    expect(await listed(org)).toEqual([])
  })

  test('the response does not reveal whether the address has an account', async () => {
    const org = await createOrg(ada)
    const ben = await newVerifiedUser(server.current)
    const answers = []
    for (const email of [ben.email, uniqueEmail()]) {
      const { status, body } = await invited(org, { email })
      answers.push({ status, keys: Object.keys(body) })
      await call(ada, 'DELETE', `orgs/${org.id}/invites/${body.id}`)
    }
    expect(answers[0]).toEqual(answers[1])
  })

  test('inviting a member is 409', async () => {
    const org = await createOrg(ada)
    const { status, body } = await invited(org, { email: ada.email })
    expect([status, body]).toEqual([409, { detail: 'A member already has this email address' }])
  })

  test('an owner with an unverified address cannot invite', async () => {
    const newcomer = await newUser(server.current)
    const org = await createOrg(newcomer)
    const { status, body } = await invited(org, { email: uniqueEmail() }, newcomer)
    expect([status, body.detail.error]).toEqual([403, 'email_not_verified'])
  })

  test('an API key invites, also one of the organization', async () => {
    const org = await createOrg(ada)
    const ofOrg = await call(ada, 'POST', 'auth/api-keys', { name: 'team', org_id: org.id })
    for (const accessToken of [ada.key, ofOrg.body.key])
      expect((await invited(org, { email: uniqueEmail() }, { accessToken })).status).toBe(201)
  })

  test('a second invite to an address replaces the first and ends its link', async () => {
    const org = await createOrg(ada)
    const ben = await newVerifiedUser(server.current)
    const first = await invite(ada, org, ben.email)
    const second = await invite(ada, org, ben.email.toUpperCase(), 'admin')
    expect((await listed(org)).map(({ id }: { id: string }) => id)).toEqual([second.id])
    const refused = await accept(ben, first.token)
    expect([refused.status, refused.body]).toEqual([...NOT_OPEN])
    expect((await accept(ben, second.token)).body.role).toBe('admin')
  })

  test('ten parallel invites to one address leave one', async () => {
    const org = await createOrg(ada)
    const email = uniqueEmail()
    const answers = await Promise.all(Array.from({ length: 10 }, () => invited(org, { email })))
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(await listed(org)).toHaveLength(1)
  })

  test('a withdrawn invite cannot be accepted and is not listed', async () => {
    const org = await createOrg(ada)
    const ben = await newVerifiedUser(server.current)
    const { id, token } = await invite(ada, org, ben.email)
    const path = `orgs/${org.id}/invites/${id}`
    const other = await createOrg(ada)
    expect((await call(ada, 'DELETE', path.replace(org.id, other.id))).status).toBe(404)
    const deleted = await call(ada, 'DELETE', path)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    const again = await call(ada, 'DELETE', path)
    expect([again.status, again.body]).toEqual([404, { detail: 'Invite not found' }])
    const refused = await accept(ben, token)
    expect([refused.status, refused.body]).toEqual([...NOT_OPEN])
    expect((await orgAudit(ada))[0]).toEqual({
      action: 'org.invite_withdrawn',
      subject: org.id,
      details: { invite_id: id },
    })
  })

  test('invites of a member who may not invite any more are withdrawn', async () => {
    const ways: [how: string, end: (org: { id: string }, admin: TestUser) => Promise<unknown>][] = [
      ['removed', (org, admin) => call(ada, 'DELETE', `orgs/${org.id}/members/${admin.id}`)],
      ['left', (org, admin) => call(admin, 'DELETE', `orgs/${org.id}/members/${admin.id}`)],
      [
        'demoted',
        (org, admin) =>
          call(ada, 'PATCH', `orgs/${org.id}/members/${admin.id}`, { role: 'member' }),
      ],
    ]
    for (const [how, end] of ways) {
      const org = await createOrg(ada)
      const admin = await join(ada, org, 'admin')
      const mole = await newVerifiedUser(server.current)
      const { token } = await invite(admin, org, mole.email, 'admin')
      await end(org, admin)
      expect([how, (await accept(mole, token)).status]).toEqual([how, 410])
      expect(await listed(org)).toEqual([])
      const { token: own } = await invite(ada, org, mole.email)
      expect((await accept(mole, own)).status).toBe(200)
    }
  })

  test('the link declines the invite, once', async () => {
    const org = await createOrg(ada)
    const ben = await newVerifiedUser(server.current)
    const { token } = await invite(ada, org, ben.email)
    const declined = await decline(token)
    expect([declined.status, declined.text]).toEqual([204, ''])
    for (const { status, body } of [await decline(token), await accept(ben, token)])
      expect([status, body]).toEqual([...NOT_OPEN])
    expect(await listed(org)).toEqual([])
  })
})

describe('accepting an invite', () => {
  test('only an account with the invited address can accept', async () => {
    const org = await createOrg(ada)
    const [ben, eve] = [
      await newVerifiedUser(server.current),
      await newVerifiedUser(server.current),
    ]
    const { token } = await invite(ada, org, ben.email)
    const { status, body } = await accept(eve, token)
    expect([status, body]).toEqual([
      403,
      { detail: 'This invitation is for another email address' },
    ])
    expect((await accept(ben, token)).status).toBe(200)
    expect(await members(ada, org)).toHaveLength(2)
  })

  test('accepting by the API requires a verified address', async () => {
    const org = await createOrg(ada)
    const newcomer = await newUser(server.current)
    const { token } = await invite(ada, org, newcomer.email)
    const { status, body } = await accept(newcomer, token)
    expect([status, body.detail.error]).toEqual([403, 'email_not_verified'])
    expect(await members(ada, org)).toHaveLength(1)
  })

  test('20 parallel accepts join once', async () => {
    const org = await createOrg(ada)
    const ben = await newVerifiedUser(server.current)
    const { token } = await invite(ada, org, ben.email)
    const answers = await Promise.all(Array.from({ length: 20 }, () => accept(ben, token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(410)])
    const joined = (await orgAudit(ben)).filter(({ action }) => action === 'org.member_joined')
    expect(joined).toHaveLength(1)
  })

  test('an unknown token is 410, a missing one 422', async () => {
    const ben = await newVerifiedUser(server.current)
    for (const token of ['x', 'A'.repeat(43), 'ü'.repeat(2_000)])
      for (const { status, body } of [await accept(ben, token), await decline(token)])
        expect([status, body]).toEqual([...NOT_OPEN])
    for (const body of [{}, { token: '' }, { token: 5 }])
      expect((await call(ben, 'POST', 'invites/accept', body)).status).toBe(422)
  })
})

describe('seats', () => {
  const FULL = /^All seats of the organization are taken: .* of 3\. Withdraw an invite/

  test('members and open invites take seats; one more invite is 402 and names the fix', async () => {
    const org = await createOrg(ada)
    await join(ada, org)
    const { id } = await invite(ada, org, uniqueEmail())
    const full = await invited(org, { email: uniqueEmail() })
    expect([full.status, full.body]).toEqual([402, { detail: expect.stringMatching(FULL) }])
    expect((await call(ada, 'GET', `orgs/${org.id}`)).body.seats).toEqual({ used: 3, limit: 3 })
    await call(ada, 'DELETE', `orgs/${org.id}/invites/${id}`)
    expect((await invited(org, { email: uniqueEmail() })).status).toBe(201)
  })

  test('50 parallel invites do not exceed the seats', async () => {
    const org = await createOrg(ada)
    const managers = [ada, await join(ada, org, 'admin')]
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        invited(org, { email: uniqueEmail() }, managers[i % managers.length]),
      ),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(49).fill(402)])
    expect(await listed(org)).toHaveLength(1)
  })

  test('a replaced invite frees its seat', async () => {
    const org = await createOrg(ada)
    const [first, second] = [uniqueEmail(), uniqueEmail()]
    for (const email of [first, second, first])
      expect((await invited(org, { email })).status).toBe(201)
  })
})

test('invites are limited for each account and address', async () => {
  const founder = await newVerifiedUser(server.current)
  const org = await createOrg(founder)
  const email = uniqueEmail()
  const again = []
  for (let i = 0; i < 21; i++) again.push((await invited(org, { email }, founder)).status)
  expect(again).toEqual([...Array(20).fill(201), 429])
  const others = await Promise.all(
    Array.from({ length: 90 }, () => invited(org, { email: uniqueEmail() }, founder)),
  )
  expect(others.filter(({ status }) => status === 429).length).toBe(10)
})

test('an expired invite cannot be accepted, takes no seat, and can be sent again', async () => {
  await using restartable = await startRestartable()
  const orgClient = createOrgClient(restartable)
  const owner = await newVerifiedUser(restartable.current)
  const ben = await newVerifiedUser(restartable.current)
  const org = await orgClient.createOrg(owner)
  const first = await orgClient.invite(owner, org, ben.email)
  await orgClient.invite(owner, org, uniqueEmail())
  await restartable.change(`update org_invites set expires_at = now() - interval '1 second'`)
  const refused = await orgClient.call(ben, 'POST', 'invites/accept', { token: first.token })
  expect([refused.status, refused.body]).toEqual([...NOT_OPEN])
  const seats = (await orgClient.call(owner, 'GET', `orgs/${org.id}`)).body.seats
  expect(seats).toEqual({ used: 1, limit: 3 })
  expect((await orgClient.call(owner, 'GET', `orgs/${org.id}/invites`)).body).toEqual([])
  const { token } = await orgClient.invite(owner, org, ben.email)
  expect((await orgClient.call(ben, 'POST', 'invites/accept', { token })).status).toBe(200)
})

test('the owner with the highest tier sets the seats; without a free seat no member can join', async () => {
  await using restartable = await startRestartable()
  const orgClient = createOrgClient(restartable)
  const owner = await newVerifiedUser(restartable.current)
  const org = await orgClient.createOrg(owner)
  const seats = async () => (await orgClient.call(owner, 'GET', `orgs/${org.id}`)).body.seats.limit
  const tier = (user: TestUser, name: string) =>
    restartable.change(`update users set tier = '${name}' where id = '${user.id}'`)
  await tier(owner, 'payg')
  expect(await seats()).toBe(10)
  const rich = await orgClient.join(owner, org, 'owner')
  await tier(rich, 'conscious')
  expect(await seats()).toBe(100)
  await orgClient.join(owner, org)
  const late = await newVerifiedUser(restartable.current)
  const { token } = await orgClient.invite(owner, org, late.email)
  await restartable.change(`update users set tier = 'amnesiac'`)
  expect(await seats()).toBe(3)
  const refused = await orgClient.call(late, 'POST', 'invites/accept', { token })
  expect([refused.status, refused.body]).toEqual([
    402,
    { detail: expect.stringMatching(/^The organization has no free seat/) },
  ])
  await tier(owner, 'awakened')
  expect((await orgClient.call(late, 'POST', 'invites/accept', { token })).status).toBe(200)
})

describe('deleting an account', () => {
  const remove = (caller: TestUser) =>
    call(caller, 'DELETE', 'auth/delete-account', { password: 'correct horse battery staple' })

  test('the only owner of an organization with other members cannot delete the account', async () => {
    const owner = await newVerifiedUser(server.current)
    const org = await createOrg(owner, 'Left alone')
    const ben = await join(owner, org)
    const { status, body } = await remove(owner)
    expect([status, body]).toEqual([409, { detail: expect.stringContaining('“Left alone”') }])
    expect((await call(owner, 'GET', `orgs/${org.id}`)).status).toBe(200)
    await call(owner, 'PATCH', `orgs/${org.id}/members/${ben.id}`, { role: 'owner' })
    expect((await remove(owner)).status).toBe(200)
    expect(await members(ben, org)).toMatchObject([{ user_id: ben.id, role: 'owner' }])
  })

  test('an organization without other members is deleted with its memories', async () => {
    const owner = await newVerifiedUser(server.current)
    const org = await createOrg(owner)
    const { token } = await invite(owner, org, ada.email)
    const { body: key } = await call(owner, 'POST', 'auth/api-keys', { name: 'x', org_id: org.id })
    await call({ accessToken: key.key }, 'POST', 'remember', { content: 'We meet on Mondays' })
    expect((await remove(owner)).status).toBe(200)
    expect((await accept(ada, token)).status).toBe(410)
  })

  test('memories that a deleted member wrote stay in the organization', async () => {
    const org = await createOrg(ada)
    const ben = await join(ada, org)
    const inOrg = { headers: { 'x-org-id': org.id } }
    const content = 'The safe is behind the picture'
    const written = await call(ben, 'POST', 'remember', { content }, inOrg)
    expect(written.status).toBe(201)
    expect((await remove(ben)).status).toBe(200)
    const { body } = await call(ada, 'POST', 'recall', { query: 'Where is the safe?' }, inOrg)
    expect(body.memories.map((memory: { content_text: string }) => memory.content_text)).toEqual([
      content,
    ])
    expect(await members(ada, org)).toHaveLength(1)
  })

  test("a deleted account's open invites are deleted", async () => {
    const org = await createOrg(ada)
    const ben = await newVerifiedUser(server.current)
    await invite(ada, org, ben.email)
    expect((await remove(ben)).status).toBe(200)
    expect(await listed(org)).toEqual([])
  })

  test('a deleted account with an unverified address keeps the invites to the address', async () => {
    const org = await createOrg(ada)
    const squatter = await newUser(server.current)
    await invite(ada, org, squatter.email)
    expect((await remove(squatter)).status).toBe(200)
    expect(await listed(org)).toHaveLength(1)
  })

  test('the deletion succeeds while the user is invited, joins, is promoted and removed in parallel', async () => {
    const org = await createOrg(ada)
    for (let i = 0; i < 5; i++) {
      const ben = await newVerifiedUser(server.current)
      const { token } = await invite(ada, org, ben.email)
      const path = `orgs/${org.id}/members/${ben.id}`
      const [joined, changed, removed, account, keyed] = await Promise.all([
        accept(ben, token),
        call(ada, 'PATCH', path, { role: 'admin' }),
        call(ada, 'DELETE', path),
        remove(ben),
        call(ben, 'POST', 'auth/api-keys', { name: 'late', org_id: org.id }),
      ])
      expect(account.status).toBe(200)
      expect([200, 401, 410]).toContain(joined.status)
      expect([200, 404]).toContain(changed.status)
      expect([204, 404]).toContain(removed.status)
      expect([201, 401, 403]).toContain(keyed.status)
      expect((await members(ada, org)).map(({ user_id }) => user_id)).toEqual([ada.id])
    }
  })
})

describe('the invitation email', () => {
  const mailed = useServerWithMail()

  test('text and HTML have the same content and name the inviter', async () => {
    const orgClient = createOrgClient({
      get current() {
        return mailed.server
      },
    })
    const owner = await newUser(mailed.server)
    const token = tokenIn(await mailed.mailbox.next(owner.email, 'Confirm'))
    await orgClient.call(owner, 'POST', 'auth/verify-email', { token })
    await orgClient.call(owner, 'PUT', 'profile', { display_name: 'Ada Lovelace' })
    const org = await orgClient.createOrg(owner, 'Team <3 & "co"')
    const email = uniqueEmail()
    const created = await orgClient.invite(owner, org, email)
    const mail = await mailed.mailbox.next(email, 'Invitation')
    expect(mail.to).toEqual([email])
    expect(mail.text).toContain(
      `Ada Lovelace (${owner.email}) invites you to join the organization “Team <3 & "co"”`,
    )
    expect(mail.html).toContain('Team &#60;3 &#38; &#34;co&#34;')
    const link = new URL(/http\S+/.exec(mail.text)?.[0] ?? '')
    expect(link.searchParams.get('token')).toBe(created.token)
    expect(link.searchParams.get('proof')).toMatch(/^[\w-]{43}$/)
  })
})

test('an unknown invite of an organization is 404, a malformed one 422', async () => {
  const org = await createOrg(ada)
  expect((await call(ada, 'DELETE', `orgs/${org.id}/invites/${NO_ID}`)).status).toBe(404)
  expect((await call(ada, 'DELETE', `orgs/${org.id}/invites/no`)).status).toBe(422)
})
