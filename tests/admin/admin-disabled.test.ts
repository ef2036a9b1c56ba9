import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { BASE_URL, newVerifiedUser } from '../harness/http.ts'
import { newMailedUser } from '../harness/mail.ts'
import { person, startGithub } from '../harness/oauth-provider.ts'
import { PASSWORD, request, startServer } from '../harness/server.ts'
import {
  addresses,
  sendEmail,
  settled,
  startDelayingMailbox,
  threadOf,
} from '../people/outbound-email-support.ts'
import { administer, claimAdmin } from './support.ts'

setDefaultTimeout(120_000)

describe('a disabled user', () => {
  test('a disabled user cannot sign in through a provider', async () => {
    await using provider = startGithub()
    const APP = 'https://app.example.com'
    await using server = await startServer({ SVC_FRONTEND_ORIGINS: APP, ...provider.env })
    const admin = await newVerifiedUser(server)
    await claimAdmin(server, admin)
    const identity = person()
    const comeIn = async () => {
      const path = `/api/auth/oauth/github/authorize?frontend_origin=${APP}`
      const set = await request(server, 'GET', path)
      const cookie = set.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const back = await provider.agree(set.body.authorize_url, identity)
      return request(server, 'GET', `${back.pathname}${back.search}`, { headers: { cookie } })
    }
    const first = await comeIn()
    expect(first.cookie).toBeDefined()
    const list = await request(server, 'GET', `/api/admin/users?q=${identity.email}`, {
      token: admin.key,
    })
    const { id } = list.body.users[0]
    const disabled = await administer(server, admin, 'POST', `${id}/disable`, { reason: 'x' })
    expect(disabled.status).toBe(200)

    const second = await comeIn()
    expect(second.cookie).toBeUndefined()
    const landing = new URL(second.headers.get('location') ?? '')
    expect([landing.origin, landing.search]).toEqual([APP, '?error=account_disabled'])
    await administer(server, admin, 'POST', `${id}/enable`, {})
    expect((await comeIn()).cookie).toBeDefined()
  })

  test('disabling a user applies to every server on the database', async () => {
    const env = { SVC_BASE_URL: BASE_URL }
    await using one = await startServer(env)
    const admin = await newVerifiedUser(one)
    await claimAdmin(one, admin)
    const user = await newVerifiedUser(one)
    await using two = await startServer(env, one.database)
    const statuses = () =>
      Promise.all(
        [user.accessToken, user.key].map(
          async (token) => (await request(two, 'GET', '/api/me', { token })).status,
        ),
      )
    expect(await statuses()).toEqual([200, 200])
    await administer(one, admin, 'POST', `${user.id}/disable`, { reason: 'x' })
    expect(await statuses()).toEqual([401, 401])
    const signedIn = await request(two, 'POST', '/api/auth/signin', {
      body: { email: user.email, password: PASSWORD },
    })
    expect(signedIn.status).toBe(403)
    await administer(two, admin, 'POST', `${user.id}/enable`, {})
    expect(await statuses()).toEqual([401, 200])
  })

  test('the shares of a disabled user are hidden until enabled', async () => {
    await using server = await startServer()
    const admin = await newVerifiedUser(server)
    await claimAdmin(server, admin)
    const user = await newVerifiedUser(server)
    const post = (path: string, body: object) =>
      request(server, 'POST', `/api/${path}`, { token: user.key, body })
    const { body: session } = await post('sessions', { title: 'A bargain' })
    const { body: share } = await post('shares', { session_id: session.id })
    const statuses = () =>
      Promise.all(
        [`/api/shares/${share.token}`, `/s/${share.token}`].map(
          async (path) => (await request(server, 'GET', path)).status,
        ),
      )
    expect(await statuses()).toEqual([200, 200])
    await administer(server, admin, 'POST', `${user.id}/disable`, { reason: 'x' })
    expect(await statuses()).toEqual([410, 410])
    await administer(server, admin, 'POST', `${user.id}/enable`, {})
    expect(await statuses()).toEqual([200, 200])
  })

  test('queued emails of a disabled user wait until enabled', async () => {
    const AT_ONCE = 2
    const to = addresses(2 * AT_ONCE)
    await using mailbox = await startDelayingMailbox((address) => to.includes(address), AT_ONCE)
    await using server = await startServer({ SVC_SMTP_URL: mailbox.url })
    const [admin, user] = [
      await newMailedUser(server, mailbox),
      await newMailedUser(server, mailbox),
    ]
    await claimAdmin(server, admin)
    await sendEmail(server, user, { to, subject: 'Hello', text: 'Good day' })
    await mailbox.waiting
    const { thread_id } = await threadOf(server, user)
    await administer(server, admin, 'POST', `${user.id}/disable`, { reason: 'Too many mails' })
    mailbox.release()
    // Emails are sent in the order in which they were queued: these come after the waiting ones.
    for (const last of addresses(2 * AT_ONCE)) {
      await sendEmail(server, admin, { to: [last], subject: 'Hello', text: 'Good day' })
      await mailbox.next(last)
    }
    const reached = () =>
      mailbox.mails.flatMap((mail) => mail.to).filter((each) => to.includes(each))
    expect(reached().length).toBeLessThanOrEqual(AT_ONCE)
    await administer(server, admin, 'POST', `${user.id}/enable`, {})
    for (const address of to) await mailbox.next(address)
    expect(await settled(server, user, thread_id)).toMatchObject({ sent: to.length, failed: 0 })
    expect(reached().toSorted()).toEqual(to.toSorted())
  })
})
