import { describe, expect, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import postgres from 'postgres'
import sharp from 'sharp'
import {
  createChatSession,
  createSessionCategory,
  getMemory,
  remember,
  rememberBatch,
  uploadFile,
} from '../../shared/contract/index.ts'
import type { TestDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { startRestartable } from '../harness/http.ts'
import { startModelServer } from '../harness/model-server.ts'
import {
  cookieValue,
  newUser,
  PASSWORD,
  type RequestOptions,
  request,
  type TestServer,
  type TestUser,
  useServer,
} from '../harness/server.ts'

const server = useServer()
const ORIGIN = 'https://app.example.com'

const remove = (
  user: Pick<TestUser, 'accessToken'>,
  body: unknown,
  options: RequestOptions = {},
  target: TestServer = server.current,
) =>
  request(target, 'DELETE', '/api/auth/delete-account', {
    token: user.accessToken,
    body,
    ...options,
  })
const signIn = (email: string, target: TestServer = server.current) =>
  request(target, 'POST', '/api/auth/signin', { body: { email, password: PASSWORD } })
const me = (token: string) => request(server.current, 'GET', '/api/me', { token })

type Query = (text: string) => Promise<Record<string, unknown>[]>

const withDatabase = async <T>({ env }: TestDatabase, read: (query: Query) => Promise<T>) => {
  const sql = postgres(env.SVC_DATABASE_URL, { max: 1 })
  return read((text) => sql.unsafe(text)).finally(() => sql.end())
}

/** The rows of all tables that contain one of `names`, as sorted `table: row` lines. */
const rowsReferencing = (database: TestDatabase, ...names: string[]): Promise<string[]> =>
  withDatabase(database, async (query) => {
    const tables =
      await query(`select quote_ident(table_schema) || '.' || quote_ident(table_name) as name
      from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`)
    expect(tables.length).toBeGreaterThan(15)
    const found: string[] = []
    for (const { name } of tables) {
      const where = names.map((text) => `position('${text}' in t::text) > 0`).join(' or ')
      const rows = await query(`select t::text as row from ${name} t where ${where}`)
      for (const { row } of rows) found.push(`${name}: ${row}`)
    }
    return found.toSorted()
  })

/** A retry of an undelivered email changes its job row at any time. */
const isJob = (row: string) => row.startsWith('jobs.')
/** Disabled engines still queue and finish jobs. */
const isMail = (row: string) => isJob(row) && !row.includes('memory-')

const tablesOf = (rows: string[]) => new Set(rows.map((row) => row.split(':')[0]))

const USER_TABLES = [
  ...['org_members', 'org_invites', 'dm_threads', 'dm_members', 'dm_messages'],
  ...['shares', 'share_messages', 'email_threads', 'email_messages', 'email_recipients'],
  ...['billing_accounts', 'usage_counts', 'credit_purchases', 'subscriptions', 'checkouts'],
  ...['sense_devices', 'reflexes', 'reflex_firings', 'intents', 'agents'],
]

/** Rows that reference the user in the tables of other domains, in states that no job changes. */
const userRows = (id: string, email: string): string[] => [
  `with o as (insert into orgs (id, name) values (gen_random_uuid(), 'Alone') returning id),
  m as (insert into org_members (org_id, user_id, role) select id, '${id}', 'owner' from o)
  insert into org_invites (id, org_id, email, role, token_hash, invited_by, expires_at)
  select gen_random_uuid(), id, 'guest@example.com', 'member', gen_random_uuid()::text, '${id}', now() from o`,
  `insert into dm_threads (thread_id, first_user_id, second_user_id, last_position)
  values ('${id}', '${id}', gen_random_uuid(), 1)`,
  `insert into dm_members (thread_id, user_id, peer_id)
  select thread_id, first_user_id, second_user_id from dm_threads where thread_id = '${id}'`,
  `insert into dm_messages (thread_id, position, message_id, user_id, content)
  values ('${id}', 1, gen_random_uuid(), '${id}', 'x')`,
  `insert into shares (user_id, share_id, token, session_id, title, message_count)
  values ('${id}', '${id}', '${id}', gen_random_uuid(), 'x', 1)`,
  `insert into share_messages (user_id, share_id, position, role, content, created_at)
  values ('${id}', '${id}', 1, 'user', 'x', now())`,
  `insert into email_threads (user_id, thread_id, subject, message_count) values ('${id}', '${id}', 'x', 1)`,
  `insert into email_messages (user_id, thread_id, message_id, subject, text)
  values ('${id}', '${id}', '${id}', 'x', 'x')`,
  `insert into email_recipients (user_id, thread_id, message_id, position, address, mail_id, state)
  values ('${id}', '${id}', '${id}', 0, '${email}', 'x', 'sent')`,
  `insert into billing_accounts (user_id) values ('${id}')`,
  `insert into usage_counts (user_id, period, metric, used) values ('${id}', '2020-01-01', 'urls', 1)`,
  `insert into credit_purchases (payment_id, user_id) values ('pi_${id}', '${id}')`,
  `insert into subscriptions (subscription_id, user_id) values ('sub_${id}', '${id}')`,
  `insert into checkouts (checkout_id, user_id) values (gen_random_uuid()::text, '${id}')`,
  `insert into sense_devices (user_id, device_id, device_name) values ('${id}', '${id}', 'x')`,
  `insert into reflexes (user_id, reflex_id, name, trigger_type, trigger, conditions, action, does_confirm, is_enabled)
  values ('${id}', '${id}', 'x', 'memory', '{}', '[]', '{}', false, false)`,
  `insert into reflex_firings (user_id, firing_id, reflex_id, event_key, event, state)
  values ('${id}', gen_random_uuid(), '${id}', 'x', '{}', 'done')`,
  `insert into intents (user_id, intent_id, kind, source, title) values ('${id}', '${id}', 'question', 'x', 'x')`,
  `insert into agents (user_id, slug) values ('${id}', 'x')`,
]

/** A user with data in every feature. */
const newUserWithData = async (target: TestServer): Promise<TestUser> => {
  const user = await newUser(target)
  const { accessToken: token, email } = user
  const auth = (path: string, body: unknown, options: RequestOptions = {}) =>
    request(target, 'POST', `/api/auth/${path}`, { token, body, ...options })
  for (const content of ['Ada lives in Paris', 'Ada went home', 'Ada likes tea'])
    await user.client.call(remember, { body: { content, thread: 'talk', author: 'Ada' } })
  await user.client.call(createSessionCategory, { body: { name: 'Work' } })
  await user.client.call(createChatSession, { body: { title: 'A trip' } })
  await user.client.call(uploadFile, { upload: new File(['notes'], 'notes.txt') })
  await auth('signin', { email, password: 'wrong' })
  await request(target, 'PUT', '/api/auth/instructions', {
    token,
    body: { instructions: 'Be brief' },
  })
  const { secret } = (await auth('mfa/setup', {})).body
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  await auth('mfa/enable', { code })
  await signIn(email, target)
  const { user_code } = (await auth('mcp/start', {})).body
  await auth('mcp/authorize', { user_code, approve: true })
  const minted = await auth(
    'handoff/mint',
    { target_origin: ORIGIN },
    { cookie: user.refreshToken },
  )
  expect(minted.status).toBe(200)
  await auth('signin', { email, password: 'wrong again' })
  return user
}

describe('deleting an account', () => {
  test('deleting an account deletes its rows in every table and keeps those of others', async () => {
    await using restartable = await startRestartable({
      SVC_FRONTEND_ORIGINS: ORIGIN,
      // The port is closed, so emails stay queued.
      SVC_SMTP_URL: 'smtp://127.0.0.1:1',
      SVC_RATE_LIMIT_STORE: 'postgres',
    })
    const { database } = restartable
    // Engines would change their rows during the test, so the test writes tasks and results itself.
    await restartable.restart(
      ...['extraction', 'consolidation', 'graph', 'reflexes'].map(
        (engine) =>
          `insert into engine_states (engine, is_enabled, reason, changed_by)
          values ('${engine}', false, 'To stand still.', gen_random_uuid())`,
      ),
    )
    const user = await newUserWithData(restartable.current)
    const other = await newUserWithData(restartable.current)
    const names = [user.id, user.email]
    const otherNames = [other.id, other.email]
    await restartable.restart(
      ...[user, other].flatMap(({ id, email }) => [
        `insert into oauth_connections (provider, subject, user_id, email) values ('github', '${id}', '${id}', '${email}')`,
        `insert into url_snapshots (user_id, hash, url, title, text) values ('${id}', 'x', 'http://x.test', 'x', 'x')`,
        `insert into memory_facts (owner_id, fact_id, memory_id, kind, subject, key, value, quote, extracted_by)
        select owner_id, gen_random_uuid(), memory_id, 'home', 'self', 'home', 'x', 'x', 'rules'
        from memories where owner_id = '${id}'`,
        `insert into memory_links (owner_id, memory_id, other_id, kind, weight)
        select owner_id, memory_id, memory_id, 'words', 1 from memories where owner_id = '${id}'`,
        `insert into memory_betweenness (owner_id, memory_id, betweenness)
        select owner_id, memory_id, 1 from memories where owner_id = '${id}'`,
        `insert into memory_graphs (owner_id, node_count, edge_count, is_sampled, duration_ms)
        values ('${id}', 1, 1, false, 1)`,
        ...userRows(id, email),
      ]),
    )

    await restartable.current.stop()
    const before = await rowsReferencing(database, ...names)
    const others = await rowsReferencing(database, ...otherNames)
    expect([...tablesOf(before)]).toEqual([...tablesOf(others)])
    for (const table of [
      'users',
      'sessions',
      'api_keys',
      'audit_log',
      'sign_in_guards',
      'memories',
      'memory_threads',
      'memory_stats',
      'memory_tasks',
      'memory_facts',
      'memory_links',
      'memory_betweenness',
      'memory_graphs',
      'mfa_secrets',
      'mfa_challenges',
      'recovery_codes',
      'device_logins',
      'handoffs',
      'mailed_links',
      'oauth_connections',
      'url_snapshots',
      ...USER_TABLES,
      'rate_limits',
    ])
      expect([...tablesOf(before)]).toContain(`public.${table}`)
    expect(before.filter(isMail).length).toBeGreaterThan(0)

    await restartable.restart()
    const { status, body } = await remove(user, { password: PASSWORD }, {}, restartable.current)
    expect([status, body]).toEqual([200, { message: expect.any(String) }])
    await restartable.current.stop()
    expect(await rowsReferencing(database, ...names)).toEqual([])
    const rows = await rowsReferencing(database, ...otherNames)
    expect(rows.filter((row) => !isJob(row))).toEqual(others.filter((row) => !isJob(row)))
    expect(rows.filter(isMail)).toHaveLength(others.filter(isMail).length)
    await restartable.restart()
  })

  test('deleting an account ends its sessions and API keys and clears the cookie', async () => {
    const user = await newUser(server.current)
    const elsewhere = (await signIn(user.email)).body.access_token
    const answer = await remove(user, { password: PASSWORD })
    expect([answer.status, cookieValue(answer.cookie)]).toEqual([200, ''])
    expect(answer.cookie).toContain('Max-Age=0')
    for (const token of [user.accessToken, elsewhere]) expect((await me(token)).status).toBe(401)
    const withKey = await me(user.key)
    expect([withKey.status, withKey.body]).toEqual([401, { detail: 'Invalid API key' }])
    const refreshed = await request(server.current, 'POST', '/api/auth/refresh', {
      cookie: user.refreshToken,
    })
    expect(refreshed.status).toBe(401)
    const signedIn = await signIn(user.email)
    expect([signedIn.status, signedIn.body]).toEqual([401, { detail: 'Invalid email or password' }])
  })

  test('requests that run in parallel with the deletion leave no rows', async () => {
    await using restartable = await startRestartable()
    const { current, database } = restartable
    const user = await newUser(current)
    const busy = Array.from({ length: 20 }, (_, i) => [
      request(current, 'POST', '/api/auth/signin', {
        body: { email: user.email, password: `wrong ${i}` },
      }),
      request(current, 'POST', '/api/auth/api-keys', {
        token: user.accessToken,
        body: { name: 'late' },
      }),
    ]).flat()
    let isOver = false
    const writing = Array.from({ length: 10 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        const body = { content: `memory ${n} of ${writer}`, thread: `thread ${writer}` }
        await request(current, 'POST', '/api/remember', { token: user.key, body })
      }
    })
    const removed = await remove(user, { password: PASSWORD }, {}, current)
    isOver = true
    expect(removed.status).toBe(200)
    await Promise.all([...busy, ...writing])
    await current.stop()
    expect(await rowsReferencing(database, user.id)).toEqual([])
    await restartable.restart()
  })

  test('the deletion succeeds while credentials are created in parallel; later requests are refused', async () => {
    for (let round = 0; round < 3; round++) {
      const user = await newUser(server.current)
      const as = (method: string, path: string, body: unknown) =>
        request(server.current, method, path, { token: user.accessToken, body })
      const upload = async () => {
        const body = new FormData()
        body.append('file', new File(['notes'], 'notes.txt'))
        const headers = { authorization: `Bearer ${user.accessToken}` }
        return fetch(`${server.current.url}/api/files`, { method: 'POST', headers, body })
      }
      const signInDevice = async () => {
        const { device_code, user_code } = (await as('POST', '/api/auth/mcp/start', {})).body
        await as('POST', '/api/auth/mcp/authorize', { user_code, approve: true })
        return as('POST', '/api/auth/mcp/poll', { device_code })
      }
      const times = <T>(make: (n: number) => T) => Array.from({ length: 8 }, (_, n) => make(n))
      const [removed, devices, others] = await Promise.all([
        remove(user, { password: PASSWORD }),
        Promise.all(times(signInDevice)),
        Promise.all(
          times((n) => [
            upload(),
            as('POST', '/api/sessions', {}),
            as('POST', '/api/sessions/categories', { name: `category ${n}` }),
            as('POST', '/api/auth/api-keys', { name: `key ${n}` }),
          ]).flat(),
        ),
      ])
      expect(removed.status).toBe(200)
      for (const { status } of others) expect([200, 201, 401]).toContain(status)
      // The account is deleted together with its device logins, whose codes are then unknown.
      for (const { status, body } of devices)
        if (status === 400) expect(body).toEqual({ detail: 'Unknown device code' })
        else expect([200, 401, 410]).toContain(status)
    }
  })

  test('the deletion succeeds while memories are changed, superseded and recalled in parallel', async () => {
    const user = await newUser(server.current)
    const threads = ['a', 'b', 'c']
    const batches = await Promise.all(
      threads.map((thread) => {
        const memories = Array.from({ length: 100 }, (_, i) => ({
          content: `I live in Town ${i} of ${thread}.`,
          thread,
        }))
        return user.client.call(rememberBatch, { body: { memories } })
      }),
    )
    const ids = batches.flatMap(({ memories }) => memories.map(({ memory_id }) => memory_id))
    const send = (method: string, path: string, body: unknown) =>
      request(server.current, method, path, { token: user.key, body })
    const answers: number[] = []
    let isOver = false
    const busy = Array.from({ length: 9 }, async (_, writer) => {
      for (let n = 0; !isOver; n++) {
        const id = ids[(n * 31 + writer * 97) % ids.length]
        const content = `I live in Village ${n} of ${writer}.`
        const thread = threads[n % 3]
        const { status } = await (writer % 2
          ? send('PATCH', `/api/memories/${id}`, { content, thread })
          : send('POST', '/api/remember', { content, thread, supersedes: id }))
        answers.push(status)
      }
    })
    await eventually(() => answers.length >= 20)
    const { status } = await remove(user, { password: PASSWORD })
    isOver = true
    await Promise.all(busy)
    expect(status).toBe(200)
    expect(answers).not.toContain(500)
  })

  test('a deleted account leaves no queued engine tasks, and none are added later', async () => {
    await using models = await startModelServer()
    models.always(() => {})
    await using restartable = await startRestartable({
      SVC_OPENAI_BASE_URL: models.url,
      SVC_OPENAI_MODEL: 'silent',
    })
    const { current, database } = restartable
    const write = (user: TestUser, content: string) =>
      user.client.call(remember, { body: { content } })
    // A model that never responds occupies all parallel owners of extraction.
    for (const _ of [1, 2]) {
      const modelCall = models.nextCall()
      await write(await newUser(current), 'I live in Lisbon.')
      await modelCall
    }
    const user = await newUser(current)
    const late = await newUser(current)
    await write(user, 'I live in Porto.')
    // The other engine finished a later memory, so extraction has a task for it too.
    const other = await newUser(current)
    const { memory_id } = await write(other, 'It rains')
    await write(other, 'it rains.')
    const params = { memory_id }
    await eventually(async () => (await other.client.call(getMemory, { params })).superseded_by)
    await write(late, 'I live in Faro.')
    for (const { accessToken } of [user, late])
      expect((await remove({ accessToken }, { password: PASSWORD }, {}, current)).status).toBe(200)
    await current.stop()
    expect(await rowsReferencing(database, user.id, late.id)).toEqual([])
    await restartable.restart()
  })

  test('a new account with the same address has no memories', async () => {
    const user = await newUser(server.current)
    await user.client.call(remember, { body: { content: 'Ada lives in Paris' } })
    await remove(user, { password: PASSWORD })
    const again = await request(server.current, 'POST', '/api/auth/signup', {
      body: { email: user.email, password: PASSWORD, confirm_password: PASSWORD },
    })
    expect(again.status).toBe(201)
    expect(again.body.user.id).not.toBe(user.id)
    const recalled = await request(server.current, 'POST', '/api/recall', {
      token: again.body.access_token,
      body: { query: 'Where does Ada live?' },
    })
    expect(recalled.body).toEqual({ memories: [], count: 0 })
  })

  test('deleting an account deletes its picture', async () => {
    const user = await newUser(server.current)
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#123' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('file', new Blob([png], { type: 'image/png' }), 'me.png')
    const uploaded = await fetch(new URL('/api/profile/avatar', server.current.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${user.accessToken}` },
      body: form,
    })
    const { avatar_url } = (await uploaded.json()) as { avatar_url: string }
    const picture = () => fetch(new URL(avatar_url, server.current.url))
    expect((await picture()).status).toBe(200)
    await remove(user, { password: PASSWORD })
    await eventually(async () => (await picture()).status === 404)
  })

  test('50 parallel deletions succeed once', async () => {
    const user = await newUser(server.current)
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => remove(user, { password: PASSWORD })),
    )
    const statuses = answers.map(({ status }) => status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    for (const status of statuses) expect([200, 401, 429]).toContain(status)
  })
})

describe('refusing to delete an account', () => {
  const refusals: [string, unknown, string][] = [
    ['without a password', {}, 'Password is required'],
    ['with an empty password', { password: '' }, 'Password is required'],
    ['with a wrong password', { password: 'a wrong one' }, 'Password is wrong'],
  ]
  for (const [how, body, detail] of refusals)
    test(how, async () => {
      const user = await newUser(server.current)
      const answer = await remove(user, body)
      expect([answer.status, answer.body, answer.cookie]).toEqual([400, { detail }, undefined])
      expect((await me(user.accessToken)).status).toBe(200)
    })

  test('an account with a password is not deleted by its address', async () => {
    const user = await newUser(server.current)
    const answer = await remove(user, { confirm: user.email })
    expect([answer.status, answer.body]).toEqual([400, { detail: 'Password is required' }])
    expect((await me(user.accessToken)).status).toBe(200)
  })

  test('the password of another account is refused', async () => {
    const user = await newUser(server.current)
    const email = `other-${user.email}`
    const password = 'another password entirely'
    await request(server.current, 'POST', '/api/auth/signup', {
      body: { email, password, confirm_password: password },
    })
    expect((await remove(user, { password })).status).toBe(400)
  })

  test('an API key, the cookie alone and a missing credential are refused', async () => {
    const user = await newUser(server.current)
    const body = { password: PASSWORD }
    expect((await remove({ accessToken: user.key }, body)).status).toBe(403)
    for (const options of [{ cookie: user.refreshToken }, {}])
      expect((await remove({ accessToken: '' }, body, options)).status).toBe(401)
    expect((await me(user.accessToken)).status).toBe(200)
  })

  test('after ten wrong passwords the correct one is refused too', async () => {
    const user = await newUser(server.current)
    for (let i = 0; i < 10; i++)
      expect((await remove(user, { password: `wrong ${i}` })).status).toBe(400)
    expect((await remove(user, { password: PASSWORD })).status).toBe(429)
    expect((await me(user.accessToken)).status).toBe(200)
  })

  test('an invalid body is 422', async () => {
    const user = await newUser(server.current)
    const { status, body } = await remove(user, { password: 5 })
    expect([status, body.detail]).toMatchObject([
      422,
      [{ loc: ['body', 'password'], type: 'string_type' }],
    ])
  })
})

test('an account without a password is deleted only by its address', async () => {
  await using restartable = await startRestartable()
  const user = await newUser(restartable.current)
  await restartable.change(`update users set password_hash = null where id = '${user.id}'`)
  const refusal = { detail: 'Confirm with the email address of the account' }
  for (const body of [{}, { confirm: '' }, { confirm: `x${user.email}` }, { password: PASSWORD }]) {
    const answer = await remove(user, body, {}, restartable.current)
    expect([answer.status, answer.body]).toEqual([400, refusal])
  }
  const confirm = ` ${user.email.toUpperCase()} `
  expect((await remove(user, { confirm }, {}, restartable.current)).status).toBe(200)
  expect((await signIn(user.email, restartable.current)).status).toBe(401)
})
