import { describe, expect, test } from 'bun:test'
import { decodeJwt } from 'jose'
import { Secret, TOTP } from 'otpauth'
import { runSql, startRestartable } from '../harness/http.ts'
import {
  newUser,
  PASSWORD,
  type RequestOptions,
  request,
  type TestUser,
  useSharedServer,
} from '../harness/server.ts'

const server = useSharedServer()

interface Entry {
  id: string
  action: string
  subject: string | null
  ip: string | null
  details: Record<string, unknown>
}

const audit = ({ accessToken: token }: Pick<TestUser, 'accessToken'>, query = '') =>
  request(server.current, 'GET', `/api/auth/audit${query}`, { token })
const entries = async (user: TestUser): Promise<Entry[]> => (await audit(user)).body.entries
const actions = async (user: TestUser) => (await entries(user)).map(({ action }) => action)
const auth = (method: string, path: string, options: RequestOptions) =>
  request(server.current, method, `/api/auth/${path}`, options)

describe('the audit log', () => {
  test('signing up records the first entry with time, address and subject', async () => {
    const user = await newUser(server.current)
    const { status, body } = await audit(user)
    expect(status).toBe(200)
    expect(body.next_cursor).toBeNull()
    expect(body.entries.map(({ action }: Entry) => action).toSorted()).toEqual([
      'key.created',
      'session.started',
      'user.signed_up',
    ])
    expect(body.entries[0]).toMatchObject({ action: 'key.created', subject: user.keyId })
    expect(body.entries.find(({ action }: Entry) => action === 'session.started')).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      action: 'session.started',
      subject: decodeJwt(user.accessToken).sid,
      ip: expect.stringMatching(/^198\.18\./),
      details: {},
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
    })
  })

  test('sign-ins, failed sign-ins and sign-outs are recorded', async () => {
    const user = await newUser(server.current)
    const { email } = user
    await auth('POST', 'signin', { body: { email, password: 'wrong' }, from: '198.18.9.9' })
    const signedIn = await auth('POST', 'signin', { body: { email, password: PASSWORD } })
    const token = signedIn.body.access_token
    const { sid } = decodeJwt(token)
    await auth('DELETE', `sessions/${sid}`, { token: user.accessToken })
    const [ended, started, failed] = await entries(user)
    expect(ended).toMatchObject({ action: 'session.ended', subject: String(sid) })
    expect(started).toMatchObject({ action: 'session.started', subject: String(sid) })
    expect(failed).toMatchObject({ action: 'session.failed', subject: null, ip: '198.18.9.9' })

    await auth('DELETE', 'sessions', { token: user.accessToken })
    const again = await auth('POST', 'signin', { body: { email, password: PASSWORD } })
    const log = await entries({ ...user, accessToken: again.body.access_token })
    expect(log.slice(0, 2).map(({ action }) => action)).toEqual([
      'session.started',
      'session.all_ended',
    ])
  })

  test('changes to API keys and the second factor are recorded', async () => {
    const user = await newUser(server.current)
    const { accessToken: token, keyId } = user
    await auth('DELETE', `api-keys/${keyId}`, { token })
    const { secret } = (await auth('POST', 'mfa/setup', { token })).body
    const totp = new TOTP({ secret: Secret.fromBase32(secret) })
    const enabled = await auth('POST', 'mfa/enable', { token, body: { code: totp.generate() } })
    const [first, second, third] = enabled.body.recovery_codes
    const { partial_token } = (
      await auth('POST', 'signin', { body: { email: user.email, password: PASSWORD } })
    ).body
    await auth('POST', 'mfa/verify', { body: { partial_token, code: 'wrong' } })
    await auth('POST', 'mfa/verify', { body: { partial_token, code: first } })
    const renewed = await auth('POST', 'mfa/codes', { token, body: { code: second } })
    await auth('POST', 'mfa/disable', { token, body: { code: third } })
    const [code] = renewed.body.recovery_codes
    await auth('POST', 'mfa/disable', { token, body: { code } })
    const log = await entries(user)
    expect(log.map(({ action }) => action).slice(0, 6)).toEqual([
      'mfa.disabled',
      'mfa.codes_renewed',
      'session.started',
      'session.failed',
      'mfa.enabled',
      'key.revoked',
    ])
    expect(log[3]).toMatchObject({ details: { factor: 'code' } })
    expect(log[5]).toMatchObject({ subject: keyId })
  })

  test('a user sees only the entries of their own account', async () => {
    const [user, other] = [await newUser(server.current), await newUser(server.current)]
    const foreign = (await entries(other)).map(({ id }) => id)
    for (const { id } of await entries(user)) expect(foreign).not.toContain(id)
    const [last = ''] = foreign
    expect((await audit(user, `?cursor=${last}`)).body).toEqual({ entries: [], next_cursor: null })
  })

  test('entries contain no password, code or token', async () => {
    const user = await newUser(server.current)
    await auth('POST', 'signin', { body: { email: user.email, password: 'hunter2-hunter2' } })
    const { text } = await audit(user)
    for (const secret of ['hunter2', PASSWORD, user.key, user.accessToken, user.refreshToken])
      expect(text).not.toContain(secret)
  })
})

describe('pages of the audit log', () => {
  test('pages list every entry once, newest first', async () => {
    const user = await newUser(server.current)
    for (let i = 0; i < 4; i++)
      await auth('POST', 'signin', { body: { email: user.email, password: 'wrong' } })
    const all = (await entries(user)).map(({ id }) => id)
    expect(all).toHaveLength(7)
    const paged: string[] = []
    let query = '?limit=2'
    for (let pages = 0; query; pages++) {
      expect(pages).toBeLessThan(5)
      const { body } = await audit(user, query)
      paged.push(...body.entries.map(({ id }: Entry) => id))
      query = body.next_cursor && `?limit=2&cursor=${body.next_cursor}`
    }
    expect(paged).toEqual(all)
    expect((await actions(user)).slice(0, 4)).toEqual(Array(4).fill('session.failed'))
  })

  test('with an action, only entries whose action starts with it are listed', async () => {
    const user = await newUser(server.current)
    await auth('POST', 'signin', { body: { email: user.email, password: 'wrong' } })
    const { body } = await audit(user, '?action=session.&limit=1')
    const rest = await audit(user, `?action=session.&cursor=${body.next_cursor}`)
    expect([...body.entries, ...rest.body.entries].map(({ action }: Entry) => action)).toEqual([
      'session.failed',
      'session.started',
    ])
    expect((await audit(user, '?action=%25')).body.entries).toEqual([])
  })

  test('a page has 1 to 100 entries; other limits are 422', async () => {
    const user = await newUser(server.current)
    expect((await audit(user, '?limit=1')).body.entries).toHaveLength(1)
    expect((await audit(user, '?limit=100')).status).toBe(200)
    for (const [limit, type] of [
      ['0', 'greater_than_equal'],
      ['101', 'less_than_equal'],
      ['x', 'int_parsing'],
    ]) {
      const { status, body } = await audit(user, `?limit=${limit}`)
      expect([status, body.detail]).toMatchObject([422, [{ loc: ['query', 'limit'], type }]])
    }
    const { status, body } = await audit(user, '?cursor=first')
    expect([status, body.detail]).toMatchObject([
      422,
      [{ loc: ['query', 'cursor'], type: 'uuid_parsing' }],
    ])
  })
})

test('an API key cannot read the audit log', async () => {
  const user = await newUser(server.current)
  expect((await audit({ accessToken: user.key })).status).toBe(403)
  const anonymous = await request(server.current, 'GET', '/api/auth/audit')
  expect(anonymous.status).toBe(401)
})

test('the database refuses to change an entry, and to delete one while its account exists', async () => {
  await using restartable = await startRestartable()
  const user = await newUser(restartable.current)
  const read = () =>
    request(restartable.current, 'GET', '/api/auth/audit', { token: user.accessToken })
  const before = (await read()).text
  await restartable.current.stop()
  for (const statement of [
    `update audit_log set action = 'forged' where user_id = '${user.id}'`,
    `delete from audit_log where user_id = '${user.id}'`,
  ]) {
    const refused = await runSql(restartable.database, statement).then(
      () => undefined,
      (error: Error) => error.message,
    )
    expect(refused).toContain('the audit log is append-only')
  }
  await restartable.restart()
  expect((await read()).text).toBe(before)
})
