import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createClient } from '../../clients/npm/index.ts'
import type { ClientOptions } from '../../clients/npm/options.ts'
import { REASONS_FILE, reasonTableSource } from '../../scripts/npm/reasons.ts'
import { events, hangsUp, type Reply, says, startScripted, starts } from './scripted-server.ts'

type Call = (args?: object, options?: object) => Promise<unknown> & AsyncIterable<unknown>
type Groups = Record<string, Record<string, Call>>

const start = async (replies: Reply[], options: Partial<ClientOptions> = {}) => {
  const server = await startScripted(...replies)
  const client = createClient({ baseUrl: server.url, apiKey: 'svc_key', ...options })
  const groups = client as unknown as Groups
  const call = (name: string, args: object, callOptions?: object) => {
    const [group = '', method = ''] = name.split('.')
    return groups[group]?.[method]?.(args, callOptions) as ReturnType<Call>
  }
  const { received } = server
  return { client, call, received, [Symbol.asyncDispose]: server[Symbol.asyncDispose] }
}

const readAll = async (items: AsyncIterable<unknown>): Promise<unknown[]> => {
  const all: unknown[] = []
  for await (const item of items) all.push(item)
  return all
}

const errorOf = (work: Promise<unknown>): Promise<Error & Record<string, unknown>> =>
  work.then(
    () => {
      throw new Error('the call succeeded')
    },
    (error) => error,
  )

describe('an id', () => {
  const calls = [
    ['memories.deleteMemory', 'memory_id'],
    ['memories.getMemory', 'memory_id'],
    ['files.getFileContent', 'file_id'],
    ['organizations.removeOrgMember', 'user_id'],
  ] as const
  const refused: [value: unknown, message: (name: string) => RegExp][] = [
    [null, (name) => new RegExp(`^\\w+ needs ${name}$`)],
    [undefined, (name) => new RegExp(`^\\w+ needs ${name}$`)],
    ['', (name) => new RegExp(`^${name} must not be ""$`)],
    [' ', (name) => new RegExp(`^${name} must not be " "$`)],
    ['..', (name) => new RegExp(`^${name} must not be "\\.\\."$`)],
  ]
  for (const [value, message] of refused)
    test(`an id that is ${JSON.stringify(value)} is refused by its name, before a request`, async () => {
      await using server = await start([says(200, { message: 'Deleted' })])
      for (const [method, name] of calls) {
        const error = await errorOf(server.call(method, { org_id: '1', [name]: value }))
        expect(error).toBeInstanceOf(TypeError)
        expect(error.message).toMatch(message(name))
      }
      const listed = server.call('chatSessions.listChatMessagesAll', { session_id: value })
      expect((await errorOf(readAll(listed))).message).toMatch(message('session_id'))
      expect(server.received).toEqual([])
    })
})

describe('a time limit', () => {
  const later: Reply = async (response, received) => {
    await Bun.sleep(50)
    says(200, { status: 'ok' })(response, received)
  }
  const done = events(['done', {}])
  for (const ms of [2 ** 31 - 1, 2 ** 31, 2 ** 32, 1e12, Number.MAX_VALUE, Infinity, 0])
    test(`a timeout of ${ms} ms ends nothing at once`, async () => {
      await using server = await start([later], { timeoutMs: ms })
      expect(await server.client.methods.health({})).toMatchObject({ status: 'ok' })
      expect(await server.client.methods.health({}, { timeoutMs: ms })).toBeTruthy()
      const pausing: Reply = async (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(': \n\n')
        await Bun.sleep(50)
        response.end(done)
      }
      await using stream = await start([pausing], { silenceMs: ms })
      expect(await readAll(await stream.client.methods.chatStream({ message: 'Hi' }))).toHaveLength(
        1,
      )
    })

  test('a wait for a retry may have any length', async () => {
    const refused = says(429, { detail: 'Too many' }, { 'retry-after': '9999999' })
    await using server = await start([refused], { maxRetryWaitMs: Infinity })
    const abort = new AbortController()
    const call = errorOf(server.client.methods.health({}, { signal: abort.signal }))
    await Bun.sleep(100)
    abort.abort(new Error('enough'))
    expect((await call).message).toBe('enough')
    expect(server.received).toHaveLength(1)
  })
})

describe('the environment', () => {
  const INDEX = join(import.meta.dir, '../../clients/npm/index.ts')
  /** Runs statements with `createClient` in a process of its own. @returns what `show` was called with. */
  const run = async (code: string, env: Record<string, string>): Promise<unknown> => {
    const source = `const { createClient } = await import(${JSON.stringify(INDEX)})
const write = process.stdout.write.bind(process.stdout)
const show = (value) => write(JSON.stringify(value))
try { ${code} } catch (error) { show(error.name + ': ' + error.message) }`
    const child = Bun.spawn([process.execPath, '-e', source], {
      env: { PATH: process.env.PATH, BUN_BE_BUN: '1', ...env },
      stdout: 'pipe',
      stderr: 'inherit',
    })
    return JSON.parse(await child.stdout.text())
  }
  const CALL = 'show(await client.methods.me({}))'
  const sends: [name: string, options: string, env: object, key: string | undefined][] = [
    ['has the address and the key', '{}', { SVC_API_KEY: ' svc_env\n' }, 'Bearer svc_env'],
    [
      'is not read for a key that is given',
      `{ apiKey: 'svc_own' }`,
      { SVC_API_KEY: 'svc_env' },
      'Bearer svc_own',
    ],
    [
      'has no key for a client with an access token',
      `{ accessToken: 'at' }`,
      { SVC_API_KEY: 'svc_env' },
      'Bearer at',
    ],
    ['may have no key', '{}', {}, undefined],
  ]
  for (const [name, options, env, key] of sends)
    test(`the environment ${name}`, async () => {
      await using server = await startScripted(says(200, { id: '1', email: 'a' }))
      const code = `const client = createClient(${options}); ${CALL}`
      expect(await run(code, { SVC_URL: server.url, ...env })).toEqual({ id: '1', email: 'a' })
      expect(server.received[0]?.headers.authorization).toBe(key)
    })

  test('the key of the environment is not sent to another address', async () => {
    await using server = await startScripted(says(200, { id: '1', email: 'a' }))
    const code = `const client = createClient({ baseUrl: '${server.url}' }); ${CALL}`
    await run(code, { SVC_URL: 'http://localhost:1', SVC_API_KEY: 'svc_env' })
    expect(server.received[0]?.headers.authorization).toBeUndefined()
  })

  test('the environment may have an address without its scheme, and may be missing', async () => {
    await using server = await startScripted(says(200, { id: '1', email: 'a' }))
    const code = `const client = createClient(); ${CALL}`
    const host = server.url.replace('http://', '')
    expect(await run(code, { SVC_URL: host })).toMatchObject({ id: '1' })
    const without = 'globalThis.process = undefined; show(typeof createClient().methods.me)'
    expect(await run(without, {})).toBe('function')
  })

  test('the environment is not read in a browser', async () => {
    const env = { SVC_URL: 'http://localhost:1', SVC_API_KEY: 'svc_env' }
    const browser = 'globalThis.document = {};'
    expect(await run(`${browser} createClient({})`, env)).toBe('TypeError: baseUrl is missing')
    await using server = await startScripted(says(200, { status: 'ok' }))
    const code = `${browser} show(await createClient({ baseUrl: '${server.url}' }).methods.health({}))`
    await run(code, env)
    expect(server.received[0]?.headers.authorization).toBeUndefined()
  })
})

describe('a key', () => {
  for (const apiKey of ['svc_4f1e\r\nX-Evil: 1', 'svc_4f1e 99', 'svc_4f1eü', 'svc_4f1e…'])
    test(`a key that no header can hold is refused, and not shown: ${JSON.stringify(apiKey)}`, () => {
      expect(() => createClient({ baseUrl: 'http://localhost:1', apiKey })).toThrow(
        /^apiKey has a character that no credential has$/,
      )
    })
})

describe('a callback that throws ends nothing', () => {
  const cookie = (token: string) => ({ 'set-cookie': `refresh_token=${token}; Path=/api/auth` })
  const signedIn = says(200, { access_token: 'at', token_type: 'bearer' }, cookie('second'))
  const throwing: [name: string, fail: () => unknown][] = [
    [
      'an error',
      () => {
        throw new Error('The disk is full')
      },
    ],
    ['a rejected promise', () => Promise.reject(new Error('The disk is full'))],
    [
      'no error',
      () => {
        throw undefined
      },
    ],
  ]
  for (const [name, fail] of throwing)
    test(name, async () => {
      const onRefreshToken = fail as () => void
      const options = { apiKey: undefined, refreshToken: 'first', onRefreshToken }
      const me = says(200, { id: '1', email: 'a' })
      const bye = says(200, { message: 'Bye' })
      await using server = await start([signedIn, me, bye], options)
      const { session, methods } = server.client
      let changes = 0
      session.subscribe(fail as () => void)
      session.subscribe(() => {
        changes++
      })
      expect(await methods.me({})).toMatchObject({ id: '1' })
      expect([session.isSignedIn, session.refreshToken, changes]).toEqual([true, 'second', 1])
      await methods.signOut({})
      expect([session.isSignedIn, session.refreshToken, changes]).toEqual([false, undefined, 2])
    })
})

describe('an error', () => {
  test('the stored table of reasons is the one that `bun scripts/npm/reasons.ts` writes', async () => {
    expect(await Bun.file(REASONS_FILE).text()).toBe(reasonTableSource())
  })

  const named: [status: number, detail: unknown, reason: string, fix: string | undefined][] = [
    [400, 'Invalid email address', 'invalid_email', undefined],
    [403, 'This account is disabled', 'account_disabled', undefined],
    [404, 'Memory not found', 'memory_not_found', undefined],
    [404, 'Chat session not found', 'chat_session_not_found', undefined],
    [409, 'Email already registered', 'email_taken', undefined],
    [409, 'Seat 12 is taken', 'conflict', undefined],
    [413, 'Too large', 'too_large', 'Send less data'],
    [401, 'No', 'unauthorized', 'Sign in again, or set another API key'],
    [
      403,
      { error: 'email_not_verified', message: 'Verify' },
      'email_not_verified',
      'Open the link in the verification email',
    ],
    [
      500,
      'Internal server error',
      'internal',
      'Try again later. The server logged it as request 128ef5e9-171a-45b0-9f88-3b255d75f7d4',
    ],
    [
      503,
      'Not ready: database',
      'unavailable',
      'Try again later. The server logged it as request 128ef5e9-171a-45b0-9f88-3b255d75f7d4',
    ],
    [418, 'Tea', 'http_418', undefined],
  ]
  for (const [status, detail, reason, fix] of named)
    test(`an error of ${status} with ${JSON.stringify(detail)} is ${reason}`, async () => {
      await using server = await start([says(status, { detail })], { maxRetries: 0 })
      const error = await errorOf(server.client.methods.remember({ content: 'tea' }))
      expect(error).toMatchObject({ status, reason })
      expect(error.fix).toBe(fix)
    })

  test('an error of a stream has a name too', async () => {
    const failed = events(['error', { detail: 'The model failed' }])
    await using server = await start([starts('text/event-stream', failed, 'complete')])
    const reading = server.client.methods.chatStream({ message: 'Hi' }).then(readAll)
    expect(await errorOf(reading)).toMatchObject({ name: 'StreamFailed', reason: 'bad_gateway' })
  })
})

describe('an iterator over pages', () => {
  const lists: [
    name: string,
    args: object,
    pages: unknown[],
    items: unknown[],
    queries: string[],
  ][] = [
    [
      'memories.listMemoriesAll',
      { thread: 't' },
      [
        { memories: [{ memory_id: 'a' }, { memory_id: 'b' }], next_cursor: 'b' },
        { memories: [{ memory_id: 'c' }], next_cursor: null },
      ],
      [{ memory_id: 'a' }, { memory_id: 'b' }, { memory_id: 'c' }],
      ['thread=t', 'cursor=b&thread=t'],
    ],
    [
      'files.listFilesAll',
      { limit: 1 },
      [[{ id: 'a' }], [{ id: 'b' }], []],
      [{ id: 'a' }, { id: 'b' }],
      ['limit=1', 'before=a&limit=1', 'before=b&limit=1'],
    ],
    [
      'chatSessions.listChatMessagesAll',
      { session_id: 's' },
      [[{ id: 'b' }, { id: 'c' }], [{ id: 'a' }], []],
      [{ id: 'c' }, { id: 'b' }, { id: 'a' }],
      ['', 'before=b', 'before=a'],
    ],
    [
      'agents.agentTimelineAll',
      { slug: 'x' },
      [
        { slug: 'x', entries: [1], has_more: true, page: 1 },
        { slug: 'x', entries: [2], has_more: false, page: 2 },
      ],
      [1, 2],
      ['', 'page=2'],
    ],
    [
      'memories.listMemoriesAll',
      {},
      [{ memories: [{ memory_id: 'a' }], next_cursor: 'a' }],
      [{ memory_id: 'a' }, { memory_id: 'a' }],
      ['', 'cursor=a'],
    ],
  ]
  for (const [name, args, pages, items, queries] of lists)
    test(`all pages of ${name} are read with ${JSON.stringify(args)}`, async () => {
      await using server = await start(pages.map((page) => says(200, page)))
      expect(await readAll(server.call(name, args))).toEqual(items)
      const sent = server.received.map(({ path }) => path.split('?')[1] ?? '')
      expect(sent.map((query) => query.split('&').toSorted().join('&'))).toEqual(queries)
    })

  test('a page is requested when it is needed, and again after a failure that passes', async () => {
    const page = says(200, { memories: [{ memory_id: 'a' }], next_cursor: 'b' })
    await using server = await start([hangsUp, page])
    for await (const _ of server.call('memories.listMemoriesAll', {})) break
    expect(server.received).toHaveLength(2)
  })
})
