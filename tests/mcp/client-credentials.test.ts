import { describe, expect, test } from 'bun:test'
import {
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { ClientCredentialsProvider as OlderProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { decodeJwt } from 'jose'
import { createClient } from '../../shared/client.ts'
import {
  createKey,
  createOrg,
  deleteAccount,
  remember,
  revokeKey,
  updateKey,
} from '../../shared/contract/index.ts'
import type { CreateKey } from '../../shared/contract/keys.ts'
import {
  newAddress,
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestUser,
  useSharedServer,
} from '../harness/server.ts'
import { CURRENT, clientInfo, connectHttp, textOf, toolsOf } from './client.ts'
import { askTokens, OAUTH, opens, post } from './oauth-support.ts'

const server = useSharedServer()

/** The API with the session of the user, who manages keys. */
const sessionOf = ({ accessToken }: TestUser) =>
  createClient({ baseUrl: server.current.url, credential: accessToken })

const newKey = async (user: TestUser, body: Partial<CreateKey> = {}) => {
  const key = await sessionOf(user).call(createKey, { body: { name: 'Agent', ...body } })
  return { clientId: key.id, clientSecret: key.key }
}

interface Credentials {
  clientId: string
  clientSecret: string
}

const basic = ({ clientId, clientSecret }: Credentials): string =>
  `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

/** A token request with the credentials in the body or in the header. */
const exchange = (
  { clientId, clientSecret }: Credentials,
  {
    form = {},
    headers = {},
    isBasic = false,
  }: { form?: Record<string, string>; headers?: Record<string, string>; isBasic?: boolean } = {},
) =>
  post(
    server.current,
    `${OAUTH}/token`,
    {
      grant_type: 'client_credentials',
      ...(!isBasic && { client_id: clientId, client_secret: clientSecret }),
      ...form,
    },
    {
      headers: {
        'x-forwarded-for': newAddress(),
        ...(isBasic && { authorization: basic({ clientId, clientSecret }) }),
        ...headers,
      },
    },
  )

/** Lists the tools with a token. */
const listTools = (token: string, headers: Record<string, string> = {}) =>
  request(server.current, 'POST', '/api/mcp', {
    token,
    headers: { accept: 'application/json, text/event-stream', ...headers },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })

describe('an agent signs in with the id of an API key and the key', () => {
  test('an agent signs in with the official client of the current revision', async () => {
    const user = await newUser(server.current)
    await user.client.call(remember, { body: { content: 'The boat is blue.' } })
    const authProvider = new ClientCredentialsProvider({
      ...(await newKey(user)),
      expectedIssuer: server.current.baseUrl,
    })
    const client = new Client(clientInfo, { versionNegotiation: { mode: { pin: CURRENT } } })
    const url = new URL('/api/mcp', server.current.url)
    await client.connect(new StreamableHTTPClientTransport(url, { authProvider }))
    const result = await client.callTool({ name: 'recall', arguments: { query: 'boat' } })
    expect(textOf(result)).toContain('The boat is blue.')
    await client.close()
  })

  test('an agent signs in with the official 1.x client', async () => {
    const user = await newUser(server.current)
    await user.client.call(remember, { body: { content: 'The boat is red.' } })
    const authProvider = new OlderProvider({
      ...(await newKey(user)),
      expectedIssuer: server.current.baseUrl,
    })
    const client = new OlderClient(clientInfo)
    const url = new URL('/api/mcp', server.current.url)
    const transport = new OlderTransport(url, { authProvider })
    // The types of the 1.x client do not compile under exactOptionalPropertyTypes.
    await client.connect(transport as Parameters<OlderClient['connect']>[0])
    const result = await client.callTool({ name: 'recall', arguments: { query: 'boat' } })
    expect(textOf(result)).toContain('The boat is red.')
    await client.close()
  })

  test('the metadata lists the grant', async () => {
    for (const path of ['oauth-authorization-server', 'openid-configuration']) {
      const { body } = await request(server.current, 'GET', `/.well-known/${path}`)
      expect(body.grant_types_supported).toContain('client_credentials')
      expect(body.token_endpoint_auth_methods_supported).toEqual(
        expect.arrayContaining(['client_secret_basic', 'client_secret_post']),
      )
    }
  })
})

describe('the token of a key', () => {
  test('the token is short, has no refresh token, and is for the MCP endpoint only', async () => {
    const user = await newUser(server.current)
    const key = await newKey(user)
    for (const isBasic of [true, false]) {
      const { status, body } = await exchange(key, {
        isBasic,
        form: { scope: 'mcp offline_access', resource: `${server.current.baseUrl}/api/mcp` },
      })
      expect([status, body]).toEqual([
        200,
        {
          access_token: expect.any(String),
          token_type: 'Bearer',
          expires_in: 3_600,
          scope: 'mcp',
        },
      ])
      expect((await listTools(body.access_token)).status).toBe(200)
      const api = await request(server.current, 'GET', '/api/me', { token: body.access_token })
      expect(api.status).toBe(401)
    }
  })

  test('the token of a key that ends sooner lives as long as the key, and says so', async () => {
    const user = await newUser(server.current)
    const key = await newKey(user, { expires_at: new Date(Date.now() + 600_000).toISOString() })
    const { status, body } = await exchange(key)
    expect(status).toBe(200)
    expect(body.expires_in).toBeWithin(500, 601)
    const { exp = 0, iat = 0 } = decodeJwt(body.access_token)
    expect(exp - iat).toBe(body.expires_in)
    expect((await listTools(body.access_token)).status).toBe(200)
  })

  test('the token has the scopes of the key at the time of each request', async () => {
    const user = await newUser(server.current)
    const key = await newKey(user)
    const { body } = await exchange(key)
    const names = () => toolsOf(server.current, body.access_token)
    expect(await names()).toContain('remember')
    await sessionOf(user).call(updateKey, {
      params: { key_id: key.clientId },
      body: { scopes: ['memory:read'] },
    })
    expect(await names()).not.toContain('remember')
  })

  test('the token ends with the key: paused, refused from an address, and revoked', async () => {
    const user = await newUser(server.current)
    const key = await newKey(user)
    const { body } = await exchange(key)
    const params = { key_id: key.clientId }
    const update = (change: object) => sessionOf(user).call(updateKey, { params, body: change })
    const status = async () => (await listTools(body.access_token)).status
    await update({ paused: true })
    expect([await status(), (await exchange(key)).status]).toEqual([403, 401])
    await update({ paused: false, allowed_addresses: ['192.0.2.7'] })
    expect([await status(), (await exchange(key)).status]).toEqual([403, 401])
    await update({ allowed_addresses: null })
    expect(await status()).toBe(200)
    await sessionOf(user).call(revokeKey, { params })
    expect([await status(), (await exchange(key)).status]).toEqual([401, 401])
  })

  test('a key of an organization acts in it', async () => {
    const user = await newUser(server.current)
    const org = await sessionOf(user).call(createOrg, { body: { name: 'Herons' } })
    const { body } = await exchange(await newKey(user, { org_id: org.id }))
    await using mcp = await connectHttp(server.current, body.access_token)
    expect(textOf(await mcp.call('status', {}))).toContain('the organization "Herons"')
  })
})

test('a token is valid at every process of one address, and ends at each with the account', async () => {
  const env = { SVC_BASE_URL: 'http://svc.test', SVC_RATE_LIMIT_STORE: 'postgres' }
  await using one = await startServer(env)
  await using two = await startServer(env, one.database)
  const user = await newUser(one)
  const session = createClient({ baseUrl: one.url, credential: user.accessToken })
  const { id, key } = await session.call(createKey, { body: { name: 'Agent' } })
  const form = { grant_type: 'client_credentials', client_id: id, client_secret: key }
  const { body } = await askTokens(one, form)
  for (const server of [one, two]) expect(await opens(server, body.access_token)).toBe(true)
  await session.call(deleteAccount, { body: { password: PASSWORD } })
  for (const server of [one, two]) {
    expect(await opens(server, body.access_token)).toBe(false)
    expect((await askTokens(server, form)).status).toBe(401)
  }
})

test('no other endpoint accepts the token of an agent, nor its key as the secret of an app', async () => {
  const user = await newUser(server.current)
  const { clientId: client_id, clientSecret: client_secret } = await newKey(user)
  const credentials = { client_id, client_secret }
  const form = { grant_type: 'client_credentials', ...credentials }
  const { access_token: token } = (await askTokens(server.current, form)).body
  for (const path of [`${OAUTH}/userinfo`, '/api/memories', `/api/memories?token=${token}`])
    expect((await request(server.current, 'GET', path, { token })).status).toBe(401)
  const errorOf = async (path: string, fields: Record<string, string>) => {
    const { body } = await post(server.current, `${OAUTH}/${path}`, fields)
    return body.error
  }
  expect(await errorOf('introspect', { token, ...credentials })).toBe('invalid_client')
  expect(await errorOf('revoke', { token, client_id })).toBe('invalid_client')
  const refresh = { grant_type: 'refresh_token', refresh_token: token }
  expect(await errorOf('token', { ...refresh, ...credentials })).toBe('invalid_client')
})

describe('a wrong request', () => {
  test('a wrong key, or the id of another key, is refused with 401, and after ten with 429', async () => {
    const user = await newUser(server.current)
    const key = await newKey(user)
    const other = await newKey(user)
    const address = newAddress()
    const headers = { 'x-forwarded-for': address }
    const wrong = [
      { ...key, clientSecret: 'svc_wrong' },
      { ...key, clientSecret: other.clientSecret },
      { ...key, clientId: 'x' },
      { ...key, clientSecret: '' },
      { ...key, clientSecret: `${key.clientSecret.slice(0, -1)}?` },
    ]
    for (const credentials of [...wrong, ...wrong]) {
      const { status, body } = await exchange(credentials, { headers })
      expect([credentials, status, body.error]).toEqual([credentials, 401, 'invalid_client'])
    }
    const limited = await exchange({ ...key, clientSecret: 'svc_wrong' }, { headers })
    expect([limited.status, limited.body.error]).toEqual([429, 'temporarily_unavailable'])
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/)
    // Another agent at the same address still gets its token.
    expect((await exchange(key, { headers })).status).toBe(200)
  })

  test('another scope or resource, a repeated secret, and the revocation of the token are refused', async () => {
    const user = await newUser(server.current)
    const key = await newKey(user)
    const errorOf = async (form: Record<string, string>, isBasic = false) => {
      const { status, body } = await exchange(key, { form, isBasic })
      return [status, body.error]
    }
    expect(await errorOf({ scope: 'memory:write' })).toEqual([400, 'invalid_scope'])
    expect(await errorOf({ resource: `${server.current.baseUrl}/api` })).toEqual([
      400,
      'invalid_target',
    ])
    expect(await errorOf({ client_secret: key.clientSecret }, true)).toEqual([
      400,
      'invalid_request',
    ])
    const { body } = await exchange(key)
    const revoked = await post(server.current, `${OAUTH}/revoke`, {
      token: body.access_token,
      client_id: key.clientId,
      client_secret: key.clientSecret,
    })
    expect([revoked.status, revoked.body.error]).toEqual([400, 'unsupported_token_type'])
    expect((await listTools(body.access_token)).status).toBe(200)
  })
})
