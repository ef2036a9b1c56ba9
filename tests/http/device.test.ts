import { describe, expect, test } from 'bun:test'
import {
  cookieValue,
  newAddress,
  newUser,
  PASSWORD,
  request,
  type TestServer,
  type TestUser,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'
import { startRestartable } from './support.ts'

const server = useServer()
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
const ask = ({ accessToken: token }: TestUser, code: string, from?: string) =>
  request(server.current, 'GET', `/api/auth/mcp/authorize?user_code=${encodeURIComponent(code)}`, {
    token,
    ...(from && { from }),
  })

describe('a device login', () => {
  test('is begun 60 times an hour at most from one address', async () => {
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

  test('starts with a secret for the program and a short code for the person', async () => {
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

  test('shows the person who asks, from where, and for what', async () => {
    const user = await newUser(server.current)
    const { user_code } = await start({ client_name: '  svc on a laptop ', session: true })
    for (const typed of [user_code, user_code.toLowerCase(), user_code.replace('-', ' ')])
      expect((await ask(user, typed)).body).toEqual({
        client_name: 'svc on a laptop',
        session: true,
        created_at: expect.any(String),
        ip: expect.stringMatching(/^198\.18\./),
      })
  })

  test('that is approved delivers a key of that person which works', async () => {
    const user = await newUser(server.current)
    const { device_code, user_code } = await start({ client_name: 'my program' })
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
    expect(keys.body[0]).toMatchObject({ id: answer.body.key_id, name: 'my program' })
  })

  test('that asked for a session gets one besides, with its cookie', async () => {
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

  test('delivers its key exactly once, also to twenty polls at once', async () => {
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

  test('that waits is pending, and a program that asks too often is slowed down', async () => {
    const { device_code } = await start()
    expect((await poll(device_code)).body).toEqual({ status: 'pending', interval: 5 })
    expect((await poll(device_code)).body).toEqual({ status: 'slow_down', interval: 10 })
    expect((await poll(device_code)).body).toEqual({ status: 'slow_down', interval: 15 })
  })

  test('that is denied says so, and nobody can approve it any more', async () => {
    const user = await newUser(server.current)
    const { device_code, user_code } = await start()
    expect((await decide(user, user_code, false)).body).toEqual({ status: 'denied' })
    expect((await poll(device_code)).body).toEqual({ status: 'denied' })
    expect((await decide(user, user_code, true)).status).toBe(404)
    expect((await ask(user, user_code)).status).toBe(404)
  })

  test('is decided once, also when two decide at once', async () => {
    const user = await newUser(server.current)
    const { user_code } = await start()
    const answers = await Promise.all([true, false].map((yes) => decide(user, user_code, yes)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404])
  })

  test('ends after ten minutes, approved or not', async () => {
    await using it = await startRestartable()
    const user = await newUser(it.current)
    const [waiting, approved] = [await start({}, it.current), await start({}, it.current)]
    await decide(user, approved.user_code, true, it.current)
    await it.restart(`update device_logins set expires_at = now() - interval '1 second'`)
    for (const { device_code } of [waiting, approved])
      expect((await poll(device_code, it.current)).status).toBe(410)
    expect((await decide(user, waiting.user_code, true, it.current)).status).toBe(404)
  })

  test('of an unknown code is 400', async () => {
    expect((await poll('no-such-code')).status).toBe(400)
  })

  test('is not for an API key to look at or approve', async () => {
    const { key } = await newUser(server.current)
    const { user_code } = await start()
    const answer = await request(server.current, 'POST', '/api/auth/mcp/authorize', {
      token: key,
      body: { user_code, approve: true },
    })
    expect(answer.status).toBe(403)
  })
})

describe('five wrong codes', () => {
  test('end guessing for the account, wherever it comes from', async () => {
    const user = await newUser(server.current)
    const { user_code } = await start()
    for (let i = 0; i < 5; i++) expect((await ask(user, 'BBBB-BBBB')).status).toBe(404)
    expect((await ask(user, user_code)).status).toBe(429)
    expect((await decide(user, user_code, true)).status).toBe(429)
  })

  test('end guessing for the address, whoever asks from it', async () => {
    const from = newAddress()
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    const { user_code } = await start()
    for (let i = 0; i < 5; i++) await ask(ada, 'CCCC-CCCC', from)
    expect((await ask(bob, user_code, from)).status).toBe(429)
    expect((await ask(bob, user_code)).status).toBe(200)
  })

  test('are the most that fifty parallel guesses can try', async () => {
    const user = await newUser(server.current)
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(user, 'DDDD-DDDD')))
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(5)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(45)
  })

  test('do not count right ones', async () => {
    const user = await newUser(server.current)
    const from = newAddress()
    const { user_code } = await start()
    for (let i = 0; i < 8; i++) expect((await ask(user, user_code, from)).status).toBe(200)
  })
})

describe('the page where a person decides', () => {
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

  test('is behind the short address /device, which keeps the code', async () => {
    const answer = await request(server.current, 'GET', '/device?user_code=bcdf-ghjk')
    expect([answer.status, answer.headers.get('location')]).toEqual([
      303,
      `${PAGE}?user_code=BCDF-GHJK`,
    ])
  })

  test('asks a stranger to sign in, and then shows the question', async () => {
    const user = await newUser(server.current)
    const { user_code } = await start({ client_name: 'My program' })
    const form = await open(user_code)
    expect(form.status).toBe(200)
    expect(form.text).toContain('type="password"')
    expect(form.text).toContain(user_code)
    expect(form.text).not.toContain('My program')
    const signedIn = await post('/signin', { user_code, email: user.email, password: PASSWORD })
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([
      303,
      `${PAGE}?user_code=${user_code}`,
    ])
    const question = await open(user_code, cookieValue(signedIn.cookie))
    expect(question.text).toContain('Allow My program to use your account?')
    expect(question.text).toContain(user.email)
  })

  test('says what was wrong with a sign-in, and sets no cookie', async () => {
    const user = await newUser(server.current)
    const wrong = await post('/signin', { user_code: '', email: user.email, password: 'wrong' })
    expect(wrong.status).toBe(401)
    expect(wrong.text).toMatch(/role="alert">[^<]*Invalid email or password/)
    expect(wrong.cookie).toBeUndefined()
    for (const email of ['a\0b', 'x'.repeat(5000), ''])
      expect((await post('/signin', { email, password: 'x' })).status).toBe(401)
  })

  test('lets a newcomer make an account on the way, by the rules of signing up', async () => {
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
    const made = await post('/signup', {
      user_code,
      email,
      password: PASSWORD,
      confirm_password: PASSWORD,
    })
    expect(made.status).toBe(303)
    expect((await open(user_code, cookieValue(made.cookie))).text).toContain(email)
  })

  for (const [decision, status, words] of [
    ['approve', 'approved', 'Connected'],
    ['deny', 'denied', 'Denied'],
  ] as const)
    test(`a press on ${decision} is what the program learns`, async () => {
      const user = await newUser(server.current)
      const { user_code, device_code } = await start()
      const done = await post('/decide', { user_code, decision }, { cookie: user.refreshToken })
      expect(done.status).toBe(200)
      expect(done.text).toContain(words)
      expect((await poll(device_code)).body.status).toBe(status)
    })

  test('takes no form from elsewhere, or from nowhere', async () => {
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

  test('decides nothing for a stranger', async () => {
    const { user_code, device_code } = await start()
    expect((await post('/decide', { user_code, decision: 'approve' })).status).toBe(303)
    expect((await poll(device_code)).body.status).toBe('pending')
  })

  test('shows what a program calls itself as text, whatever it is', async () => {
    const user = await newUser(server.current)
    const client_name = `<script>alert(1)</script>"'&<img src=x>`
    const { user_code } = await start({ client_name })
    const { text } = await open(user_code, user.refreshToken)
    expect(text).not.toContain('<script')
    expect(text).not.toContain('<img')
    expect(text).toContain('&#60;script&#62;alert(1)')
    const typed = await post('/signin', { email: '"><script>x</script>', password: 'x' })
    expect(typed.text).not.toContain('<script')
  })

  test('runs no script, is shown in no frame and kept in no cache', async () => {
    const { headers } = await open('')
    const policy = headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("form-action 'self'")
    expect(policy).not.toContain('unsafe')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-frame-options')).toBe('DENY')
  })

  test('signs out whoever says that it is not them', async () => {
    const user = await newUser(server.current)
    const out = await post('/signout', { user_code: '' }, { cookie: user.refreshToken })
    expect(out.status).toBe(303)
    const me = await request(server.current, 'GET', '/api/me', { token: user.accessToken })
    expect(me.status).toBe(401)
  })
})
