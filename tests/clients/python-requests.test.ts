import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { hasPrograms } from '../harness/programs.ts'
import { CERTIFICATE } from '../harness/web.ts'
import { pythonResult, temporaryScript } from './python.ts'
import { CHAT, call, ME } from './python-call.ts'
import { hangsUp, type Reply, says, startScripted } from './scripted-server.ts'

setDefaultTimeout(120_000)

const hasPython = hasPrograms('python3')

describe.skipIf(!hasPython)('the sign-in of the Python client', () => {
  const expired = says(401, { detail: 'Token expired' })
  const cookie = (value: string) => ({
    'set-cookie': `refresh_token=${value}; Path=/api/auth; HttpOnly; Secure; SameSite=Lax`,
  })
  const renewed = (token: string, next: string) =>
    says(200, { access_token: token, token_type: 'bearer' }, cookie(next))
  const signedIn = { api_key: null, refresh_token: 'first' }
  /** Two calls: the access token of the first one has expired at the second. */
  const CALLS = `[svc.account.me(), ${CHAT}][1]`
  const start = [renewed('old', 'second'), says(200, ME), expired]
  const pathsOf = ({ received }: { received: { path: string }[] }) =>
    received.map(({ path }) => path)

  test('an expired access token is renewed, and the call repeated with the new one', async () => {
    const replies = [...start, renewed('new', 'third'), says(200, { message: {} })]
    const outcome = await call(CALLS, replies, signedIn)
    expect(outcome).toMatchObject({ result: { message: {} }, refresh_token: 'third', waits: [] })
    const refresh = '/api/auth/refresh'
    expect(pathsOf(outcome)).toEqual([refresh, '/api/me', '/api/chat', refresh, '/api/chat'])
    const [, first, , second, repeated] = outcome.received
    expect(first.headers).toMatchObject({ authorization: 'Bearer old' })
    expect(first.headers.cookie).toBeUndefined()
    expect(second.headers).toMatchObject({ cookie: 'refresh_token=second' })
    expect(second.headers.authorization).toBeUndefined()
    expect(repeated.headers).toMatchObject({ authorization: 'Bearer new' })
  })

  test('a token that is refused after it was renewed is not renewed again', async () => {
    const outcome = await call(CALLS, [...start, renewed('new', 'third'), expired], signedIn)
    expect(outcome).toMatchObject({ error: 'Unauthorized', reason: 'token_expired' })
    expect(outcome.received).toHaveLength(5)
  })

  test('an open file is not sent again with the new token, because it was read', async () => {
    const upload = 'svc.memories.import_memories(__import__("io").BytesIO(b"{}"))'
    const outcome = await call(`[svc.account.me(), ${upload}]`, start, signedIn)
    expect(outcome).toMatchObject({ error: 'Unauthorized', refresh_token: 'second' })
    const bytes = 'svc.memories.import_memories(b"{}")'
    const replies = [...start, renewed('new', 'third'), says(200, { imported: 1 })]
    const repeated = await call(`[svc.account.me(), ${bytes}][1]`, replies, signedIn)
    expect(repeated.result).toEqual({ imported: 1 })
    expect(repeated.received.at(-1)?.body).toBe('{}')
  })

  test('a sign-in that was ended elsewhere is Unauthorized, and threads ask for it once', async () => {
    const ended = says(401, { detail: 'Could not validate credentials' })
    const threads = `__import__("concurrent.futures", fromlist=["x"]).ThreadPoolExecutor(4)`
    const asks = `svc.account.me() and [type(each.exception()).__name__ for each in (lambda pool: [pool.submit(svc.account.me) for _ in range(4)])(${threads})]`
    // The renewal lasts until each thread has its refusal.
    const refused = Promise.withResolvers<void>()
    let count = 0
    const later: Reply = async (response, received) => {
      if (received.path !== '/api/auth/refresh') {
        if (++count === 4) refused.resolve()
        return expired(response, received)
      }
      await refused.promise
      return ended(response, received)
    }
    const outcome = await call(asks, [renewed('old', 'second'), says(200, ME), later], signedIn)
    expect(outcome.result).toEqual(Array(4).fill('Unauthorized'))
    expect(pathsOf(outcome).filter((path) => path === '/api/auth/refresh')).toHaveLength(2)
    expect(outcome.refresh_token).toBeNull()
  })

  test('a sign-in stays when the renewal of an earlier one is refused after it', async () => {
    const [renewing, signedInAgain] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const reply: Reply = async (response, received) => {
      if (received.path === '/api/auth/refresh') {
        renewing.resolve()
        await signedInAgain.promise
        return expired(response, received)
      }
      if (received.path === '/api/auth/signin') {
        await renewing.promise
        return renewed('new', 'second')(response, received)
      }
      signedInAgain.resolve()
      return says(200, ME)(response, received)
    }
    const pool = `__import__("concurrent.futures", fromlist=["x"]).ThreadPoolExecutor(1)`
    const earlier = `${pool}.submit(svc.account.me)`
    const asks = `(lambda earlier: [svc.sign_in("a", "b"), svc.account.me(), earlier.result()][1:])(${earlier})`
    const outcome = await call(asks, [reply], signedIn)
    expect(outcome).toMatchObject({ result: [ME, ME], refresh_token: 'second' })
  })

  test('a failed renewal keeps the sign-in', async () => {
    const outcome = await call(CALLS, [...start, hangsUp], signedIn)
    expect(outcome).toMatchObject({ error: 'Unreachable', refresh_token: 'second' })
  })

  test('a second factor is asked for, and given', async () => {
    const pending = says(200, { mfa_required: true, partial_token: 'partial' })
    const outcome = await call('svc.sign_in("a@example.com", "p")', [pending])
    expect(outcome).toMatchObject({ error: 'MfaRequired' })
    const token = says(200, { access_token: 'new', token_type: 'bearer', user: {} }, cookie('r'))
    const given = await call('svc.sign_in("a@example.com", "p", code="123456")', [pending, token])
    expect(given).toMatchObject({ refresh_token: 'r' })
    expect(given.received[1]).toMatchObject({ path: '/api/auth/mfa/verify' })
    expect(JSON.parse(given.received[1].body)).toEqual({
      partial_token: 'partial',
      code: '123456',
    })
  })

  test('a sign-in with wrong credentials renews nothing, and sends no key', async () => {
    const wrong = says(401, { detail: 'Incorrect email or password' })
    const outcome = await call('svc.sign_in("a@example.com", "p")', [wrong], {
      api_key: 'svc_key',
      refresh_token: 'first',
    })
    expect(outcome).toMatchObject({ error: 'Unauthorized', refresh_token: 'first' })
    expect(pathsOf(outcome)).toEqual(['/api/auth/signin'])
    expect(outcome.received[0].headers.authorization).toBeUndefined()
  })
})

describe.skipIf(!hasPython)('a request of the Python client', () => {
  const ok = says(200, ME)

  test('the headers name the credential, the organization, the time zone and the client', async () => {
    const options = { org_id: 'o', user_timezone: 'Europe/Lisbon' }
    const { received } = await call('svc.account.me()', [ok], options)
    expect(received[0].headers).toMatchObject({
      authorization: 'Bearer svc_key',
      accept: 'application/json',
      'x-org-id': 'o',
      'x-timezone': 'Europe/Lisbon',
      'user-agent': expect.stringMatching(/^svc-client-python\/\d+\.\d+\.\d+$/),
    })
    const other = await call('svc.with_options(org_id=None).account.me()', [ok], options)
    expect(other.received[0].headers['x-org-id']).toBeUndefined()
  })

  test('the address, the key and the time zone come from the environment', async () => {
    await using server = await startScripted(ok)
    const outcome = await pythonResult('faults.py', {
      args: ['svc.account.me()'],
      env: {
        SVC_URL: server.url.replace('http://', ''),
        SVC_API_KEY: ' svc_env\n',
        TZ: 'Asia/Tokyo',
      },
    })
    expect(outcome.result).toEqual(ME)
    expect(server.received[0]?.headers).toMatchObject({
      authorization: 'Bearer svc_env',
      'x-timezone': 'Asia/Tokyo',
    })
  })

  test('omitted arguments are not sent, and None is null', async () => {
    const { received } = await call('svc.memories.update_memory("m", thread=None)', [says(200, {})])
    expect(received[0].body).toBe('{"thread": null}')
  })

  test('path parameters cannot change the path', async () => {
    const paths = ['a/../b?c#d', 'ü%'].map(async (id) => {
      const { received } = await call(`svc.agents.get_agent(${JSON.stringify(id)})`, [ok])
      return received[0].path
    })
    expect(await Promise.all(paths)).toEqual([
      '/api/agents/a%2F..%2Fb%3Fc%23d',
      '/api/agents/%C3%BC%25',
    ])
  })

  const ids = [
    ['None', 'None'],
    ['""', "''"],
    ['" "', "' '"],
    ['"."', "'.'"],
    ['".."', "'..'"],
  ]
  for (const [id, shown] of ids)
    test(`an id that is ${id} is refused by its name, before a request`, async () => {
      const calls = [
        [`svc.memories.delete_memory(${id})`, 'memory_id'],
        [`svc.organizations.remove_org_member("o", ${id})`, 'user_id'],
        [`svc.organizations.remove_org_member(user_id="u", org_id=${id})`, 'org_id'],
        [`list(svc.chat_sessions.list_chat_messages_all(${id}))`, 'session_id'],
      ]
      for (const [expression = '', name] of calls) {
        const outcome = await call(expression, [ok])
        expect(outcome).toMatchObject({
          error: 'ValueError',
          message: `${name} must not be ${shown}`,
          received: [],
        })
      }
    })

  const TIME = 'datetime.datetime(2026, 1, 31, 9, 30, tzinfo=datetime.timezone.utc)'
  const EAST =
    'datetime.datetime(2026, 1, 31, 9, 30, tzinfo=datetime.timezone(datetime.timedelta(hours=5, minutes=45)))'
  const memory = (time: string) => `{"content": "a", "occurred_at": ${time}}`
  const times: [
    expression: (time: string) => string,
    read: (body: string, path: string) => unknown,
  ][] = [
    [
      (time) => `svc.memories.remember(content="a", occurred_at=${time})`,
      (body) => JSON.parse(body).occurred_at,
    ],
    [
      (time) => `svc.memories.remember_batch(memories=[${memory('"x"')}, ${memory(time)}])`,
      (body) => JSON.parse(body).memories[1].occurred_at,
    ],
    [
      (time) => `svc.memories.update_memory("m", occurred_at=${time})`,
      (body) => JSON.parse(body).occurred_at,
    ],
    [(time) => `svc.memories.recall(query="a", since=${time})`, (body) => JSON.parse(body).since],
    [(time) => `svc.memories.recall(query="a", as_of=${time})`, (body) => JSON.parse(body).as_of],
    [
      (time) => `svc.memories.list_memories(until=${time})`,
      (_, path) => new URL(path, 'http://a').searchParams.get('until'),
    ],
    [
      (time) => `svc.api_keys.create_key(name="a", expires_at=${time})`,
      (body) => JSON.parse(body).expires_at,
    ],
    [
      (time) =>
        `svc.reflexes.create_reflex(name="a", trigger={"kind": "time", "at": ${time}}, action={})`,
      (body) => JSON.parse(body).trigger.at,
    ],
  ]
  for (const [expression, read] of times)
    test(`a time may be a datetime or a date: ${expression('t')}`, async () => {
      const values = [
        [TIME, '2026-01-31T09:30:00+00:00'],
        [EAST, '2026-01-31T09:30:00+05:45'],
        ['datetime.date(2026, 1, 31)', '2026-01-31'],
        ['"2026-01-31T09:30:00Z"', '2026-01-31T09:30:00Z'],
      ] as const
      for (const [time, text] of values) {
        const { received } = await call(expression(time), [says(200, {})])
        expect(read(received[0].body, received[0].path)).toBe(text)
      }
      const naive = await call(expression('datetime.datetime(2026, 1, 31)'), [ok])
      expect(naive).toMatchObject({ error: 'ValueError', received: [] })
      expect(naive.message).toMatch(/^\w+ must have a time zone\. /)
    })

  test('a base URL may have a path, and calls share a connection', async () => {
    await using server = await startScripted(ok)
    const outcome = await pythonResult('faults.py', {
      args: [
        '[svc.account.me() for _ in range(3)]',
        JSON.stringify({ base_url: `${server.url}/svc/` }),
      ],
    })
    expect(outcome.result).toHaveLength(3)
    expect(server.received.map(({ path }) => path)).toEqual(Array(3).fill('/svc/api/me'))
    expect(server.connections).toBe(1)
  })

  test('a forked process opens connections of its own', async () => {
    const fork =
      '(lambda os: (svc.account.me(), [os._exit(0 if svc.account.me() else 1) for pid in [os.fork()] if pid == 0], os.wait()[1], svc.account.me()))(__import__("os"))'
    const outcome = await call(fork, [ok])
    expect(outcome.result).toEqual([ME, [], 0, ME])
    expect(outcome.connections).toBe(2)
  })

  test('the proxy of the environment is used for other machines', async () => {
    await using proxy = await startScripted(ok)
    const outcome = await pythonResult('faults.py', {
      args: ['svc.account.me()', JSON.stringify({ base_url: 'http://svc.example.com:3000' })],
      env: { http_proxy: proxy.url },
    })
    expect(outcome.result).toEqual(ME)
    expect(proxy.received[0]?.path).toBe('http://svc.example.com:3000/api/me')
  })

  test('no proxy of the environment is used for this machine', async () => {
    await using proxy = await startScripted(ok)
    await using server = await startScripted(ok)
    for (const host of ['localhost', '127.0.0.1', 'LOCALHOST.', '[::ffff:127.0.0.1]']) {
      const base_url = server.url.replace('127.0.0.1', host)
      await pythonResult('faults.py', {
        args: ['svc.account.me()', JSON.stringify({ base_url })],
        env: { http_proxy: proxy.url },
      })
    }
    expect(proxy.received).toEqual([])
  })

  test('a proxy that does not accept connections is named by its variable', async () => {
    const { message } = await pythonResult('faults.py', {
      args: ['svc.account.me()', JSON.stringify({ base_url: 'http://svc.example.com:3000' })],
      env: { http_proxy: 'http://127.0.0.1:1' },
    })
    expect(message).toContain('http://svc.example.com:3000 through the proxy of http_proxy')
  })

  test('HTTPS needs a certificate that the machine trusts', async () => {
    const file = temporaryScript(CERTIFICATE.cert)
    using server = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      tls: CERTIFICATE,
      fetch: () => Response.json(ME, { headers: { 'x-request-id': 'a' } }),
    })
    const run = (host: string, env: Record<string, string>) => {
      const base_url = `https://${host}:${server.port}`
      return pythonResult('faults.py', {
        args: ['svc.account.me()', JSON.stringify({ base_url, max_retries: 0 })],
        env: { ...env, TEST_RESOLVE: 'secure.test' },
      })
    }
    expect(await run('secure.test', { SSL_CERT_FILE: file })).toMatchObject({ result: ME })
    for (const failed of [run('secure.test', {}), run('127.0.0.1', { SSL_CERT_FILE: file })])
      expect(await failed).toMatchObject({
        error: 'Unreachable',
        is_sent: false,
        message: expect.stringContaining('CERTIFICATE_VERIFY_FAILED'),
      })
  })

  test('an address that is not HTTP is refused', async () => {
    const run = (base_url: string) =>
      pythonResult('faults.py', { args: ['svc', JSON.stringify({ base_url })] })
    await expect(run('ftp://example.com')).rejects.toThrow('base_url is not an HTTP address')
    await expect(run('http://')).rejects.toThrow('base_url is not an HTTP address')
  })
})
