import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { contract } from '../../shared/contract/index.ts'
import type { ApiKey } from '../../shared/contract/keys.ts'
import {
  hasScope,
  isWithinScopes,
  SCOPES,
  type Scope,
  scopeOf,
} from '../../shared/contract/scopes.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, type TestUser, useServer } from '../harness/server.ts'
import { connectMcp, toolsOf } from '../mcp/client.ts'
import { follow } from '../system/activity-stream.ts'
import { runSql } from '../system/support.ts'

const server = useServer()
const KEYS = '/api/auth/api-keys'

interface Created {
  id: string
  key: string
}

const send = (token: string, method: string, path: string, body?: unknown) =>
  request(server.current, method, path, { token, ...(body !== undefined && { body }) })

const create = async (user: TestUser, body: object): Promise<Created> => {
  const created = await send(user.accessToken, 'POST', KEYS, { name: 'agent', ...body })
  expect(created.status).toBe(201)
  return created.body
}
const delegate = (token: string, body: object = {}) =>
  send(token, 'POST', `${KEYS}/delegate`, { name: 'helper', ...body })
const change = (user: TestUser, id: string, body: object) =>
  send(user.accessToken, 'PATCH', `${KEYS}/${id}`, body)
const keysOf = async (user: TestUser): Promise<ApiKey[]> =>
  (await send(user.accessToken, 'GET', KEYS)).body
const me = (token: string) => send(token, 'GET', '/api/me')
const LACKS = (scope: Scope) => ({
  detail: `This credential has no scope ${scope}; its owner can add it`,
})

describe('scopes', () => {
  test('a key without scopes may do everything, and shows none', async () => {
    const user = await newUser(server.current)
    expect((await me(user.key)).body.scopes).toBeUndefined()
    expect((await keysOf(user))[0]).not.toHaveProperty('scopes')
  })

  test('a read-only key recalls, and neither writes nor asks for more', async () => {
    const user = await newVerifiedUser(server.current)
    await send(user.key, 'POST', '/api/remember', { content: 'The boiler code is 4711.' })
    const { key } = await create(user, { scopes: ['memory:read'] })
    expect((await me(key)).body.scopes).toEqual(['memory:read'])
    const found = await send(key, 'POST', '/api/recall', { query: 'boiler code' })
    expect(found.body.memories[0].content_text).toBe('The boiler code is 4711.')
    const refused = async (method: string, path: string, scope: Scope, body?: object) => {
      const answer = await send(key, method, path, body)
      expect([answer.status, answer.body]).toEqual([403, LACKS(scope)])
    }
    await refused('POST', '/api/remember', 'memory:write', { content: 'x' })
    await refused('POST', '/api/chat', 'chat', { message: 'x' })
    await refused('GET', '/api/profile', 'account:read')
    await refused('PUT', '/api/profile', 'account', { display_name: 'x' })
    await refused('GET', '/api/admin/stats', 'admin')
    const proxied = await send(key, 'POST', '/api/openai/v1/chat/completions', {})
    expect([proxied.status, proxied.body.error.message]).toEqual([403, LACKS('chat').detail])
    expect(await toolsOf(server.current, key)).toEqual(['recall', 'list', 'get', 'status'])
    expect(await toolsOf(server.current, user.key)).toContain('remember')
    for (const [apiKey, offers] of [
      [key, false],
      [user.key, true],
    ] as const) {
      await using stdio = await connectMcp({ SVC_URL: server.current.url, SVC_API_KEY: apiKey })
      const { tools } = await stdio.client.listTools()
      expect(tools.some(({ name }) => name === 'remember')).toBe(offers)
    }
    const { status } = await send(key, 'GET', '/api/memories')
    expect(status).toBe(200)
  })

  test('the activity has the account and messages only for a key that may see them', async () => {
    const user = await newUser(server.current)
    await send(user.key, 'POST', '/api/recall', { query: 'Is there anything?' })
    const reader = await create(user, { scopes: ['memory:read'] })
    const kinds = async (token: string, query = '') =>
      (await send(token, 'GET', `/api/events${query}`)).body.events.map(
        ({ kind }: { kind: string }) => kind,
      )
    await eventually(async () => (await kinds(user.key, '?kind=key.')).length === 2)
    expect(await kinds(user.key)).toContain('session.started')
    expect(await kinds(reader.key)).toEqual(['recall'])
    expect(await kinds(reader.key, '?kind=key.')).toEqual([])
    const { body } = await send(user.key, 'GET', '/api/events?kind=key.')
    const path = `/api/events/${body.events[0].id}`
    expect((await send(user.key, 'GET', path)).status).toBe(200)
    expect((await send(reader.key, 'GET', path)).status).toBe(404)
    await using stream = await follow({ key: reader.key }, server.current)
    await send(user.accessToken, 'POST', KEYS, { name: 'another' })
    await send(user.key, 'POST', '/api/recall', { query: 'And now?' })
    await eventually(() => stream.all.some(({ kind }) => kind === 'recall'))
    expect(stream.all.map(({ kind }) => kind)).toEqual(['recall'])
  })

  test('each endpoint is refused to a key without its scope, before its body is read', async () => {
    const user = await newVerifiedUser(server.current)
    const keys = new Map<Scope, string>()
    for (const scope of SCOPES) keys.set(scope, (await create(user, { scopes: [scope] })).key)
    const wrong: string[] = []
    for (const row of contract) {
      const scope = scopeOf(row)
      if (row.credential !== 'bearer' || !scope) continue
      const path = row.path.replaceAll(/\{\w+\}/g, '01a21be1-7dca-7618-9a90-204a211d1f58')
      for (const [held, key] of keys) {
        if (hasScope([held], scope)) continue
        const { status, body } = await send(key, row.method, path)
        if (status !== 403 || body?.detail !== LACKS(scope).detail)
          wrong.push(`${held}: ${row.method} ${row.path} ${status}`)
      }
    }
    expect(wrong).toEqual([])
  }, 120_000)

  test('scopes that are none, twice or unknown are refused', async () => {
    const user = await newUser(server.current)
    for (const scopes of [[], ['memory:read', 'memory:read'], ['memory'], 'chat', [null]])
      expect((await send(user.accessToken, 'POST', KEYS, { name: 'x', scopes })).status).toBe(422)
  })
})

describe('a change of a key', () => {
  test('limits and frees it at once, and a key cannot change itself', async () => {
    const user = await newUser(server.current)
    const { id, key } = await create(user, {})
    expect((await send(key, 'PATCH', `${KEYS}/${id}`, { scopes: null })).status).toBe(403)
    const limited = await change(user, id, { scopes: ['memory:read'], name: 'reader' })
    expect(limited.body).toMatchObject({ name: 'reader', scopes: ['memory:read'] })
    expect((await send(key, 'POST', '/api/remember', { content: 'x' })).status).toBe(403)
    expect((await change(user, id, { scopes: null })).body.scopes).toBeUndefined()
    expect((await send(key, 'POST', '/api/remember', { content: 'x' })).status).toBe(201)
    expect((await change(user, id, {})).status).toBe(200)
    const other = await newUser(server.current)
    expect((await change(other, id, { paused: true })).status).toBe(404)
  })

  test('a stream ends that its key may not read any more', async () => {
    const user = await newUser(server.current)
    const { id, key } = await create(user, {})
    await using stream = await follow({ key }, server.current)
    await change(user, id, { scopes: ['memory:write'] })
    // A stream checks its credential before an event, at most once a second.
    await eventually(async () => {
      const content = `A note ${crypto.randomUUID()}`
      await send(user.key, 'POST', '/api/remember', { content })
      return stream.error() !== undefined
    })
    const seen = stream.events.length
    await send(user.key, 'POST', '/api/remember', { content: 'After the limit.' })
    expect(stream.events.length).toBe(seen)
  })

  test('a paused key and its children are refused until it is resumed', async () => {
    const user = await newUser(server.current)
    const { id, key } = await create(user, {})
    const { body: child } = await delegate(key)
    expect((await change(user, id, { paused: true })).body.paused).toBe(true)
    for (const token of [key, child.key])
      expect(await me(token)).toMatchObject({
        status: 403,
        body: { detail: 'This credential is paused; its owner can resume it' },
      })
    await change(user, id, { paused: false })
    for (const token of [key, child.key]) expect((await me(token)).status).toBe(200)
  })

  test('another change of a key leaves the pause of its children', async () => {
    const user = await newUser(server.current)
    const { id, key } = await create(user, {})
    const { body: child } = await delegate(key)
    await change(user, child.id, { paused: true })
    await change(user, id, { name: 'renamed', scopes: ['memory:read'] })
    expect((await me(child.key)).status).toBe(403)
    await change(user, id, { paused: true })
    expect((await change(user, child.id, { paused: false })).status).toBe(409)
  })
})

describe('a key for an agent', () => {
  test('the scopes and the end of its parent bound it, and it ends with it', async () => {
    const user = await newUser(server.current)
    const parent = await create(user, { scopes: ['memory:read', 'memory:write'] })
    expect((await delegate(parent.key, { scopes: ['chat'] })).status).toBe(403)
    const { body: child } = await delegate(parent.key, { scopes: ['memory:read'], ttl_seconds: 60 })
    expect(child).toMatchObject({ scopes: ['memory:read'], parent_id: parent.id })
    const left = new Date(child.expires_at).getTime() - Date.now()
    expect(left).toBeGreaterThan(50_000)
    expect(left).toBeLessThanOrEqual(60_000)
    const { body: grandchild } = await delegate(child.key, { ttl_seconds: 86_400 })
    expect(grandchild.scopes).toEqual(['memory:read'])
    expect(new Date(grandchild.expires_at).getTime()).toBe(new Date(child.expires_at).getTime())
    expect((await change(user, child.id, { scopes: ['account'] })).status).toBe(403)
    await send(user.accessToken, 'DELETE', `${KEYS}/${parent.id}`)
    for (const { key } of [parent, child, grandchild]) expect((await me(key)).status).toBe(401)
    const { body: audit } = await send(user.accessToken, 'GET', '/api/auth/audit?action=key.')
    expect(audit.entries.map(({ details }: { details: object }) => details)).toContainEqual({
      name: 'helper',
      created_by: 'agent',
      scopes: 'memory:read',
    })
  })

  test('expired ones leave room for others', async () => {
    const user = await newUser(server.current)
    let last = ''
    for (;;) {
      const { status, body } = await delegate(user.key, { ttl_seconds: 3_600 })
      if (status === 409) break
      expect(status).toBe(201)
      last = body.key
    }
    await runSql(
      server.current.database.env.SVC_DATABASE_URL,
      `update api_keys set expires_at = now() where parent_id = '${user.keyId}'`,
    )
    await eventually(async () => (await me(last)).status === 401)
    expect((await delegate(user.key)).status).toBe(201)
  })

  test('a limit that meets delegations leaves none wider', async () => {
    const user = await newUser(server.current)
    const parent = await create(user, {})
    await Promise.all([
      ...Array.from({ length: 8 }, () => delegate(parent.key)),
      change(user, parent.id, { scopes: ['memory:read'] }),
      ...Array.from({ length: 8 }, () => delegate(parent.key)),
    ])
    const children = (await keysOf(user)).filter(({ parent_id }) => parent_id === parent.id)
    expect(children.length).toBeGreaterThan(0)
    for (const { scopes } of children) expect(scopes).toEqual(['memory:read'])
  })

  test('no tree of keys, limits, pauses and revocations has a child above its parent', async () => {
    const scopes = fc.option(fc.uniqueArray(fc.constantFrom(...SCOPES), { minLength: 1 }))
    const step = fc.record({
      act: fc.constantFrom(
        'delegate',
        'delegate',
        'delegate',
        'limit',
        'pause',
        'resume',
        'revoke',
      ),
      at: fc.nat(),
      scopes,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        const user = await newUser(server.current)
        const tokens = new Map<string, string>()
        const root = await create(user, {})
        tokens.set(root.id, root.key)
        for (const { act, at, scopes } of steps) {
          const live = (await keysOf(user)).filter(({ id }) => tokens.has(id))
          const target = live[at % Math.max(live.length, 1)]
          if (!target) break
          if (act === 'delegate') {
            const { status, body } = await delegate(tokens.get(target.id) ?? '', { scopes })
            if (status === 201) tokens.set(body.id, body.key)
          } else if (act === 'revoke')
            await send(user.accessToken, 'DELETE', `${KEYS}/${target.id}`)
          else if (act === 'limit') await change(user, target.id, { scopes })
          else await change(user, target.id, { paused: act === 'pause' })
        }
        const keys = new Map((await keysOf(user)).map((key) => [key.id, key]))
        for (const { parent_id, ...child } of keys.values()) {
          if (!parent_id) continue
          const parent = keys.get(parent_id)
          expect(parent).toBeDefined()
          expect(isWithinScopes(child.scopes ?? null, parent?.scopes ?? null)).toBe(true)
          if (parent?.paused) expect(child.paused).toBe(true)
        }
        for (const [id, token] of tokens)
          expect((await me(token)).status).toBe(
            keys.has(id) ? (keys.get(id)?.paused ? 403 : 200) : 401,
          )
      }),
      { numRuns: 15 },
    )
  }, 120_000)
})
