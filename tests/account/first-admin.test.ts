import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { createDatabase } from '../harness/database.ts'
import { startRestartable } from '../harness/http.ts'
import { startMailbox } from '../harness/mail.ts'
import { spawnServer } from '../harness/process.ts'
import {
  cookieValue,
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
  uniqueEmail,
} from '../harness/server.ts'

// A server has one first admin, so each test that claims the link starts its own server.
setDefaultTimeout(120_000)

const PAGE = '/api/auth/admin/claim'
const LINK_USED = 'This link was used or has expired.'

const tokenOf = ({ claimLink = '' }: TestServer) =>
  new URL(claimLink).searchParams.get('token') ?? ''
const open = (server: TestServer, token: string, cookie?: string) =>
  request(server, 'GET', `${PAGE}?${new URLSearchParams({ token })}`, { ...(cookie && { cookie }) })
const post = (
  server: TestServer,
  path: string,
  fields: Record<string, string>,
  { cookie, origin = server.baseUrl }: { cookie?: string; origin?: string } = {},
) =>
  request(server, 'POST', `${PAGE}${path}`, {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin },
    ...(cookie && { cookie }),
  })
const claim = (server: TestServer, token: string, { refreshToken }: TestUser) =>
  post(server, '', { token }, { cookie: refreshToken })
const isAdmin = async (server: TestServer, token: string): Promise<boolean> =>
  (await request(server, 'GET', '/api/auth/me', { token })).body.is_admin

describe('the claim link of a first start', () => {
  test('the account that claims the link is admin, by access token and by API key', async () => {
    await using server = await startServer()
    expect(server.claimLink).toMatch(
      new RegExp(`^${server.baseUrl}/admin/claim\\?token=[\\w-]{43}$`),
    )
    const [user, other] = [await newUser(server), await newUser(server)]
    expect(await isAdmin(server, user.accessToken)).toBe(false)

    const { pathname, search } = new URL(server.claimLink ?? '')
    const moved = await request(server, 'GET', pathname + search)
    expect([moved.status, moved.headers.get('location')]).toEqual([303, PAGE + search])
    const page = await open(server, tokenOf(server), user.refreshToken)
    expect(page.text).toContain(`Signed in as ${user.email}`)
    expect(await isAdmin(server, user.accessToken)).toBe(false)

    const done = await claim(server, tokenOf(server), user)
    expect([done.status, done.text]).toEqual([200, expect.stringContaining(user.email)])
    for (const token of [user.accessToken, user.key])
      expect(await isAdmin(server, token)).toBe(true)
    expect(await isAdmin(server, other.accessToken)).toBe(false)
    const audit = await request(server, 'GET', '/api/auth/audit', { token: user.accessToken })
    expect(audit.body.entries[0]).toMatchObject({ action: 'admin.claimed' })
  })

  test('a signed-out user signs in or up and continues to the claim', async () => {
    await using server = await startServer()
    const token = tokenOf(server)
    const page = await open(server, token)
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('Sign in')])
    expect((await post(server, '', { token })).status).toBe(303)

    const email = uniqueEmail()
    const fields = { token, email, password: PASSWORD, confirm_password: PASSWORD }
    const signedUp = await post(server, '/signup', fields)
    expect([signedUp.status, signedUp.headers.get('location')]).toEqual([
      303,
      `${PAGE}?token=${token}`,
    ])
    const signedIn = await post(server, '/signin', fields)
    expect(signedIn.headers.get('location')).toBe(`${PAGE}?token=${token}`)
    const cookie = cookieValue(signedIn.cookie)
    expect((await open(server, token, cookie)).text).toContain(`Signed in as ${email}`)
    const out = await post(server, '/signout', { token }, { cookie })
    expect(out.headers.get('location')).toBe(`${PAGE}?token=${token}`)
    expect((await post(server, '', { token }, { cookie })).status).toBe(303)
    expect((await open(server, token)).status).toBe(200)
  })

  test('20 parallel claims make one admin', async () => {
    await using server = await startServer()
    const users = await Promise.all(Array.from({ length: 20 }, () => newUser(server)))
    const answers = await Promise.all(users.map((user) => claim(server, tokenOf(server), user)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 410)).toHaveLength(19)
    const admins = await Promise.all(users.map((user) => isAdmin(server, user.accessToken)))
    expect(admins.filter(Boolean)).toHaveLength(1)
    const late = await open(server, tokenOf(server))
    expect([late.status, late.text]).toEqual([410, expect.stringContaining(LINK_USED)])
  })

  test('a wrong token is 410, and a form from another origin is 403', async () => {
    await using server = await startServer()
    const user = await newUser(server)
    const token = tokenOf(server)
    for (const wrong of ['', 'abc', `${token}x`, token.slice(1)]) {
      expect((await open(server, wrong)).status).toBe(410)
      expect((await claim(server, wrong, user)).status).toBe(410)
    }
    const foreign = await post(
      server,
      '',
      { token },
      { cookie: user.refreshToken, origin: 'https://evil.example.com' },
    )
    expect(foreign.status).toBe(403)
    expect(await isAdmin(server, user.accessToken)).toBe(false)
  })

  test('each start prints a new link until an admin exists', async () => {
    await using restartable = await startRestartable()
    const user = await newUser(restartable.current)
    const first = tokenOf(restartable.current)
    await restartable.restart()
    const second = tokenOf(restartable.current)
    expect(second).not.toBe(first)
    expect((await claim(restartable.current, first, user)).status).toBe(410)
    expect((await claim(restartable.current, second, user)).status).toBe(200)
    await restartable.restart()
    expect(restartable.current.claimLink).toBeUndefined()
    expect((await claim(restartable.current, second, user)).status).toBe(410)
    expect((await claim(restartable.current, '', user)).status).toBe(410)
    expect(await isAdmin(restartable.current, user.accessToken)).toBe(true)
  })

  test('the link is printed to the terminal and not logged', async () => {
    await using server = await startServer()
    await open(server, tokenOf(server))
    expect(server.log.join('')).not.toContain(tokenOf(server))
  })

  test('the links of two replicas make one admin', async () => {
    await using first = await startServer()
    await using second = await startServer({ SVC_BASE_URL: first.baseUrl }, first.database)
    const users = await Promise.all(Array.from({ length: 20 }, () => newUser(first)))
    const answers = await Promise.all(
      users.map((user, i) => {
        const replica = i % 2 ? first : second
        return request(replica, 'POST', PAGE, {
          body: new URLSearchParams({ token: tokenOf(replica) }).toString(),
          headers: {
            'content-type': 'application/x-www-form-urlencoded',
            origin: first.baseUrl,
          },
          cookie: user.refreshToken,
        })
      }),
    )
    const admins = await Promise.all(users.map((user) => isAdmin(first, user.accessToken)))
    expect(admins.filter(Boolean)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })
})

test('the first start prints the link; a start with an admin does not', async () => {
  const database = await createDatabase()
  const stderrOfStart = async () => {
    await using server = spawnServer(database.env)
    await server.url
    server.child.kill('SIGTERM')
    return (await server.result()).stderr
  }
  expect(await stderrOfStart()).toMatch(/\/admin\/claim\?token=[\w-]{43}\n/)
  {
    await using server = await startServer({}, database)
    expect((await claim(server, tokenOf(server), await newUser(server))).status).toBe(200)
  }
  expect(await stderrOfStart()).not.toContain('/admin/claim')
  await database.drop()
})

describe('SVC_ADMIN_EMAILS', () => {
  test('accounts of SVC_ADMIN_EMAILS are admins once verified, and no link is printed', async () => {
    const [email, plain] = [uniqueEmail(), uniqueEmail()]
    await using restartable = await startRestartable({ SVC_ADMIN_EMAILS: email.toUpperCase() })
    const signUp = async (address: string): Promise<string> =>
      (
        await request(restartable.current, 'POST', '/api/auth/signup', {
          body: { email: address, password: PASSWORD, confirm_password: PASSWORD },
        })
      ).body.access_token
    const [admin, other] = [await signUp(email), await signUp(plain)]
    expect(restartable.current.claimLink).toBeUndefined()
    expect((await open(restartable.current, '')).status).toBe(410)
    expect(await isAdmin(restartable.current, admin)).toBe(false)
    await restartable.restart('update users set email_verified = true')
    expect(await isAdmin(restartable.current, admin)).toBe(true)
    expect(await isAdmin(restartable.current, other)).toBe(false)
  })
})

describe('claiming the link', () => {
  const states = async (env: Record<string, string>) => {
    await using server = await startServer(env)
    const user = await newUser(server)
    const verified = async () =>
      (await request(server, 'GET', '/api/me', { token: user.key })).body.email_verified
    const before = await verified()
    expect((await claim(server, tokenOf(server), user)).status).toBe(200)
    const { body } = await request(server, 'GET', '/api/auth/audit', { token: user.accessToken })
    const actions = body.entries.map(({ action }: { action: string }) => action)
    return [before, await verified(), actions.includes('email.verified')]
  }

  test('without a mail server, claiming verifies the address of the admin', async () => {
    expect(await states({})).toEqual([false, true, true])
  })

  test('with a mail server, claiming does not verify the address', async () => {
    await using mailbox = await startMailbox()
    expect(await states({ SVC_SMTP_URL: mailbox.url })).toEqual([false, false, false])
  })
})
