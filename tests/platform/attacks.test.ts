import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { decodeJwt, decodeProtectedHeader, SignJWT } from 'jose'
import { contract } from '../../shared/contract/index.ts'
import { linkIn, type Mailbox, startMailbox } from '../harness/mail.ts'
import { BESIDE } from '../harness/pages.ts'
import {
  newAddress,
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
  uniqueEmail,
} from '../harness/server.ts'
import { readSigningKey, reSign } from '../harness/signing-keys.ts'

const SECRET = 'a-secret-of-at-least-32-characters!'
const APP = 'https://app.example.com'
const BASE_URL = 'https://svc.example.com'

setDefaultTimeout(60_000)

let mailbox: Mailbox
let server: TestServer

beforeAll(async () => {
  mailbox = await startMailbox()
  server = await startServer({
    SVC_AUTH_SECRET: SECRET,
    SVC_BASE_URL: BASE_URL,
    SVC_FRONTEND_ORIGINS: APP,
    SVC_SMTP_URL: mailbox.url,
    SVC_OAUTH_GITHUB_ID: 'client',
    SVC_OAUTH_GITHUB_SECRET: 'a secret of a client',
  })
})
afterAll(async () => {
  await server.stop()
  await mailbox[Symbol.asyncDispose]()
})

const me = (token: string) => request(server, 'GET', '/api/me', { token })
const refresh = (headers: Record<string, string>) =>
  request(server, 'POST', '/api/auth/refresh', { headers })
const statusesOf = (answers: { status: number }[]) => answers.map(({ status }) => status)

/** Writes raw bytes that no HTTP client sends, and ends the connection. */
const sendRaw = (bytes: string): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { hostname, port } = new URL(server.url)
  let answer = ''
  const socket = connect(Number(port), hostname, () => socket.end(bytes))
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  socket.on('error', () => {})
  socket.on('close', () => resolve(answer))
  return promise
}
const rawGet = (path: string, headers: string[] = []) =>
  sendRaw([`GET ${path} HTTP/1.1`, 'Host: x', 'Connection: close', ...headers, '', ''].join('\r\n'))
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

describe('a forged token', () => {
  const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const sign = (claims: object, header: object = {}, secret = SECRET) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ ...header, alg: 'HS256' })
      .sign(new TextEncoder().encode(secret))
  const parts = ({ accessToken }: TestUser) => ({
    claims: decodeJwt(accessToken),
    header: decodeProtectedHeader(accessToken),
    text: accessToken.split('.') as [string, string, string],
  })

  const made: Record<string, (user: TestUser) => string | Promise<string>> = {
    'with alg none in another case': (user) => {
      const { header, text } = parts(user)
      return `${base64({ ...header, alg: 'NoNe' })}.${text[1]}.`
    },
    'with an empty signature': (user) => parts(user).text.slice(0, 2).join('.').concat('.'),
    'with its signature cut short': ({ accessToken }) => accessToken.slice(0, -2),
    'with HS384': (user) =>
      reSign(parts(user).text.join('.'), Buffer.from(SECRET.repeat(2)), {}, { alg: 'HS384' }),
    'with RS256 and a key of their own': (user) => {
      const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
      const { claims, header } = parts(user)
      return new SignJWT(claims)
        .setProtectedHeader({ ...header, alg: 'RS256', jwk: publicKey.export({ format: 'jwk' }) })
        .sign(privateKey)
    },
    'that brings its key along': (user) => {
      const jwk = { kty: 'oct', k: Buffer.from('x'.repeat(32)).toString('base64url') }
      return sign(parts(user).claims, { ...parts(user).header, jwk }, 'x'.repeat(32))
    },
    'that names a key URL': (user) =>
      sign(
        parts(user).claims,
        { ...parts(user).header, jku: 'http://127.0.0.1:1/keys' },
        'x'.repeat(32),
      ),
    'whose kid is a path to an empty file': (user) =>
      sign(parts(user).claims, { ...parts(user).header, kid: '../../../dev/null' }, '\0'),
    'whose kid is a statement': (user) =>
      sign(parts(user).claims, { ...parts(user).header, kid: "' union select 'x" }, 'x'),
    'that demands an extension': (user) => {
      const { header, text } = parts(user)
      return `${base64({ ...header, crit: ['x'], x: 1 })}.${text[1]}.${text[2]}`
    },
    'that begins in the future': async ({ accessToken }) =>
      reSign(accessToken, await readSigningKey(server.database, SECRET), {
        nbf: Math.floor(Date.now() / 1000) + 600,
      }),
    'for several other audiences': async ({ accessToken }) =>
      reSign(accessToken, await readSigningKey(server.database, SECRET), {
        aud: ['svc:refresh', 'svc:partial'],
      }),
    'that is huge': (user) => `${parts(user).text.join('.')}${'A'.repeat(8000)}`,
  }
  for (const [what, make] of Object.entries(made))
    test(`a token ${what} is refused as an access token and as a cookie`, async () => {
      const user = await newUser(server)
      const token = await make(user)
      expect(token).not.toBe(user.accessToken)
      expect((await me(token)).status).toBe(401)
      expect((await refresh({ cookie: `refresh_token=${token}` })).status).toBe(401)
      expect((await me(user.accessToken)).status).toBe(200)
    })

  test('a token of another installation is refused, although it has the same address', async () => {
    await using other = await startServer({ SVC_BASE_URL: BASE_URL })
    const otherUser = await newUser(other)
    expect((await me(otherUser.accessToken)).status).toBe(401)
    expect((await me(otherUser.key)).status).toBe(401)
    const cookie = `refresh_token=${otherUser.refreshToken}`
    expect((await refresh({ cookie })).status).toBe(401)
  })

  test('handoff tokens, mailed tokens and access tokens are not interchangeable', async () => {
    const user = await newUser(server)
    const minted = await request(server, 'POST', '/api/auth/handoff/mint', {
      cookie: user.refreshToken,
      body: { target_origin: APP },
    })
    const mailed = linkIn(await mailbox.next(user.email)).searchParams.get('token') ?? ''
    const github = await request(server, 'GET', '/api/auth/oauth/github/authorize')
    const state = new URL(github.body.authorize_url).searchParams.get('state') ?? ''
    for (const token of [minted.body.token, mailed, state, user.refreshToken]) {
      expect(token.length).toBeGreaterThan(40)
      expect((await me(token)).status).toBe(401)
    }
    const exchange = (token: string) =>
      request(server, 'POST', '/api/auth/handoff/exchange', {
        headers: { origin: APP },
        body: { token },
      })
    const verify = (token: string) =>
      request(server, 'POST', '/api/auth/verify-email', { body: { token } })
    for (const token of [user.accessToken, mailed, state])
      expect((await exchange(token)).status).toBe(400)
    expect(statusesOf([await verify(user.accessToken), await verify(minted.body.token)])).toEqual([
      400, 410,
    ])
    const reset = await request(server, 'POST', '/api/auth/reset-password', {
      body: { token: mailed, password: 'another long password' },
    })
    expect(reset.status).toBe(400)
    expect((await exchange(minted.body.token)).status).toBe(200)
  })
})

describe('a planted cookie', () => {
  test('two refresh cookies sign in the owner of one of them and no other user', async () => {
    const [user, attacker] = await Promise.all([newUser(server), newUser(server)])
    const cookies = [user.refreshToken, attacker.refreshToken].map((v) => `refresh_token=${v}`)
    for (const cookie of [cookies.join('; '), cookies.toReversed().join('; ')]) {
      const answer = await refresh({ cookie })
      expect(answer.status).toBe(200)
      expect([user.id, attacker.id]).toContain((await me(answer.body.access_token)).body.id)
    }
  })

  const planted: Record<string, (good: string) => string> = {
    'with attributes': (good) => `$Version=1; refresh_token="${good}x"; $Path=/`,
    'under another case of the name': (good) => `Refresh_Token=${good}`,
    'under a prefixed name': (good) => `__Host-refresh_token=${good}`,
    'that is oversized': (good) => `refresh_token=${good}${'x'.repeat(12_000)}`,
    'that ends within an escape': (good) => `refresh_token=${good}%E0%A4%A`,
    'that is JSON': () => 'refresh_token={"sub":"x","gen":0}',
    'that is empty': () => 'refresh_token=; refresh_token',
    'named like a prototype': () => '__proto__=x; constructor=y',
  }
  for (const [what, make] of Object.entries(planted))
    test(`a refresh cookie ${what} is refused`, async () => {
      const user = await newUser(server)
      expect((await refresh({ cookie: make(user.refreshToken) })).status).toBe(401)
      expect((await refresh({ cookie: `refresh_token=${user.refreshToken}` })).status).toBe(200)
    })
})

describe('a foreign Origin', () => {
  const FOREIGN = [
    'https://app.example.com.evil.test',
    'https://evilapp.example.com',
    'https://sub.app.example.com',
    'http://app.example.com',
    'https://app.example.com:444',
    'https://app.example.com:443',
    'https://APP.example.com',
    'https://app.example.com.',
    'https://app.example.com@evil.test',
    'https://evil.test#https://app.example.com',
    'https://app.example.com, https://evil.test',
    'https://svc.example.com.evil.test',
    'http://svc.example.com',
    'http://127.0.0.1',
    'null',
    'file://',
    '*',
  ]
  const cookieRows = contract.filter(({ credential }) =>
    ['cookie', 'browser', 'session'].includes(credential),
  )
  /** Apps may post these from their own origin (OpenID Connect Core 1.0, section 3.1.2.1). They lead to a page, and do nothing. */
  const REDIRECTS = ['authorize', 'end-session'].map((name) => `POST /api/auth/mcp/oauth/${name}`)
  /** Forms of the server's own pages, which a web app on an allowed origin must not send either. */
  const forms = BESIDE.filter((route) => route.startsWith('POST ') && !REDIRECTS.includes(route))
  const rows: [route: string, origins: string[]][] = [
    ...cookieRows.map(({ method, path }): [string, string[]] => [`${method} ${path}`, FOREIGN]),
    ...forms.map((route): [string, string[]] => [route, [...FOREIGN, APP]]),
  ]

  test('every endpoint that accepts the cookie, and every form, is in the list of this test', () => {
    expect(cookieRows.length).toBeGreaterThanOrEqual(6)
    expect(forms.length).toBeGreaterThanOrEqual(29)
  })

  for (const route of REDIRECTS)
    test(`a foreign Origin gets only a redirect to the page from ${route}`, async () => {
      const [method = '', path = ''] = route.split(' ')
      const user = await newUser(server)
      const { status, headers } = await request(server, method, path, {
        cookie: user.refreshToken,
        body: 'state=a',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: 'https://evil.test',
        },
      })
      expect([status, headers.get('location')]).toEqual([303, `${path}?state=a`])
      expect(headers.getSetCookie()).toEqual([])
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect((await me(user.accessToken)).status).toBe(200)
    })

  for (const [route, origins] of rows)
    test(`a foreign Origin cannot use ${route}`, async () => {
      const [method = '', path = ''] = route.replace(/\{\w+\}/g, randomUUID()).split(' ')
      const user = await newUser(server)
      for (const origin of origins) {
        const answer = await request(server, method, path, {
          cookie: user.refreshToken,
          headers: { origin },
        })
        expect([origin, answer.status, answer.body]).toEqual([
          origin,
          403,
          { detail: 'Origin not allowed' },
        ])
        expect(answer.headers.getSetCookie()).toEqual([])
        const readable = answer.headers.get('access-control-allow-origin')
        expect(readable).toBe(origin === APP ? APP : null)
      }
      expect((await me(user.accessToken)).status).toBe(200)
    })
})

describe('forged request headers', () => {
  const NAMES = ['x-real-ip', 'forwarded', 'x-client-ip', 'cf-connecting-ip', 'true-client-ip']

  test('forged headers do not change the client address', async () => {
    const from = newAddress()
    const attempt = () => {
      const made = newAddress()
      const headers = NAMES.map((name) => [name, name === 'forwarded' ? `for=${made}` : made])
      return request(server, 'POST', '/api/auth/signin', {
        from,
        headers: Object.fromEntries(headers),
        body: {},
      })
    }
    const answers = await Promise.all(Array.from({ length: 10 }, attempt))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(5)
  })

  const evil = {
    host: 'evil.test',
    'x-forwarded-host': 'evil.test',
    'x-forwarded-proto': 'http',
    'x-forwarded-port': '1',
    'x-original-url': '/evil',
    'x-rewrite-url': '/evil',
    forwarded: 'host=evil.test;proto=http',
  }

  test('forged headers do not change the links of emails or the redirect_uri of providers', async () => {
    const user = await newUser(server)
    await mailbox.next(user.email)
    await request(server, 'POST', '/api/auth/forgot-password', {
      headers: evil,
      body: { email: user.email },
    })
    const mail = await mailbox.next(user.email)
    expect(linkIn(mail).origin).toBe(BASE_URL)
    expect(`${mail.text}${mail.html}`).not.toContain('evil')

    const github = await request(server, 'GET', '/api/auth/oauth/github/authorize', {
      headers: evil,
    })
    expect(new URL(github.body.redirect_uri).origin).toBe(BASE_URL)
    expect(github.text).not.toContain('evil')

    const device = await request(server, 'POST', '/api/auth/mcp/start', { headers: evil, body: {} })
    expect(device.body.verification_uri).toStartWith(BASE_URL)
    expect(device.text).not.toContain('evil')
  })

  test('forged headers do not appear in pages and redirects, nor change the path', async () => {
    for (const path of ['/', '/reset', '/device', '/api/openapi.json', '/api/health']) {
      const answer = await request(server, 'GET', path, { headers: evil })
      expect(answer.text).not.toContain('evil')
      expect(answer.headers.get('location') ?? '').not.toContain('evil')
    }
  })

  test('forged headers do not change the method', async () => {
    const user = await newUser(server)
    const headers = {
      'x-http-method-override': 'DELETE',
      'x-http-method': 'DELETE',
      'x-method-override': 'DELETE',
    }
    const path = `/api/auth/api-keys/${user.keyId}`
    for (const method of ['GET', 'POST'])
      expect(
        (
          await request(server, method, `${path}?_method=DELETE`, {
            token: user.accessToken,
            headers,
          })
        ).status,
      ).toBe(404)
    await request(server, 'GET', '/api/auth/sessions', { token: user.accessToken, headers })
    expect(statusesOf([await me(user.key), await me(user.accessToken)])).toEqual([200, 200])
  })

  test('headers of 300 KB are refused, and other requests are served', async () => {
    const answer = await rawGet('/api/health', [`X-Large: ${'x'.repeat(300_000)}`])
    expect(answer).not.toContain('HTTP/1.1 200')
    expect((await request(server, 'GET', '/api/health')).status).toBe(200)
  })
})

describe('line breaks and markup', () => {
  const INJECTED = 'Ann\r\nSet-Cookie: planted=1\r\n\r\n<script>alert(1)</script>'

  test('markup in a display name stays text, and adds no email header', async () => {
    const user = await newUser(server)
    const answers = [
      await request(server, 'PUT', '/api/profile', {
        token: user.key,
        body: { display_name: INJECTED.slice(0, 50) },
      }),
      await request(server, 'GET', '/api/profile', { token: user.key }),
      await me(user.key),
    ]
    for (const { headers } of answers) {
      expect(headers.getSetCookie()).toEqual([])
      expect(headers.get('content-type')).toStartWith('application/json')
    }
  })

  test('markup in a client name is text on the page', async () => {
    const user = await newUser(server)
    const started = await request(server, 'POST', '/api/auth/mcp/start', {
      body: { client_name: INJECTED },
    })
    expect([started.status, started.headers.getSetCookie()]).toEqual([200, []])
    const page = await request(
      server,
      'GET',
      `/api/auth/mcp/device?user_code=${started.body.user_code}`,
      { cookie: user.refreshToken },
    )
    expect([page.status, page.headers.getSetCookie()]).toEqual([200, []])
    expect(page.text).not.toContain('<script>')
  })

  test('line breaks in an email address send no email', async () => {
    const email = uniqueEmail()
    for (const injected of [
      `${email}\r\nBcc: victim@example.com`,
      `${email}\nSubject: x`,
      `"${email}\r\nRCPT TO:<victim@example.com>"@example.com`,
      `${email},victim@example.com`,
      `<${email}>`,
    ]) {
      const body = { email: injected, password: PASSWORD, confirm_password: PASSWORD }
      const signedUp = await request(server, 'POST', '/api/auth/signup', { body })
      expect([injected, signedUp.status]).toEqual([injected, 400])
      await request(server, 'POST', '/api/auth/forgot-password', { body: { email: injected } })
    }
    const user = await newUser(server)
    await mailbox.next(user.email)
    expect(mailbox.mails.flatMap(({ to }) => to)).not.toContain('victim@example.com')
  })

  test('line breaks in a query add no header to a redirect', async () => {
    for (const path of ['/device?user_code=', '/admin/claim?token=', '/verify?token=']) {
      const answer = await request(server, 'GET', `${path}%0d%0aSet-Cookie:%20planted=1`)
      expect(answer.status).toBeLessThan(500)
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    const returned = await request(
      server,
      'GET',
      '/api/auth/oauth/github/callback?state=x&error=%0d%0aLocation:%20https://evil.test',
    )
    expect([returned.status, returned.headers.get('location')]).toEqual([400, null])
  })
})

test('undeclared fields change nothing, at any endpoint', async () => {
  const user = await newUser(server)
  const wanted = {
    id: randomUUID(),
    user_id: randomUUID(),
    is_admin: true,
    isAdmin: true,
    tier: 'conscious',
    email: 'boss@example.com',
    email_verified: true,
    emailVerified: true,
    username: 'boss',
    password_hash: 'x',
  }
  const before = (await me(user.accessToken)).body
  const send = (method: string, path: string, body: object, token = user.accessToken) =>
    request(server, method, path, { token, body: { ...wanted, ...body } })
  const answers = [
    await send('PUT', '/api/profile', { display_name: before.display_name }),
    await send('PUT', '/api/preferences/auto_learn_urls', { value: 'off' }),
    await send('PUT', '/api/auth/instructions', { instructions: 'x' }),
    await send('POST', '/api/auth/api-keys', { name: 'x' }),
    await send('POST', '/api/remember', { content: 'x' }, user.key),
    await send('POST', '/api/auth/change-password', {
      current_password: PASSWORD,
      new_password: `${PASSWORD} again`,
    }),
  ]
  expect(statusesOf(answers)).toEqual([200, 200, 200, 201, 201, 200])
  expect((await me(user.accessToken)).body).toEqual(before)
  expect((await me(user.key)).body).toMatchObject({ id: user.id, is_admin: false })
})

describe('a disguised path', () => {
  const PATHS = [
    '//api/me',
    '/api//me',
    '/api/./me',
    '/api/../api/me',
    '/api/health/../me',
    '/api/health/..%2fme',
    '/api/%2e%2e/api/me',
    '/api%2fme',
    '/api/me/',
    '/api/me/.',
    '/API/ME',
    '/api/me;x=1',
    '/api/me%00',
    '/api/me%20',
    '/api\\me',
    'http://evil.test/api/me',
    '/api/me#/api/health',
  ]
  for (const path of PATHS)
    test(`${path} returns no user data without a credential`, async () => {
      const anonymous = await rawGet(path)
      expect(statusOf(anonymous)).toBeOneOf([400, 401, 404])
      expect(anonymous).not.toContain('"email"')
    })

  test('a disguised path serves no file of the server', async () => {
    for (const path of [
      '/../package.json',
      '/api/avatars/../../package.json',
      '/api/avatars/..%2f..%2fpackage.json',
      '/%2e%2e/%2e%2e/etc/passwd',
      '/.env',
      '/auth-secret',
    ])
      expect(statusOf(await rawGet(path))).toBeOneOf([400, 404])
  })
})

test('after two hundred truncated bodies the server still serves and stops', async () => {
  const user = await newUser(server)
  const head = [
    'POST /api/remember HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${user.key}`,
    'Content-Type: application/json',
    'Content-Length: 5000',
    '',
    '{"content": "never finished',
  ].join('\r\n')
  await Promise.all(Array.from({ length: 200 }, () => sendRaw(head)))
  const answers = await Promise.all(Array.from({ length: 20 }, () => me(user.key)))
  expect(new Set(statusesOf(answers))).toEqual(new Set([200]))
  const listed = await request(server, 'GET', '/api/memories', { token: user.key })
  expect(listed.text).not.toContain('never finished')
})
