import { describe, expect, test } from 'bun:test'
import { startRestartable } from '../harness/http.ts'
import {
  cookieValue,
  newUser,
  request,
  type TestServer,
  type TestUser,
  useServer,
} from '../harness/server.ts'

const APP = 'https://app.example.com'
const OTHER_APP = 'https://other.example.net'
const server = useServer({ SVC_FRONTEND_ORIGINS: `${APP},${OTHER_APP}` })

const mint = (
  cookie: string | undefined,
  target_origin: unknown = APP,
  target: TestServer = server.current,
) =>
  request(target, 'POST', '/api/auth/handoff/mint', {
    body: { target_origin },
    ...(cookie && { cookie }),
  })
const mintToken = async (user: TestUser, origin = APP, target: TestServer = server.current) =>
  (await mint(user.refreshToken, origin, target)).body.token as string
const exchange = (
  token: unknown,
  origin: string | null = APP,
  target: TestServer = server.current,
) =>
  request(target, 'POST', '/api/auth/handoff/exchange', {
    body: { token },
    headers: origin === null ? {} : { origin },
  })

const refused = [400, { detail: 'Invalid handoff token' }, undefined]
const summaryOf = ({ status, body, cookie }: Awaited<ReturnType<typeof exchange>>) => [
  status,
  body,
  cookie,
]

/** Origins that resemble an allow-listed one. */
const SIMILAR_ORIGINS = [
  'https://app.example.com.evil.example',
  'https://evil-app.example.com',
  'https://app.example.com@evil.example',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com/',
  'https://APP.example.com',
  'https://app.example.com.',
  '//app.example.com',
  'app.example.com',
  'null',
  '*',
  '',
]

describe('a handoff token', () => {
  test('a signed-in browser mints a token for an allow-listed origin', async () => {
    const user = await newUser(server.current)
    const answer = await mint(user.refreshToken)
    expect([answer.status, answer.body]).toEqual([
      200,
      { token: expect.stringMatching(/^[\w-]{43}$/) },
    ])
    expect(answer.cookie).toBeUndefined()
    expect(await mintToken(user)).not.toBe(answer.body.token)
  })

  test('exchanging the token starts a new session with its cookie on that origin', async () => {
    const user = await newUser(server.current)
    const answer = await exchange(await mintToken(user))
    expect([answer.status, answer.body]).toEqual([
      200,
      { user_id: user.id, email: user.email, access_token: expect.any(String) },
    ])
    expect(answer.headers.get('access-control-allow-origin')).toBe(APP)
    expect(answer.headers.get('access-control-allow-credentials')).toBe('true')
    for (const attribute of ['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/api/auth'])
      expect(answer.cookie).toContain(attribute)

    const signOut = await request(server.current, 'POST', '/api/auth/signout', {
      cookie: user.refreshToken,
    })
    expect(signOut.status).toBe(200)
    const me = await request(server.current, 'GET', '/api/auth/me', {
      token: answer.body.access_token,
    })
    expect([me.status, me.body.id]).toEqual([200, user.id])
    const refreshed = await request(server.current, 'POST', '/api/auth/refresh', {
      cookie: cookieValue(answer.cookie),
    })
    expect(refreshed.status).toBe(200)
  })

  test('a handoff token works once', async () => {
    const token = await mintToken(await newUser(server.current))
    expect((await exchange(token)).status).toBe(200)
    expect(summaryOf(await exchange(token))).toEqual(refused)
  })

  test('fifty parallel exchanges sign in once', async () => {
    const token = await mintToken(await newUser(server.current))
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(token)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    for (const answer of answers)
      if (answer.status !== 200) expect(summaryOf(answer)).toEqual(refused)
  })

  test('another origin is refused, and the token stays valid for its own', async () => {
    const token = await mintToken(await newUser(server.current))
    for (const origin of [OTHER_APP, server.current.baseUrl, null, ...SIMILAR_ORIGINS])
      expect([origin, ...summaryOf(await exchange(token, origin))]).toEqual([origin, ...refused])
    expect((await exchange(token)).status).toBe(200)
  })

  test('a token for another allow-listed origin works only there', async () => {
    const token = await mintToken(await newUser(server.current), OTHER_APP)
    expect(summaryOf(await exchange(token, APP))).toEqual(refused)
    expect((await exchange(token, OTHER_APP)).status).toBe(200)
  })

  test('a token ends with the session that minted it', async () => {
    const user = await newUser(server.current)
    const token = await mintToken(user)
    await request(server.current, 'POST', '/api/auth/signout', { cookie: user.refreshToken })
    expect(summaryOf(await exchange(token))).toEqual(refused)
  })

  test('unknown and malformed tokens have the same error', async () => {
    const user = await newUser(server.current)
    const token = await mintToken(user)
    for (const wrong of [
      'x'.repeat(43),
      `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      `${token} `,
      token.toUpperCase(),
      user.accessToken,
      user.refreshToken,
      user.key,
      'x'.repeat(10_000),
      '',
      null,
      7,
      [token],
      undefined,
    ])
      expect(summaryOf(await exchange(wrong))).toEqual(refused)
    expect((await exchange(token)).status).toBe(200)
  })

  test('a token expires after 60 seconds', async () => {
    await using other = await startRestartable({ SVC_FRONTEND_ORIGINS: APP })
    const user = await newUser(other.current)
    const [nearlyOver, over] = [
      await mintToken(user, APP, other.current),
      await mintToken(user, APP, other.current),
    ]
    const hash = (token: string) => new Bun.CryptoHasher('sha256').update(token).digest('hex')
    const until = (token: string, seconds: number) =>
      `update handoffs set expires_at = expires_at - interval '60 seconds' + interval '${seconds} seconds' where token_hash = '${hash(token)}'`
    await other.change(until(nearlyOver, 50), until(over, 0))
    expect(summaryOf(await exchange(over, APP, other.current))).toEqual(refused)
    expect((await exchange(nearlyOver, APP, other.current)).status).toBe(200)
  })

  test('a token for an origin that left the allow list is refused', async () => {
    await using other = await startRestartable({ SVC_FRONTEND_ORIGINS: APP })
    const token = await mintToken(await newUser(other.current), APP, other.current)
    await other.change(`update handoffs set target_origin = '${OTHER_APP}'`)
    expect(summaryOf(await exchange(token, OTHER_APP, other.current))).toEqual(refused)
  })

  test('the token is neither logged nor stored', async () => {
    await using other = await startRestartable({ SVC_FRONTEND_ORIGINS: APP })
    const token = await mintToken(await newUser(other.current), APP, other.current)
    await exchange(token, OTHER_APP, other.current)
    expect((await exchange(token, APP, other.current)).status).toBe(200)
    expect(other.current.log.join('\n')).not.toContain(token)
    await other.change(
      `do $$ begin if exists (select from handoffs h where h::text like '%${token}%') then raise 'the token is kept'; end if; end $$`,
    )
  })
})

describe('minting a handoff token', () => {
  test('minting requires the cookie of a live session', async () => {
    const user = await newUser(server.current)
    const body = { target_origin: APP }
    const path = '/api/auth/handoff/mint'
    const answers = [
      await mint(undefined),
      await mint('no-token'),
      await mint(user.accessToken),
      await request(server.current, 'POST', path, { body, token: user.accessToken }),
      await request(server.current, 'POST', path, { body, token: user.key }),
    ]
    await request(server.current, 'POST', '/api/auth/signout', { cookie: user.refreshToken })
    answers.push(await mint(user.refreshToken))
    for (const { status, body } of answers)
      expect([status, body]).toEqual([401, { detail: 'Could not validate credentials' }])
  })

  test('an origin that is not on the allow list is refused, similar ones too', async () => {
    const { refreshToken } = await newUser(server.current)
    for (const origin of ['https://evil.example', server.current.baseUrl, ...SIMILAR_ORIGINS]) {
      const { status, body } = await mint(refreshToken, origin)
      expect([origin, status, body]).toEqual([origin, 400, { detail: 'Origin not allowed' }])
    }
  })

  test('a missing or non-string origin is 422', async () => {
    const { refreshToken } = await newUser(server.current)
    for (const [value, type] of [
      [undefined, 'missing'],
      [7, 'string_type'],
    ] as const) {
      const { status, body } = await request(server.current, 'POST', '/api/auth/handoff/mint', {
        cookie: refreshToken,
        body: { target_origin: value },
      })
      expect([status, body.detail[0]]).toMatchObject([
        422,
        { loc: ['body', 'target_origin'], type },
      ])
    }
  })

  test('a page of another origin cannot mint a token', async () => {
    const { refreshToken } = await newUser(server.current)
    const { status, body } = await request(server.current, 'POST', '/api/auth/handoff/mint', {
      cookie: refreshToken,
      headers: { origin: 'https://evil.example' },
      body: { target_origin: APP },
    })
    expect([status, body]).toEqual([403, { detail: 'Origin not allowed' }])
  })
})
