import { describe, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { runSql } from '../harness/http.ts'
import {
  newAddress,
  newUser,
  PASSWORD,
  request,
  startServer,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'

const ORIGIN = 'https://app.example.com'
const server = useServer({ SVC_FRONTEND_ORIGINS: ORIGIN })
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const signUp = (body: unknown, headers: Record<string, string> = {}) =>
  request(server.current, 'POST', '/api/auth/signup', { body, headers })

/** The failing fields of a 422, as `type at loc`. */
const failing = async (path: string, body: unknown) => {
  const { token } = await signedIn()
  const answer = await request(server.current, 'POST', path, { token, body })
  expect(answer.status).toBe(422)
  return answer.body.detail
}

let user: ReturnType<typeof newUser> | undefined
const signedIn = async () => {
  user ??= newUser(server.current)
  return { token: (await user).key }
}

/** Writes raw HTTP that a client library does not send. */
const raw = (lines: string[], body: string | Uint8Array = '') =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = new URL(server.current.url)
    const socket = connect(Number(port), hostname)
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('end', () => resolve(answer)).on('error', reject)
    socket.write([...lines, `Host: ${hostname}`, 'Connection: close', '', ''].join('\r\n'))
    socket.write(body)
  })

describe('X-Request-ID', () => {
  const cases: [string, string, string, Parameters<typeof request>[3]][] = [
    ['a success', 'GET', '/api/health', {}],
    ['an unknown route', 'GET', '/api/nothing-here', {}],
    ['a missing credential', 'GET', '/api/me', {}],
    ['a failed validation', 'POST', '/api/auth/signup', { body: {} }],
    ['a body that is no JSON', 'POST', '/api/auth/signup', { body: '{' }],
    ['a body too large', 'POST', '/api/auth/signup', { body: 'x'.repeat(1024 * 1024 + 1) }],
    ['a page', 'GET', '/api/auth/mcp/device', {}],
    ['a redirect', 'GET', '/device', {}],
    ['the reference', 'GET', '/api/docs/json', {}],
    [
      'a preflight',
      'OPTIONS',
      '/api/recall',
      { headers: { origin: ORIGIN, 'access-control-request-method': 'POST' } },
    ],
  ]
  for (const [what, method, path, options] of cases)
    test(`${what} carries a request id of the server, also when the client sends one`, async () => {
      const sent = crypto.randomUUID()
      const ids = await Promise.all(
        [{}, { 'x-request-id': sent }].map(async (headers) => {
          const answer = await request(server.current, method, path, {
            ...options,
            headers: { ...options?.headers, ...headers },
          })
          return answer.headers.get('x-request-id')
        }),
      )
      for (const id of ids) expect(id).toMatch(UUID)
      expect(new Set([...ids, sent]).size).toBe(3)
    })

  test('a response to HEAD carries a request id', async () => {
    const response = await fetch(new URL('/api/health', server.current.url), { method: 'HEAD' })
    expect(response.headers.get('x-request-id')).toMatch(UUID)
  })
})

describe('an unknown path', () => {
  for (const path of ['/api', '/api/', '/api/v1/health', '/favicon.ico', '/api/../etc/passwd'])
    test(`${path} is a JSON 404`, async () => {
      const answer = await request(server.current, 'GET', path)
      expect([answer.status, answer.body]).toEqual([404, { detail: 'Not Found' }])
      expect(answer.headers.get('content-type')).toStartWith('application/json')
    })

  test('a path that cannot be decoded gets a JSON error', async () => {
    const answer = await request(server.current, 'GET', '/api/%E0%A4%A')
    expect([answer.status, answer.body]).toEqual([404, { detail: 'Not Found' }])
  })
})

describe('a body that is not a JSON object', () => {
  const cases: [string, string, Record<string, string>, string][] = [
    ['malformed JSON', '{"email":', {}, 'json_invalid'],
    ['JSON with something after it', '{} x', {}, 'json_invalid'],
    ['an array', '[]', {}, 'dict_type'],
    ['null', 'null', {}, 'dict_type'],
    ['a number', '12', {}, 'dict_type'],
    [
      'another content type',
      '{"email":"a@example.com"}',
      { 'content-type': 'text/plain' },
      'dict_type',
    ],
    [
      'a form',
      'email=a%40b.example',
      { 'content-type': 'application/x-www-form-urlencoded' },
      'dict_type',
    ],
  ]
  for (const [what, body, headers, type] of cases)
    test(`${what} is 422 at the body`, async () => {
      const answer = await signUp(body, headers)
      expect(answer.status).toBe(422)
      expect(answer.body).toEqual({ detail: [{ loc: ['body'], type, msg: expect.any(String) }] })
    })

  test('an absent body reports every required field as missing', async () => {
    const answer = await request(server.current, 'POST', '/api/auth/signup')
    expect(answer.status).toBe(422)
    expect(answer.body.detail).toEqual(
      ['email', 'password', 'confirm_password'].map((field) => ({
        loc: ['body', field],
        type: 'missing',
        msg: 'Field required',
      })),
    )
  })

  test('a JSON media type with a charset or suffix is read as JSON', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/merge-patch+json']) {
      const answer = await signUp({}, { 'content-type': type })
      expect(answer.body.detail).toHaveLength(3)
    }
  })

  test('bytes that are not UTF-8 are 422', async () => {
    const answer = await raw(
      ['POST /api/auth/signup HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 12'],
      new Uint8Array([...Buffer.from('{"email":"'), 0xff, 0x7d]),
    )
    expect(answer).toStartWith('HTTP/1.1 422')
    expect(answer).toContain('json_invalid')
  })

  test('100,000 levels of nesting are 422, in a known and in an unknown field', async () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    for (const body of [deep, `{"content":${deep}}`, `{"content":"x","metadata":{"a":${deep}}}`]) {
      const [first] = await failing('/api/remember', body)
      expect([first.type, first.loc[0]]).toEqual(['json_invalid', 'body'])
    }
    const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`
    expect((await failing('/api/remember', objects))[0].type).toBe('json_invalid')
  })
})

describe('the body limit of 1 MiB', () => {
  const MIB = 1024 * 1024
  const padded = (bytes: number) => `{"pad":"${'x'.repeat(bytes - 10)}"}`

  test('a body of exactly 1 MiB is read, and one byte more is 413', async () => {
    expect((await signUp(padded(MIB))).status).toBe(422)
    const over = await signUp(padded(MIB + 1))
    expect([over.status, over.body]).toEqual([413, { detail: expect.any(String) }])
  })

  test('the limit counts bytes, not characters', async () => {
    expect((await signUp(`{"pad":"${'é'.repeat(MIB / 2)}"}`)).status).toBe(413)
  })

  test('a chunked body above the limit is 413', async () => {
    const chunk = new TextEncoder().encode('x'.repeat(64 * 1024))
    const answers = await Promise.all(
      [15, 17].map((count) => {
        let remaining = count
        const body = new ReadableStream<Uint8Array>({
          pull: (controller) => (remaining-- > 0 ? controller.enqueue(chunk) : controller.close()),
        })
        return fetch(new URL('/api/auth/signup', server.current.url), {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
      }),
    )
    expect(answers.map(({ status }) => status)).toEqual([422, 413])
    expect(answers.map(({ headers }) => UUID.test(headers.get('x-request-id') ?? ''))).toEqual([
      true,
      true,
    ])
  })

  test('a body above the limit is a JSON 413 with a request id, whatever its declared length', async () => {
    for (const length of [2 * MIB, 100 * MIB, 10_000 * MIB]) {
      const answer = await raw([
        'POST /api/auth/signup HTTP/1.1',
        'Content-Type: application/json',
        `Content-Length: ${length}`,
        `X-Forwarded-For: ${newAddress()}`,
      ])
      expect(answer).toStartWith('HTTP/1.1 413')
      expect(answer.toLowerCase()).toContain('x-request-id: ')
      expect(answer).toContain('{"detail":"')
    }
  })
})

describe('422 lists every failing field with its location and pydantic’s type', () => {
  const field = (loc: (string | number)[], type: string, msg: unknown = expect.any(String)) => ({
    loc,
    type,
    msg,
  })

  test('422 lists every failing field of a body', async () => {
    const detail = await failing('/api/remember', {
      content: 5,
      memory_type: 'episodical',
      importance: 1.5,
      tags: 'tag',
      thread: '',
      author: 'x'.repeat(201),
      occurred_at: 'yesterday',
      metadata: [],
    })
    expect(detail).toHaveLength(8)
    expect(detail).toEqual(
      expect.arrayContaining([
        field(['body', 'content'], 'string_type', 'Input should be a valid string'),
        field(
          ['body', 'memory_type'],
          'literal_error',
          "Input should be 'semantic', 'episodic', 'procedural' or 'preference'",
        ),
        field(['body', 'importance'], 'less_than_equal', 'Input should be less than or equal to 1'),
        field(['body', 'tags'], 'list_type', 'Input should be a valid list'),
        field(['body', 'thread'], 'string_too_short', 'String should have at least 1 character'),
        field(['body', 'author'], 'string_too_long', 'String should have at most 200 characters'),
        field(['body', 'occurred_at'], 'datetime_parsing', 'Input should be a valid datetime'),
        field(['body', 'metadata'], 'dict_type', 'Input should be a valid dictionary'),
      ]),
    )
  })

  const bodies: [string, string, unknown, (string | number)[], string][] = [
    [
      'a number too small',
      '/api/remember',
      { content: 'x', importance: -0.1 },
      ['body', 'importance'],
      'greater_than_equal',
    ],
    [
      'a text for a number',
      '/api/remember',
      { content: 'x', importance: '1' },
      ['body', 'importance'],
      'float_type',
    ],
    [
      'a null for a number',
      '/api/remember',
      { content: 'x', importance: null },
      ['body', 'importance'],
      'float_type',
    ],
    [
      'nothing but spaces',
      '/api/remember',
      { content: '  \n' },
      ['body', 'content'],
      'string_pattern_mismatch',
    ],
    [
      'one bad item of a list',
      '/api/remember',
      { content: 'x', tags: ['a', 1] },
      ['body', 'tags', 1],
      'string_type',
    ],
    [
      'an empty item of a list',
      '/api/remember',
      { content: 'x', tags: ['a', ''] },
      ['body', 'tags', 1],
      'string_too_short',
    ],
    [
      'a list too long',
      '/api/remember',
      { content: 'x', tags: Array(65).fill('t') },
      ['body', 'tags'],
      'too_long',
    ],
    [
      'a list too short',
      '/api/remember/batch',
      { memories: [] },
      ['body', 'memories'],
      'too_short',
    ],
    [
      'a field deep in a list',
      '/api/remember/batch',
      { memories: [{ content: 'x' }, {}] },
      ['body', 'memories', 1, 'content'],
      'missing',
    ],
    [
      'a fraction for an integer',
      '/api/recall',
      { query: 'x', limit: 1.5 },
      ['body', 'limit'],
      'int_type',
    ],
    [
      'a text for an integer',
      '/api/recall',
      { query: 'x', limit: '5' },
      ['body', 'limit'],
      'int_type',
    ],
    [
      'zero where counting starts at 1',
      '/api/recall',
      { query: 'x', limit: 0 },
      ['body', 'limit'],
      'greater_than_equal',
    ],
    [
      'more than a page',
      '/api/recall',
      { query: 'x', limit: 101 },
      ['body', 'limit'],
      'less_than_equal',
    ],
    [
      'a text for a boolean',
      '/api/recall',
      { query: 'x', explain: 'true' },
      ['body', 'explain'],
      'bool_type',
    ],
    [
      'a day that does not exist',
      '/api/recall',
      { query: 'x', since: '2026-02-29' },
      ['body', 'since'],
      'datetime_parsing',
    ],
    ['a NUL', '/api/remember', { content: 'a\0b' }, ['body', 'content'], 'string_unicode'],
    [
      'half a character',
      '/api/remember',
      '{"content":"a\\ud83d"}',
      ['body', 'content'],
      'string_unicode',
    ],
    [
      'a NUL deep in metadata',
      '/api/remember',
      { content: 'x', metadata: { a: ['\0'] } },
      ['body', 'metadata', 'a', 0],
      'string_unicode',
    ],
    [
      'a NUL in a key',
      '/api/remember',
      { content: 'x', metadata: { 'a\0': 1 } },
      ['body', 'metadata'],
      'string_unicode',
    ],
  ]
  for (const [what, path, body, loc, type] of bodies)
    test(`${what} is ${type} at ${loc.join('.')}`, async () => {
      expect(await failing(path, body)).toEqual([field(loc, type)])
    })

  const addressed: [string, string, (string | number)[], string][] = [
    ['GET', '/api/memories?limit=many', ['query', 'limit'], 'int_parsing'],
    ['GET', '/api/memories?limit=', ['query', 'limit'], 'int_parsing'],
    ['GET', '/api/memories?limit=5.5', ['query', 'limit'], 'int_parsing'],
    ['GET', '/api/memories?limit=0', ['query', 'limit'], 'greater_than_equal'],
    ['GET', '/api/memories?limit=101', ['query', 'limit'], 'less_than_equal'],
    ['GET', '/api/memories?limit=99999999999999999999', ['query', 'limit'], 'int_parsing'],
    ['GET', '/api/memories?cursor=1', ['query', 'cursor'], 'uuid_parsing'],
    ['GET', '/api/memories?memory_type=x', ['query', 'memory_type'], 'literal_error'],
    ['GET', '/api/memories?thread=a%00b', ['query', 'thread'], 'string_unicode'],
    [
      'DELETE',
      '/api/memories/01a1fdd5-1d91-733f-bcad-fcb5b119e8f9?permanent=maybe',
      ['query', 'permanent'],
      'bool_parsing',
    ],
    ['GET', '/api/memories/not-a-uuid', ['path', 'memory_id'], 'uuid_parsing'],
    ['GET', '/api/memories/%E0%A4%A', ['path', 'memory_id'], 'uuid_parsing'],
    [
      'GET',
      '/api/memories/01a1fdd5-1d91-733f-bcad-fcb5b119e8f9%0a',
      ['path', 'memory_id'],
      'uuid_parsing',
    ],
    ['GET', '/api/memories/%00', ['path', 'memory_id'], 'string_unicode'],
  ]
  for (const [method, path, loc, type] of addressed)
    test(`${method} ${path} is ${type} at ${loc.join('.')}`, async () => {
      const answer = await request(server.current, method, path, await signedIn())
      expect(answer.status).toBe(422)
      expect(answer.body.detail).toEqual([field(loc, type)])
    })

  test('422 lists the failing fields of the path and the query together', async () => {
    const answer = await request(
      server.current,
      'DELETE',
      '/api/memories/x?permanent=y',
      await signedIn(),
    )
    expect(answer.body.detail.map(({ loc }: { loc: string[] }) => loc.join('.'))).toEqual([
      'path.memory_id',
      'query.permanent',
    ])
  })

  test('a value at a bound is accepted, and a value beyond it is refused', async () => {
    const { token } = await signedIn()
    const send = (body: unknown) =>
      request(server.current, 'POST', '/api/remember', { token, body })
    const edge = { content: 'x'.repeat(32_000), thread: 't'.repeat(500), author: 'a'.repeat(200) }
    expect((await send(edge)).status).toBe(201)
    const beyond = await send({
      content: 'x'.repeat(32_001),
      thread: 't'.repeat(501),
      author: 'a'.repeat(201),
    })
    expect(beyond.body.detail.map(({ type }: { type: string }) => type)).toEqual(
      Array(3).fill('string_too_long'),
    )
  })
})

describe('input is not echoed or stored unless its field is declared', () => {
  test('422 does not repeat the value of a failing field, nor an unknown key', async () => {
    const secret = `hunter2-${crypto.randomUUID()}`
    const answer = await signUp({ email: secret, password: [secret], [secret]: secret })
    expect(answer.status).toBe(422)
    expect(answer.text).not.toContain(secret)
    const query = await request(
      server.current,
      'GET',
      `/api/memories?limit=${secret}&${secret}=1`,
      await signedIn(),
    )
    expect(query.text).not.toContain(secret)
  })

  test('unknown keys are ignored, not stored and not returned', async () => {
    const body = {
      email: uniqueEmail(),
      password: PASSWORD,
      confirm_password: PASSWORD,
      is_admin: true,
      email_verified: true,
      tier: 'conscious',
      id: crypto.randomUUID(),
    }
    const created = await signUp(body)
    expect(created.status).toBe(201)
    expect(Object.keys(created.body).sort()).toEqual(['access_token', 'token_type', 'user'])
    expect(Object.keys(created.body.user).sort()).toEqual([
      'avatar_url',
      'created_at',
      'display_name',
      'email',
      'email_verified',
      'id',
    ])
    const me = await request(server.current, 'GET', '/api/me', { token: created.body.access_token })
    expect(me.body).toMatchObject({ is_admin: false, email_verified: false, tier: 'amnesiac' })
    expect(me.body.id).not.toBe(body.id)
  })

  test('keys that name a prototype have no effect', async () => {
    const email = uniqueEmail()
    const created = await signUp(
      `{"__proto__":{"is_admin":true,"email":"evil@example.com"},"constructor":{"prototype":{"is_admin":true}},` +
        `"email":"${email}","password":"${PASSWORD}","confirm_password":"${PASSWORD}"}`,
    )
    expect(created.status).toBe(201)
    expect(created.body.user.email).toBe(email)
    expect(({} as Record<string, unknown>).is_admin).toBeUndefined()
    const inherited = await signUp(
      `{"__proto__":{"email":"${uniqueEmail()}","password":"${PASSWORD}","confirm_password":"${PASSWORD}"}}`,
    )
    expect(inherited.body.detail).toHaveLength(3)
  })

  test('metadata is returned as sent, including keys that name object properties', async () => {
    const { token } = await signedIn()
    const metadata = { constructor: { prototype: 1 }, toString: 'x', nested: [{ a: null }], '0': 1 }
    const created = await request(server.current, 'POST', '/api/remember', {
      token,
      body: { content: crypto.randomUUID(), metadata },
    })
    expect(created.body.metadata).toEqual(metadata)
  })
})

test('an endpoint that accepts a key accepts it in both headers', async () => {
  const { token } = await signedIn()
  const answers = await Promise.all([
    request(server.current, 'GET', '/api/me', { token }),
    request(server.current, 'GET', '/api/me', { headers: { 'x-api-key': token } }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(answers[0]?.body).toEqual(answers[1]?.body)
})

describe('an internal error', () => {
  const broken = async () => {
    const server = await startServer()
    const user = await newUser(server)
    return { server, user, [Symbol.asyncDispose]: server.stop }
  }
  test('an internal error is a JSON 500 with the path and without the cause, and its log contains no secret', async () => {
    await using it = await broken()
    await runSql(it.server.database, 'drop table sessions, sign_in_guards cascade')
    const secret = `secret-${crypto.randomUUID()}`
    const answer = await request(it.server, 'POST', '/api/auth/signin?token=abc', {
      body: { email: `${secret}@example.com`, password: secret },
    })
    expect(answer.status).toBe(500)
    expect(answer.body).toEqual({ detail: 'Internal server error', path: '/api/auth/signin' })
    expect(answer.headers.get('x-request-id')).toMatch(UUID)
    const log = it.server.log.join('')
    expect(log).toContain(answer.headers.get('x-request-id') ?? 'none')
    expect(log).not.toContain(secret)
    const listed = await request(it.server, 'GET', '/api/me', { token: it.user.accessToken })
    expect(listed.body).toEqual({ detail: 'Internal server error', path: '/api/me' })
    expect(it.server.log.join('')).not.toContain(it.user.accessToken)
  })

  test('a failing recall returns no memories, and other endpoints still work', async () => {
    await using it = await broken()
    await runSql(it.server.database, 'drop table memory_stats cascade')
    const answer = await request(it.server, 'POST', '/api/recall', {
      token: it.user.key,
      body: { query: 'anything' },
    })
    expect([answer.status, answer.body]).toEqual([200, { memories: [], count: 0 }])
    expect((await request(it.server, 'GET', '/api/ready')).status).toBe(200)
  })

  test('a lost database makes the server not ready, and recall returns no memories', async () => {
    await using it = await broken()
    expect((await request(it.server, 'GET', '/api/ready')).status).toBe(200)
    await it.server.database.dropDatabase()
    const ready = await request(it.server, 'GET', '/api/ready')
    expect([ready.status, ready.body]).toEqual([503, { detail: 'Not ready: database down' }])
    expect((await request(it.server, 'GET', '/api/health')).status).toBe(200)
    const report = await request(it.server, 'GET', '/api/health/detail')
    expect([report.status, report.body.detail.parts.database]).toEqual([
      503,
      { state: 'down', latency_ms: null, action: expect.stringContaining('SVC_DATABASE_URL') },
    ])
    const recalled = await request(it.server, 'POST', '/api/recall', {
      token: it.user.key,
      body: { query: 'anything' },
    })
    expect([recalled.status, recalled.body]).toEqual([200, { memories: [], count: 0 }])
    const remembered = await request(it.server, 'POST', '/api/remember', {
      token: it.user.key,
      body: { content: 'lost' },
    })
    expect([remembered.status, remembered.body]).toEqual([
      500,
      { detail: 'Internal server error', path: '/api/remember' },
    ])
    expect(remembered.headers.get('x-request-id')).toMatch(UUID)
  })

  test('recall without a database still refuses an invalid key and an invalid query', async () => {
    const anonymous = await request(server.current, 'POST', '/api/recall', { body: { query: 'x' } })
    expect(anonymous.status).toBe(401)
    const mute = await request(server.current, 'POST', '/api/recall', {
      ...(await signedIn()),
      body: {},
    })
    expect(mute.status).toBe(422)
  })
})
