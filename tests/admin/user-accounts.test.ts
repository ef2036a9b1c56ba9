import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { TOTP } from 'otpauth'
import { createAuthenticator } from '../harness/authenticator.ts'
import { runSql } from '../harness/http.ts'
import { type Mailbox, newMailedUser, startMailbox, tokenIn } from '../harness/mail.ts'
import {
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
  uniqueEmail,
} from '../harness/server.ts'
import { newAdmin } from './settings-support.ts'
import { administer } from './support.ts'

setDefaultTimeout(60_000)

const OPERATOR = uniqueEmail()
const REASON = 'Ticket 4711: the phone is lost.'
let server: TestServer
let mailbox: Mailbox
let admin: TestUser
beforeAll(async () => {
  mailbox = await startMailbox()
  server = await startServer({ SVC_SMTP_URL: mailbox.url, SVC_ADMIN_EMAILS: OPERATOR })
  admin = await newAdmin(server)
}, 120_000)
afterAll(async () => {
  await server.stop()
  await mailbox[Symbol.asyncDispose]()
})

const newPerson = () => newMailedUser(server, mailbox)
const act = (method: string, path: string, body: object = {}, by = admin) =>
  administer(server, by, method, path, { reason: REASON, ...body })
const create = (email: string, by = admin) =>
  request(server, 'POST', '/api/admin/users', {
    token: by.accessToken,
    body: { email, reason: REASON },
  })
const post = (path: string, body: object, token?: string) =>
  request(server, 'POST', `/api/auth/${path}`, { body, ...(token && { token }) })
const signIn = (email: string, password = PASSWORD) => post('signin', { email, password })
const auditOf = async ({ accessToken: token }: TestUser, action: string) =>
  (await request(server, 'GET', `/api/auth/audit?action=${action}`, { token })).body.entries
const sql = (...statements: string[]) => runSql(server.database, ...statements)

type Change = (user: Pick<TestUser, 'id'>, by?: TestUser) => ReturnType<typeof act>
const changes: Record<string, Change> = {
  'a deletion': ({ id }, by) => act('DELETE', id, {}, by),
  'a reset of the second factor': ({ id }, by) => act('POST', `${id}/reset-second-factor`, {}, by),
  'a change of the address': ({ id }, by) =>
    act('PUT', `${id}/email`, { email: uniqueEmail() }, by),
}

describe.each(Object.entries(changes))('%s by an admin', (_name, change) => {
  test('a change needs a user who exists and is neither the caller nor an admin', async () => {
    const user = await newPerson()
    const other = await newAdmin(server)
    expect((await change(admin)).body).toEqual({ detail: 'This is your own account' })
    const { status, body } = await change(other)
    expect([status, body.detail]).toEqual([
      409,
      'The account of an admin cannot be changed by another; revoke the role first',
    ])
    expect((await change({ id: Bun.randomUUIDv7() })).status).toBe(404)
    expect((await change(other, user)).status).toBe(403)
    expect((await signIn(other.email)).status).toBe(200)
  })

  test('a change needs a reason', async () => {
    const { id } = await newPerson()
    for (const reason of ['', '  ', undefined, null])
      expect((await act('DELETE', id, { reason })).status).toBe(422)
  })
})

describe('a user whom an admin creates', () => {
  test('a created user gets the reason and a link to choose a password, without a sign-up', async () => {
    const email = uniqueEmail()
    const { status, body } = await create(` ${email.toUpperCase()}`)
    expect([status, body.email, body.email_verified, body.is_admin]).toEqual([
      201,
      email,
      true,
      false,
    ])
    const mail = await mailbox.next(email, 'An account was created for you')
    expect(mail.text).toContain(REASON)
    const password = 'chosen on a Monday'
    expect((await post('reset-password', { token: tokenIn(mail), password })).status).toBe(200)
    expect((await signIn(email, password)).status).toBe(200)
    expect(await auditOf(admin, 'user.created')).toContainEqual(
      expect.objectContaining({ subject: body.id, details: { reason: REASON } }),
    )
  })

  test('a created user signs in with a mailed code before the first password', async () => {
    const email = uniqueEmail()
    await create(email)
    const { attempt_token } = (await post('code', { email })).body
    const { subject } = await mailbox.next(email, 'is your code to sign in')
    expect((await post('code/signin', { attempt_token, code: subject.slice(0, 6) })).status).toBe(
      200,
    )
  })

  test('a user is created although the server takes no new accounts', async () => {
    const body = { changes: [{ name: 'SVC_SIGNUP', value: 'closed', version: null }] }
    const options = { token: admin.accessToken, body }
    await request(server, 'PATCH', '/api/admin/settings', options)
    expect((await create(uniqueEmail())).status).toBe(201)
    const { settings } = (
      await request(server, 'GET', '/api/admin/settings', { token: admin.accessToken })
    ).body
    const { version } = settings.find(({ name }: { name: string }) => name === 'SVC_SIGNUP')
    await request(server, 'PATCH', '/api/admin/settings', {
      token: admin.accessToken,
      body: { changes: [{ name: 'SVC_SIGNUP', value: null, version }] },
    })
  })

  test('a new user is refused at an address that is taken, malformed or of an admin', async () => {
    const { email } = await newPerson()
    const answers = []
    for (const each of [email, 'ada.example.com', OPERATOR]) {
      const { status, body } = await create(each)
      answers.push([status, body.detail])
    }
    expect(answers).toEqual([
      [409, 'Email already registered'],
      [400, 'Invalid email address'],
      [409, 'SVC_ADMIN_EMAILS makes this address an admin'],
    ])
    expect((await create(uniqueEmail(), await newPerson())).status).toBe(403)
  })

  test('a user is created once by ten requests at once', async () => {
    const email = uniqueEmail()
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(email)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(9)
  })
})

describe('a user whom an admin deletes', () => {
  test('a deleted user loses the account with its data, and gets the reason by email', async () => {
    const user = await newPerson()
    await request(server, 'POST', '/api/remember', {
      token: user.key,
      body: { content: 'Ada likes tea.' },
    })
    expect((await act('DELETE', user.id)).status).toBe(204)
    const mail = await mailbox.next(user.email, 'Your account was deleted')
    expect(mail.text).toContain(REASON)
    expect((await signIn(user.email)).status).toBe(401)
    const left = await sql(`select from memories where owner_id = '${user.id}'`)
    expect(left).toHaveLength(0)
    const [entry] = await auditOf(admin, 'user.deleted')
    expect([entry.subject, entry.details]).toEqual([user.id, { reason: REASON }])
    expect((await act('DELETE', user.id)).status).toBe(404)
  })

  test('a user stays while the account is the only owner of an organization with members', async () => {
    const [user, member] = [await newPerson(), await newPerson()]
    const { body: org } = await request(server, 'POST', '/api/orgs', {
      token: user.accessToken,
      body: { name: 'Analytics' },
    })
    await sql(`insert into org_members (org_id, user_id, role)
      values ('${org.id}', '${member.id}', 'member')`)
    expect((await act('DELETE', user.id)).status).toBe(409)
    expect((await signIn(user.email)).status).toBe(200)
  })

  test('a user is deleted by one of two admins at once', async () => {
    const [user, other] = [await newPerson(), await newAdmin(server)]
    const answers = await Promise.all([act('DELETE', user.id), act('DELETE', user.id, {}, other)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404])
  })
})

test('a reset of the second factor ends it with passkeys and sessions, and the password signs in', async () => {
  const user = await newPerson()
  const authenticator = await createAuthenticator(new URL(server.baseUrl).origin)
  const { options } = (await post('passkeys/options', {}, user.accessToken)).body
  const response = await authenticator.register(options)
  await post('passkeys', { name: 'phone', response }, user.accessToken)
  const { secret } = (await post('mfa/setup', {}, user.accessToken)).body
  await post('mfa/enable', { code: new TOTP({ secret }).generate() }, user.accessToken)
  expect((await signIn(user.email)).body.access_token).toBeUndefined()

  expect((await act('POST', `${user.id}/reset-second-factor`)).status).toBe(200)
  expect((await mailbox.next(user.email, 'Your second factor was removed')).text).toContain(REASON)
  const me = await request(server, 'GET', '/api/me', { token: user.accessToken })
  expect(me.status).toBe(401)
  const { body } = await signIn(user.email)
  const again = { ...user, accessToken: body.access_token }
  expect(await auditOf(again, 'mfa.reset')).toMatchObject([
    { subject: null, details: { reason: REASON } },
  ])
  const passkeys = await request(server, 'GET', '/api/auth/passkeys', { token: body.access_token })
  expect(passkeys.body).toEqual([])
})

describe('an address that an admin changes', () => {
  test('a changed address holds at once, with an email to both addresses and no way to undo it', async () => {
    const user = await newPerson()
    const email = uniqueEmail()
    const { body } = await act('PUT', `${user.id}/email`, { email })
    expect([body.email, body.email_verified]).toEqual([email, true])
    for (const to of [user.email, email]) {
      const { text } = await mailbox.next(to, 'The email address of your account was changed')
      expect([text.includes(REASON), text.includes('token=')]).toEqual([true, false])
    }
    expect((await signIn(email)).status).toBe(200)
    expect((await request(server, 'GET', '/api/me', { token: user.key })).status).toBe(200)
    expect(await auditOf(user, 'email.changed')).toMatchObject([
      { details: { from: user.email, to: email, reason: REASON } },
    ])
    const [entry] = await auditOf(admin, 'user.email_changed')
    expect([entry.subject, entry.details]).toEqual([user.id, { reason: REASON }])
  })

  test('a change by an admin ends the links that change it or undo a change', async () => {
    const user = await newPerson()
    const ask = async (email: string) => {
      await post('email/change', { email, password: PASSWORD }, user.accessToken)
      return tokenIn(await mailbox.next(email, 'Confirm your new'))
    }
    await post('email/confirm', { token: await ask(uniqueEmail()) })
    const undo = tokenIn(await mailbox.next(user.email, 'was changed'))
    const pending = await ask(uniqueEmail())
    await act('PUT', `${user.id}/email`, { email: uniqueEmail() })
    expect((await post('email/undo', { token: undo })).status).toBe(410)
    expect((await post('email/confirm', { token: pending })).status).toBe(410)
  })

  test('a change by an admin is refused where it is taken or of an admin', async () => {
    const [user, other] = [await newPerson(), await newPerson()]
    for (const email of [other.email, OPERATOR])
      expect((await act('PUT', `${user.id}/email`, { email })).status).toBe(409)
    expect((await signIn(user.email)).status).toBe(200)
  })
})
