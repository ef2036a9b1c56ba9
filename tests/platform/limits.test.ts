import { describe, expect, test } from 'bun:test'
import { eventually } from '../harness/eventually.ts'
import { runSql, startRestartable } from '../harness/http.ts'
import {
  newAddress,
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestUser,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'

const server = useServer()

const LIMITED = { detail: 'Too many requests. Please try again later.' }

const signUp = (from: string, target = server.current) =>
  request(target, 'POST', '/api/auth/signup', { from, body: {} })
const signIn = (from: string, target = server.current) =>
  request(target, 'POST', '/api/auth/signin', { from, body: {} })
const count = (answers: { status: number }[], status: number) =>
  answers.filter((answer) => answer.status === status).length
const many = <T>(times: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: times }, (_, index) => make(index)))

describe('the auth limiter', () => {
  test('exactly five of fifty parallel requests of an address pass the auth limiter', async () => {
    const from = newAddress()
    const answers = await many(50, () => signUp(from))
    expect([count(answers, 422), count(answers, 429)]).toEqual([5, 45])
  })

  test('the auth limiter counts its paths together, the sign-in form included, and no others', async () => {
    const from = newAddress()
    await many(20, () => request(server.current, 'GET', '/api/me', { from }))
    await many(20, () => request(server.current, 'POST', '/api/auth/refresh', { from }))
    const answers = [
      await signUp(from),
      await signIn(from),
      await request(server.current, 'POST', '/api/auth/mcp/device/signin', {
        from,
        headers: { origin: server.current.baseUrl },
        body: 'email=a%40example.com&password=x',
      }),
      await signUp(from),
      await signIn(from),
    ]
    expect(count(answers, 429)).toBe(0)
    expect((await signIn(from)).status).toBe(429)
    expect((await signUp(from)).status).toBe(429)
    expect((await request(server.current, 'GET', '/api/health', { from })).status).toBe(200)
  })

  test('the sixth request gets the body that the contract fixes and no Retry-After', async () => {
    const from = newAddress()
    await many(5, () => signUp(from))
    const { status, body, headers } = await signUp(from)
    expect([status, body]).toEqual([429, LIMITED])
    expect([...headers.keys()].filter((name) => /retry-after|ratelimit/.test(name))).toEqual([])
    expect(headers.get('x-request-id')).toBeTruthy()
  })

  test('the sixth request is refused before its body is validated', async () => {
    const from = newAddress()
    await many(5, () => signUp(from))
    const right = { email: uniqueEmail(), password: PASSWORD, confirm_password: PASSWORD }
    const refused = await request(server.current, 'POST', '/api/auth/signup', { from, body: right })
    expect(refused.status).toBe(429)
    const later = await request(server.current, 'POST', '/api/auth/signup', { body: right })
    expect(later.status).toBe(201)
  })

  test('each IPv4 address and each IPv6 /64 has its own count', async () => {
    const net = () => Math.floor(Math.random() * 0xffff).toString(16)
    const prefix = `2001:db8:${net()}:${net()}`
    const answers = await many(10, (i) => signUp(`${prefix}::${i + 1}`))
    expect(count(answers, 429)).toBe(5)
    expect((await signUp(`${prefix}:ffff:ffff:ffff:ffff`)).status).toBe(429)
    expect((await signUp(`2001:db8:${net()}:${net()}::1`)).status).toBe(422)
    expect(count(await many(10, () => signUp(newAddress())), 429)).toBe(0)
  })

  test('the client address is the one that the trusted proxy appended, not one that the client sent', async () => {
    const real = newAddress()
    const answers = await many(10, () => signUp(`${newAddress()}, ${real}, 127.0.0.1`))
    expect(count(answers, 429)).toBe(5)
  })

  test('each client has its own count, however the trusted proxy writes its address', async () => {
    const forms = [
      (address: string, i: number) => `${address}:${i + 1000}`,
      (address: string) => `"${address}"`,
      (address: string) => ` ::ffff:${address}, `,
    ]
    for (const written of forms) {
      const real = newAddress()
      const alone = await many(10, (i) => signUp(written(newAddress(), i)))
      const together = await many(10, (i) => signUp(written(real, i)))
      expect([count(alone, 429), count(together, 429)]).toEqual([0, 5])
    }
  })

  test('X-Forwarded-For from a socket that is no trusted proxy is ignored', async () => {
    await using direct = await startServer({ SVC_TRUSTED_PROXIES: '' })
    const answers = await many(10, () => signUp(newAddress(), direct))
    expect([count(answers, 422), count(answers, 429)]).toEqual([5, 5])
  })

  test('replicas share the count in PostgreSQL', async () => {
    await using one = await startServer({ SVC_RATE_LIMIT_STORE: 'postgres' })
    await using two = await startServer({ SVC_RATE_LIMIT_STORE: 'postgres' }, one.database)
    const from = newAddress()
    const answers = await many(30, (i) => signUp(from, i % 2 ? one : two))
    expect([count(answers, 422), count(answers, 429)]).toEqual([5, 25])
    expect((await signUp(from, two)).body).toEqual(LIMITED)
  })

  test('an address is deleted from PostgreSQL when its window ends', async () => {
    await using it = await startRestartable({ SVC_RATE_LIMIT_STORE: 'postgres' })
    await it.restart(
      `insert into rate_limits values ('auth:over', 5, 1000), ('auth:open', 5, 9000000000000)`,
    )
    const kept = async () =>
      (await runSql(it.database, 'select key from rate_limits')).map(({ key }) => key)
    await eventually(async () => !(await kept()).includes('auth:over'))
    expect(await kept()).toEqual(['auth:open'])
  })
})

describe('a limiter other than the auth limiter answers 429 with its real wait', () => {
  const cases: [
    string,
    number,
    (from: string, user: TestUser) => ReturnType<typeof request>,
    RegExp,
  ][] = [
    [
      'wrong passwords of a signed-in user',
      10,
      (_, { accessToken: token }) =>
        request(server.current, 'POST', '/api/auth/change-password', {
          token,
          body: { current_password: 'wrong', new_password: 'a new long password' },
        }),
      /^Too many wrong passwords\. Try again in 1[45] minutes\.$/,
    ],
    [
      'device logins',
      60,
      (from) => request(server.current, 'POST', '/api/auth/mcp/start', { from, body: {} }),
      /^Too many device logins started\. Try again in (1 hour|\d\d minutes)\.$/,
    ],
    [
      'wrong device codes',
      5,
      (_, { accessToken: token }) =>
        request(server.current, 'GET', '/api/auth/mcp/authorize?user_code=BBBBBBBB', { token }),
      /^Too many wrong device codes\. Try again in (10|9) minutes\.$/,
    ],
    [
      'mailed verification links',
      20,
      (_, { accessToken: token }) =>
        request(server.current, 'POST', '/api/auth/change-verification-email', {
          token,
          body: { email: uniqueEmail() },
        }),
      /^Too many links mailed\. Try again in (1 hour|\d\d minutes)\.$/,
    ],
  ]
  for (const [name, points, send, message] of cases)
    test(name, async () => {
      const from = newAddress()
      const user = await newUser(server.current)
      const before = await many(points, () => send(from, user))
      const { status, body, headers } = await send(from, user)
      expect(count(before, 429)).toBe(0)
      expect([status, body]).toEqual([429, { detail: expect.stringMatching(message) }])
      const retryAfter = Number(headers.get('retry-after'))
      const [, amount, unit] = /in (\d+) (minute|hour)/.exec(body.detail) ?? []
      const unitSeconds = unit === 'hour' ? 3_600 : 60
      expect(Math.ceil(retryAfter / unitSeconds)).toBe(Number(amount))
    })
})

describe('the lockout of an account', () => {
  const attempt = (email: string, password: string, target = server.current) =>
    request(target, 'POST', '/api/auth/signin', { body: { email, password } })
  const fail = async (email: string, times: number, target = server.current) => {
    const statuses: number[] = []
    for (let i = 0; i < times; i++) statuses.push((await attempt(email, 'wrong', target)).status)
    return statuses
  }

  test('ten failures lock the account, report the minutes left, and also refuse the right password', async () => {
    const { email } = await newUser(server.current)
    expect(await fail(email, 10)).toEqual(Array(10).fill(401))
    for (const password of ['wrong', PASSWORD]) {
      const { status, body } = await attempt(email.toUpperCase(), password)
      expect(status).toBe(429)
      expect(body.detail).toMatch(/\b15 minutes\b/)
    }
  })

  test('nine failures do not lock the account, and a success resets the count', async () => {
    const { email } = await newUser(server.current)
    expect(await fail(email, 9)).not.toContain(429)
    expect((await attempt(email, PASSWORD)).status).toBe(200)
    expect(await fail(email, 9)).not.toContain(429)
    expect((await attempt(email, PASSWORD)).status).toBe(200)
  })

  test('at most ten of fifty parallel attempts are evaluated', async () => {
    const { email } = await newUser(server.current)
    const answers = await many(50, () => attempt(email, 'wrong'))
    expect([count(answers, 401), count(answers, 429)]).toEqual([10, 40])
  })

  test('an address without an account is locked too, so that the lockout does not reveal accounts', async () => {
    const email = uniqueEmail()
    expect(await fail(email, 10)).toEqual(Array(10).fill(401))
    const { status, body } = await attempt(email, 'wrong')
    expect([status, typeof body.detail]).toEqual([429, 'string'])
    expect(body.detail).toMatch(/\d+ minutes?/)
  })

  test('a lockout does not affect other accounts or open sessions', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    await fail(ada.email, 11)
    expect((await attempt(bob.email, PASSWORD)).status).toBe(200)
    const me = await request(server.current, 'GET', '/api/me', { token: ada.accessToken })
    expect(me.status).toBe(200)
  })

  test('a lockout survives a restart, ends after fifteen minutes, and is deleted after a month', async () => {
    await using it = await startRestartable()
    const { email } = await newUser(it.current)
    const old = uniqueEmail()
    await fail(old, 1, it.current)
    await fail(email, 10, it.current)
    await it.restart(
      `update sign_in_guards set updated_at = now() - interval '31 days' where email = '${old}'`,
    )
    expect((await attempt(email, PASSWORD, it.current)).status).toBe(429)
    await it.restart(`update sign_in_guards set locked_until = now() + interval '50 seconds'`)
    expect((await attempt(email, PASSWORD, it.current)).body.detail).toMatch(/\b1 minute\b/)
    await it.restart(`update sign_in_guards set locked_until = now() - interval '1 second'`)
    expect(await fail(email, 9, it.current)).not.toContain(429)
    expect((await attempt(email, PASSWORD, it.current)).status).toBe(200)

    await fail(email, 1, it.current)
    const kept = async () => {
      await it.current.stop()
      return (await runSql(it.database, 'select email from sign_in_guards')).map((row) => row.email)
    }
    // Each start deletes expired rows: by now or after another start.
    while ((await kept()).includes(old)) await it.restart()
    expect(await kept()).toEqual([email])
  })
})
