import { describe, expect, test } from 'bun:test'
import { BASE_URL, startRestartable } from '../harness/http.ts'
import { newUser, request, startServer, type TestUser, useSharedServer } from '../harness/server.ts'

const server = useSharedServer()
const KEYS = '/api/auth/api-keys'

const create = ({ accessToken: token }: TestUser, body: unknown) =>
  request(server.current, 'POST', KEYS, { token, body })
const list = async ({ accessToken: token }: TestUser) =>
  (await request(server.current, 'GET', KEYS, { token })).body
const revoke = (token: string, id: string) =>
  request(server.current, 'DELETE', `${KEYS}/${id}`, { token })
const me = (token: string) => request(server.current, 'GET', '/api/me', { token })

describe('API keys', () => {
  test('a key is returned once, when it is created', async () => {
    const user = await newUser(server.current)
    const { status, body } = await create(user, { name: '  laptop  ' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      name: 'laptop',
      key_prefix: body.key.slice(0, 8),
      org_id: null,
      created_at: expect.any(String),
      last_used_at: null,
      expires_at: null,
      key: expect.stringMatching(/^svc_[0-9A-Za-z]{49}$/),
    })
    const { key, ...rest } = body
    const keys = await list(user)
    expect(keys[0]).toEqual(rest)
    expect(JSON.stringify(keys)).not.toContain(key)
    expect(keys.map(({ name }: { name: string }) => name)).toEqual(['laptop', 'test'])
  })

  test('a name of an API key has 1-100 characters', async () => {
    const user = await newUser(server.current)
    for (const [body, type] of [
      [{}, 'missing'],
      [{ name: null }, 'string_type'],
      [{ name: '   ' }, 'string_too_short'],
      [{ name: 'x'.repeat(101) }, 'string_too_long'],
    ]) {
      const answer = await create(user, body)
      expect([answer.status, answer.body.detail]).toEqual([
        422,
        [{ loc: ['body', 'name'], type, msg: expect.any(String) }],
      ])
    }
    expect((await create(user, { name: 'x'.repeat(100) })).status).toBe(201)
  })

  test('using a key updates last_used_at', async () => {
    const user = await newUser(server.current)
    const { body } = await create(user, { name: 'used' })
    await me(body.key)
    const [used] = await list(user)
    expect(Date.parse(used.last_used_at)).toBeGreaterThanOrEqual(Date.parse(body.created_at))
  })

  test('a malformed, unknown or missing key is `Invalid API key` in either header', async () => {
    const { key } = await newUser(server.current)
    const swapped = key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a')
    for (const bad of [swapped, 'svc_', `svc_${'0'.repeat(49)}`, `${key}0`, key.slice(0, -1)])
      for (const headers of [{ authorization: `Bearer ${bad}` }, { 'x-api-key': bad }]) {
        const answer = await request(server.current, 'GET', '/api/me', {
          headers: headers as Record<string, string>,
        })
        expect([answer.status, answer.body]).toEqual([401, { detail: 'Invalid API key' }])
      }
  })

  test.each(['rubbish', 'Bearer x', 'a.b.c'])('the X-API-Key header refuses %s', async (value) => {
    const { status, body } = await request(server.current, 'GET', '/api/me', {
      headers: { 'x-api-key': value },
    })
    expect([status, body]).toEqual([401, { detail: 'Invalid API key' }])
  })

  test('a revoked key is refused on the next request', async () => {
    const user = await newUser(server.current)
    expect((await me(user.key)).status).toBe(200)
    const deleted = await revoke(user.accessToken, user.keyId)
    expect([deleted.status, deleted.text]).toEqual([204, ''])
    expect((await me(user.key)).body).toEqual({ detail: 'Invalid API key' })
    expect((await revoke(user.accessToken, user.keyId)).status).toBe(404)
  })

  test('a revoked key is refused on the next request to every server', async () => {
    const env = { SVC_BASE_URL: BASE_URL }
    await using one = await startServer(env)
    await using two = await startServer(env, one.database)
    const user = await newUser(one)
    const status = async () => (await request(two, 'GET', '/api/me', { token: user.key })).status
    expect(await status()).toBe(200)
    await request(one, 'DELETE', `${KEYS}/${user.keyId}`, { token: user.accessToken })
    expect(await status()).toBe(401)
  })

  test('ten parallel revocations revoke a key once', async () => {
    const user = await newUser(server.current)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => revoke(user.accessToken, user.keyId)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(9).fill(404)])
  })

  test('an API key can revoke itself and manage nothing else', async () => {
    const user = await newUser(server.current)
    const other = (await create(user, { name: 'other' })).body
    expect((await revoke(user.key, other.id)).status).toBe(403)
    expect((await revoke(user.key, crypto.randomUUID())).status).toBe(403)
    for (const method of ['GET', 'POST'])
      expect(
        (
          await request(server.current, method, KEYS, {
            token: user.key,
            ...(method === 'POST' && { body: { name: 'more' } }),
          })
        ).status,
      ).toBe(403)
    expect((await me(other.key)).status).toBe(200)
    // Ids ignore case.
    expect((await revoke(user.key, user.keyId.toUpperCase())).status).toBe(204)
    expect((await me(user.key)).status).toBe(401)
  })

  test('revoking a key of another user is 403, an unknown one 404, a malformed id 422', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    expect((await revoke(bob.accessToken, ada.keyId)).status).toBe(403)
    expect((await revoke(bob.accessToken, crypto.randomUUID())).status).toBe(404)
    const malformed = await revoke(bob.accessToken, 'svc_abcd')
    expect([malformed.status, malformed.body.detail[0].loc, malformed.body.detail[0].type]).toEqual(
      [422, ['path', 'key_id'], 'uuid_parsing'],
    )
    expect((await me(ada.key)).status).toBe(200)
    expect(await list(bob)).toHaveLength(1)
  })

  test('expires_at must be in the future', async () => {
    const user = await newUser(server.current)
    const end = new Date(Date.now() + 3_600_000)
    const created = await create(user, { name: 'short', expires_at: end.toISOString() })
    expect([created.status, created.body.expires_at]).toEqual([201, end.toISOString()])
    expect((await me(created.body.key)).status).toBe(200)
    for (const expires_at of ['2020-01-01T00:00:00Z', 'tomorrow', 5, '2026-13-01T00:00:00Z']) {
      const answer = await create(user, { name: 'bad', expires_at })
      expect([answer.status, answer.body.detail[0].loc]).toEqual([422, ['body', 'expires_at']])
    }
  })

  test('an expired key is refused', async () => {
    await using it = await startRestartable()
    const user = await newUser(it.current)
    const { body } = await request(it.current, 'POST', KEYS, {
      token: user.accessToken,
      body: { name: 'short', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
    })
    await it.change(
      `update api_keys set expires_at = now() - interval '1 second' where id = '${body.id}'`,
    )
    const answer = await request(it.current, 'GET', '/api/me', { token: body.key })
    expect([answer.status, answer.body]).toEqual([401, { detail: 'Invalid API key' }])
    expect((await request(it.current, 'GET', '/api/me', { token: user.key })).status).toBe(200)
  })

  test('creating a key for an organization without membership is 403', async () => {
    const user = await newUser(server.current)
    const answer = await create(user, { name: 'org', org_id: crypto.randomUUID() })
    expect([answer.status, answer.body]).toEqual([
      403,
      { detail: 'Not a member of this organization' },
    ])
  })
})
