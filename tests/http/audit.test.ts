import { describe, expect, test } from 'bun:test'
import { decodeJwt } from 'jose'
import { Secret, TOTP } from 'otpauth'
import {
  newUser,
  PASSWORD,
  type RequestOptions,
  request,
  type TestUser,
  useServer,
} from '../harness/server.ts'
import { runSql, startRestartable } from './support.ts'

const server = useServer()

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

describe('the audit trail', () => {
  test('starts with the sign-up, and tells when, from where and what of', async () => {
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

  test('has sign-ins, failed ones and sign-outs', async () => {
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

  test('has what is done with keys and with the second factor', async () => {
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

  test('shows nobody what others did', async () => {
    const [user, other] = [await newUser(server.current), await newUser(server.current)]
    const foreign = (await entries(other)).map(({ id }) => id)
    for (const { id } of await entries(user)) expect(foreign).not.toContain(id)
    const [last = ''] = foreign
    expect((await audit(user, `?cursor=${last}`)).body).toEqual({ entries: [], next_cursor: null })
  })

  test('holds no password, code or token', async () => {
    const user = await newUser(server.current)
    await auth('POST', 'signin', { body: { email: user.email, password: 'hunter2-hunter2' } })
    const { text } = await audit(user)
    for (const secret of ['hunter2', PASSWORD, user.key, user.accessToken, user.refreshToken])
      expect(text).not.toContain(secret)
  })
})

describe('its pages', () => {
  test('follow each other without a gap or a double, newest first', async () => {
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

  test('hold 1 to 100 entries', async () => {
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

test('an API key cannot read it', async () => {
  const user = await newUser(server.current)
  expect((await audit({ accessToken: user.key })).status).toBe(403)
  const stranger = await request(server.current, 'GET', '/api/auth/audit')
  expect(stranger.status).toBe(401)
})

test('not even the database changes an entry, or drops one while its account is there', async () => {
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
