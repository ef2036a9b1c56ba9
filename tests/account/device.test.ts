import { describe, expect, test } from 'bun:test'
import { startRestartable } from '../harness/http.ts'
import {
  cookieValue,
  newAddress,
  newUser,
  PASSWORD,
  request,
  type TestServer,
  type TestUser,
  uniqueEmail,
  useSharedServer,
} from '../harness/server.ts'

const server = useSharedServer()
const PAGE = '/api/auth/mcp/device'

const start = async (body: unknown = {}, target: TestServer = server.current) =>
  (await request(target, 'POST', '/api/auth/mcp/start', { body })).body
const poll = (device_code: string, target: TestServer = server.current) =>
  request(target, 'POST', '/api/auth/mcp/poll', { body: { device_code } })
const decide = (
  { accessToken: token }: TestUser,
  user_code: string,
  approve: boolean,
  target: TestServer = server.current,
) => request(target, 'POST', '/api/auth/mcp/authorize', { token, body: { user_code, approve } })
const send = ({ accessToken: token }: TestUser, code: string, from?: string) =>
  request(server.current, 'GET', `/api/auth/mcp/authorize?user_code=${encodeURIComponent(code)}`, {
    token,
    ...(from && { from }),
  })

describe('a device login', () => {
  test('starting more than 60 device logins an hour from one address is 429', async () => {
    const from = newAddress()
    const answers = await Promise.all(
      Array.from({ length: 61 }, () =>
        request(server.current, 'POST', '/api/auth/mcp/start', { body: {}, from }),
      ),
    )
    expect(answers.filter(({ status }) => status !== 200).map(({ status }) => status)).toEqual([
      429,
    ])
  })

  test('starting a device login returns a device code and a user code', async () => {
    const login = await start()
    expect(login).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${server.current.baseUrl}/device`,
      verification_uri_complete: `${server.current.baseUrl}/device?user_code=${login.user_code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  test('the question shows client name, address and requested access', async () => {
    const user = await newUser(server.current)
    const { user_code } = await start({ client_name: '  svc on a laptop ', session: true })
    for (const typed of [user_code, user_code.toLowerCase(), user_code.replace('-', ' ')])
      expect((await send(user, typed)).body).toEqual({
        client_name: 'svc on a laptop',
        session: true,
        created_at: expect.any(String),
        ip: expect.stringMatching(/^198\.18\./),
      })
  })

  test('an approved device login delivers a working API key of the user', async () => {
    const user = await newUser(server.current)
    const { device_code, user_code } = await start({ client_name: 'my app' })
    expect((await decide(user, user_code, true)).body).toEqual({ status: 'approved' })
    const answer = await poll(device_code)
    expect(answer.body).toEqual({
      status: 'approved',
      api_key: expect.stringMatching(/^svc_/),
      key_id: expect.any(String),
      user: expect.objectContaining({ id: user.id, email: user.email }),
    })
    expect(answer.cookie).toBeUndefined()
    const me = await request(server.current, 'GET', '/api/me', { token: answer.body.api_key })
    expect(me.body).toMatchObject({ id: user.id, credential: 'api_key' })
    const keys = await request(server.current, 'GET', '/api/auth/api-keys', {
      token: user.accessToken,
    })
    expect(keys.body[0]).toMatchObject({ id: answer.body.key_id, name: 'my app' })
  })

  test('an approved session login delivers a session with its cookie too', async () => {
    const user = await newUser(server.current)
    const { device_code, user_code } = await start({ session: true })
    await decide(user, user_code, true)
    const { body, cookie } = await poll(device_code)
    expect(body).toMatchObject({ status: 'approved', token_type: 'bearer' })
    const keys = await request(server.current, 'GET', '/api/auth/api-keys', {
      token: body.access_token,
    })
    expect(keys.status).toBe(200)
    const refreshed = await request(server.current, 'POST', '/api/auth/refresh', {
      cookie: cookieValue(cookie),
    })
    expect(refreshed.status).toBe(200)
  })

  test('twenty parallel polls receive the key once', async () => {
    const user = await newUser(server.current)
    const { device_code, user_code } = await start()
    await decide(user, user_code, true)
    const answers = await Promise.all(Array.from({ length: 20 }, () => poll(device_code)))
    expect(answers.filter(({ body }) => body.api_key)).toHaveLength(1)
    for (const { status, body } of answers)
      if (!body.api_key) expect(status === 410 || body.status === 'slow_down').toBe(true)
    const keys = await request(server.current, 'GET', '/api/auth/api-keys', {
      token: user.accessToken,
    })
    expect(keys.body).toHaveLength(2)
    expect((await poll(device_code)).status).toBe(410)
  })

  test('polling a pending login too often returns slow_down', async () => {
    const { device_code } = await start()
    expect((await poll(device_code)).body).toEqual({ status: 'pending', interval: 5 })
    expect((await poll(device_code)).body).toEqual({ status: 'slow_down', interval: 10 })
    expect((await poll(device_code)).body).toEqual({ status: 'slow_down', interval: 15 })
  })

  test('a denied login stays denied and cannot be approved', async () => {
    const user = await newUser(server.current)
    const { device_code, user_code } = await start()
    expect((await decide(user, user_code, false)).body).toEqual({ status: 'denied' })
    expect((await poll(device_code)).body).toEqual({ status: 'denied' })
    expect((await decide(user, user_code, true)).status).toBe(404)
    expect((await send(user, user_code)).status).toBe(404)
  })

  test('two parallel decisions decide a login once', async () => {
    const user = await newUser(server.current)
    const { user_code } = await start()
    const answers = await Promise.all([true, false].map((yes) => decide(user, user_code, yes)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test('a device login expires after ten minutes, approved or not', async () => {
    await using it = await startRestartable()
    const user = await newUser(it.current)
    const [waiting, approved] = [await start({}, it.current), await start({}, it.current)]
    await decide(user, approved.user_code, true, it.current)
    await it.change(`update device_logins set expires_at = now() - interval '1 second'`)
    for (const { device_code } of [waiting, approved])
      expect((await poll(device_code, it.current)).status).toBe(410)
    expect((await decide(user, waiting.user_code, true, it.current)).status).toBe(404)
  })

  test('polling an unknown device code is 400', async () => {
    expect((await poll('no-such-code')).status).toBe(400)
  })

  test('an API key cannot view or approve a device login', async () => {
    const { key } = await newUser(server.current)
    const { user_code } = await start()
    const answer = await request(server.current, 'POST', '/api/auth/mcp/authorize', {
      token: key,
      body: { user_code, approve: true },
    })
    expect(answer.status).toBe(403)
  })
})

describe('wrong user codes', () => {
  test('five wrong codes block the account from every address', async () => {
    const user = await newUser(server.current)
    const { user_code } = await start()
    for (let i = 0; i < 5; i++) expect((await send(user, 'BBBB-BBBB')).status).toBe(404)
    expect((await send(user, user_code)).status).toBe(429)
    expect((await decide(user, user_code, true)).status).toBe(429)
  })

  test('five wrong codes block the address for every account', async () => {
    const from = newAddress()
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    const { user_code } = await start()
    for (let i = 0; i < 5; i++) await send(ada, 'CCCC-CCCC', from)
    expect((await send(bob, user_code, from)).status).toBe(429)
    expect((await send(bob, user_code)).status).toBe(200)
  })

  test('fifty parallel wrong codes make five attempts', async () => {
    const user = await newUser(server.current)
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(user, 'DDDD-DDDD')))
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45)
  })

  test('correct codes do not count', async () => {
    const user = await newUser(server.current)
    const from = newAddress()
    const { user_code } = await start()
    for (let i = 0; i < 8; i++) expect((await send(user, user_code, from)).status).toBe(200)
  })
})

describe('the consent page of a device login', () => {
  const post = (
    path: string,
    fields: Record<string, string>,
    options: { cookie?: string; origin?: string | null } = {},
  ) =>
    request(server.current, 'POST', `${PAGE}${path}`, {
      body: new URLSearchParams(fields).toString(),
      ...(options.cookie && { cookie: options.cookie }),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(options.origin !== null && { origin: options.origin ?? server.current.baseUrl }),
      },
    })
  const open = (code: string, cookie?: string) =>
    request(server.current, 'GET', `${PAGE}?user_code=${code}`, { ...(cookie && { cookie }) })

  test('/device redirects to the page with the code', async () => {
    const answer = await request(server.current, 'GET', '/device?user_code=bcdf-ghjk')
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `${PAGE}?user_code=BCDF-GHJK`,
    ])
  })

  test('a signed-out user signs in and then sees the question', async () => {
    const user = await newUser(server.current)
    const { user_code } = await start({ client_name: 'My app' })
    const form = await open(user_code)
    expect(form.status).toBe(200)
    expect(form.text).toContain('type="password"')
    expect(form.text).toContain(user_code)
    expect(form.text).not.toContain('My app')
    const signedIn = await post('/signin', { user_code, email: user.email, password: PASSWORD })
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([
      303,
      `${PAGE}?user_code=${user_code}`,
    ])
    const question = await open(user_code, cookieValue(signedIn.cookie))
    expect(question.text).toContain('Allow My app to use your account?')
    expect(question.text).toContain(user.email)
  })

  test('a failed sign-in shows the error and sets no cookie', async () => {
    const user = await newUser(server.current)
    const wrong = await post('/signin', { user_code: '', email: user.email, password: 'wrong' })
    expect(wrong.status).toBe(401)
    expect(wrong.text).toMatch(/role="alert">[^<]*Invalid email or password/)
    expect(wrong.cookie).toBeUndefined()
    for (const email of ['a\0b', 'x'.repeat(5000), ''])
      expect((await post('/signin', { email, password: 'x' })).status).toBe(401)
  })

  test('a new user signs up on the page by the rules of the API', async () => {
    const { user_code } = await start()
    const email = uniqueEmail()
    const bad = await post('/signup', {
      user_code,
      email,
      password: 'short',
      confirm_password: 'short',
    })
    expect(bad.status).toBe(400)
    expect(bad.text).toContain('role="alert"')
    const created = await post('/signup', {
      user_code,
      email,
      password: PASSWORD,
      confirm_password: PASSWORD,
    })
    expect(created.status).toBe(303)
    expect((await open(user_code, cookieValue(created.cookie))).text).toContain(email)
  })

  for (const [decision, status, words] of [
    ['approve', 'approved', 'Connected'],
    ['deny', 'denied', 'Denied'],
  ] as const)
    test(`${decision} is the status that the client polls`, async () => {
      const user = await newUser(server.current)
      const { user_code, device_code } = await start()
      const done = await post('/decide', { user_code, decision }, { cookie: user.refreshToken })
      expect(done.status).toBe(200)
      expect(done.text).toContain(words)
      expect((await poll(device_code)).body.status).toBe(status)
    })

  test('a form from another origin, or without Origin, is 403', async () => {
    const user = await newUser(server.current)
    const { user_code, device_code } = await start()
    for (const origin of [
      null,
      'null',
      'https://evil.example.com',
      `${server.current.baseUrl}.evil`,
    ]) {
      for (const path of ['/decide', '/signin', '/signup', '/signout']) {
        const answer = await post(
          path,
          { user_code, decision: 'approve', email: user.email, password: PASSWORD },
          { cookie: user.refreshToken, origin },
        )
        expect(answer.status).toBe(403)
        expect(answer.cookie).toBeUndefined()
      }
    }
    expect((await poll(device_code)).body.status).toBe('pending')
  })

  test('a decision of a signed-out user changes nothing', async () => {
    const { user_code, device_code } = await start()
    expect((await post('/decide', { user_code, decision: 'approve' })).status).toBe(303)
    expect((await poll(device_code)).body.status).toBe('pending')
  })

  test('the client name is escaped', async () => {
    const user = await newUser(server.current)
    const client_name = `<script>alert(1)</script>"'&<img src=x>`
    const { user_code } = await start({ client_name })
    const { text } = await open(user_code, user.refreshToken)
    expect(text).not.toContain('<script>')
    expect(text).not.toContain('<img')
    expect(text).toContain('&#60;script&#62;alert(1)')
    const typed = await post('/signin', { email: '"><script>x</script>', password: 'x' })
    expect(typed.text).not.toContain('<script>')
  })

  test('the page forbids scripts, frames and caching', async () => {
    const { headers } = await open('')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })

  test('signing out on the page keeps the code', async () => {
    const user = await newUser(server.current)
    const out = await post('/signout', { user_code: '' }, { cookie: user.refreshToken })
    expect(out.status).toBe(303)
    const me = await request(server.current, 'GET', '/api/me', { token: user.accessToken })
    expect(me.status).toBe(401)
  })
})
