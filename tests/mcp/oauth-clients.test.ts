import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { UnauthorizedError as OlderUnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js'
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startRestartable } from '../harness/http.ts'
import { newUser, request, startServer, type TestServer } from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'
import { clientInfo, textOf } from './client.ts'
import {
  askTokens,
  authorizePath,
  CALLBACK,
  decide,
  letIn,
  newProof,
  opens,
  register,
} from './oauth-support.ts'

setDefaultTimeout(60_000)

let web: Web
let server: TestServer
beforeAll(async () => {
  web = await startWeb()
  server = await startServer({}, undefined, { fetching: web.fetching })
}, 60_000)
afterAll(async () => {
  await server.stop()
  await web[Symbol.asyncDispose]()
})

describe('a client with a metadata document', () => {
  const metadata = (client_id: string, more: object = {}) => ({
    client_id,
    client_name: 'Kingfisher',
    redirect_uris: [CALLBACK],
    token_endpoint_auth_method: 'none',
    ...more,
  })
  /** Serves a document for each path that a test registers. */
  const documents = new Map<string, (url: string) => Response>()
  const fetched: string[] = []
  beforeAll(() => {
    web.secureSite((request) => {
      const { pathname } = new URL(request.url)
      fetched.push(pathname)
      const url = `https://secure.test${pathname}`
      return documents.get(pathname)?.(url) ?? new Response(null, { status: 404 })
    })
  })
  const describeAt = (path: string, respond: (url: string) => Response): string => {
    documents.set(path, respond)
    return `https://secure.test${path}`
  }
  const open = async (client_id: string, more: Record<string, string> = {}) => {
    const { refreshToken: cookie } = await newUser(server)
    const { challenge: code_challenge } = newProof()
    return request(server, 'GET', authorizePath({ client_id, code_challenge, ...more }), { cookie })
  }

  test('a client with a metadata document is shown with the host of its document and gets tokens', async () => {
    const client_id = describeAt('/good.json', (url) => Response.json(metadata(url)))
    const page = await open(client_id)
    expect(page.status).toBe(200)
    expect(page.text).toContain('Allow Kingfisher to use your memory?')
    expect(page.text).toContain('<dd>secure.test</dd>')

    const granted = await letIn(server, await newUser(server), { clientId: client_id })
    expect(await opens(server, granted.access)).toBe(true)
    // The document is fetched once, not per user.
    expect(fetched.filter((path) => path === '/good.json')).toHaveLength(1)
  })

  test('a client with a metadata document may redirect only to the URIs in its document', async () => {
    const client_id = describeAt('/places.json', (url) => Response.json(metadata(url)))
    const { status, text } = await open(client_id, { redirect_uri: 'https://evil.example/back' })
    expect([status, text.includes('evil.example')]).toEqual([400, false])
  })

  test('a client with a metadata document is rejected if the document has another client id, redirects, is invalid or needs unsupported features', async () => {
    const bad: Record<string, (url: string) => Response> = {
      '/other.json': () => Response.json(metadata('https://secure.test/good.json')),
      '/moved.json': () => Response.redirect('https://secure.test/elsewhere.json', 302),
      '/gone.json': () => new Response('gone', { status: 410 }),
      '/html.json': () => new Response('<!doctype html>'),
      '/list.json': () => Response.json([]),
      '/huge.json': (url) => Response.json(metadata(url, { padding: 'x'.repeat(100_000) })),
      '/nowhere.json': (url) => Response.json(metadata(url, { redirect_uris: [] })),
      '/script.json': (url) =>
        Response.json(metadata(url, { redirect_uris: [CALLBACK, 'javascript:alert(1)'] })),
      '/secret.json': (url) =>
        Response.json(metadata(url, { token_endpoint_auth_method: 'private_key_jwt' })),
    }
    for (const [path, respond] of Object.entries(bad)) {
      const { status, headers } = await open(describeAt(path, respond))
      expect([path, status, headers.get('location')]).toEqual([path, 400, null])
    }
    expect(fetched).not.toContain('/elsewhere.json')
  })

  test('a client with a metadata document is not fetched from private networks or for signed-out users', async () => {
    web.name('inside.test', ['10.0.0.7'])
    web.name('turns.test', ['93.184.216.34'], ['127.0.0.1'])
    const forbidden = web.forbidden()
    for (const client_id of [
      'https://inside.test/client.json',
      'https://127.0.0.1/client.json',
      'https://[::1]/client.json',
      'https://169.254.169.254/latest/meta-data',
      'https://2130706433/client.json',
      'https://secure.test:9000/client.json',
      'https://user@secure.test/good.json',
      'http://secure.test/good.json',
      'https://secure.test/',
      'https://secure.test/a/../good.json',
    ]) {
      const { status, text } = await open(client_id)
      expect([client_id, status]).toEqual([client_id, 400])
      expect(text).not.toContain('secret')
    }
    expect(web.forbidden()).toBe(forbidden)

    const client_id = describeAt('/stranger.json', (url) => Response.json(metadata(url)))
    const page = await request(
      server,
      'GET',
      authorizePath({ client_id, code_challenge: newProof().challenge }),
    )
    expect(page.text).toContain('type="password"')
    expect(fetched).not.toContain('/stranger.json')
  })
})

/** Stores the state of an SDK client and records its authorization URL. */
const newProvider = () => {
  const kept: Record<string, unknown> = {}
  let requestedUrl: URL | undefined
  return {
    asked: () => requestedUrl ?? new URL('about:blank'),
    kept,
    provider: {
      redirectUrl: CALLBACK,
      clientMetadata: { client_name: 'An SDK', redirect_uris: [CALLBACK] },
      clientInformation: () => kept.client,
      saveClientInformation: (value: unknown) => {
        kept.client = value
      },
      tokens: () => kept.tokens,
      saveTokens: (value: unknown) => {
        kept.tokens = value
      },
      redirectToAuthorization: (url: URL) => {
        requestedUrl = url
      },
      saveCodeVerifier: (value: string) => {
        kept.verifier = value
      },
      codeVerifier: () => String(kept.verifier),
      state: () => 'a state',
      saveDiscoveryState: (value: unknown) => {
        kept.discovery = value
      },
      discoveryState: () => kept.discovery,
    } as unknown as OAuthClientProvider,
  }
}

type Provider = ReturnType<typeof newProvider>

/** The server under each name of this machine. */
const addresses = () => [server.baseUrl, server.baseUrl.replace('localhost', '127.0.0.1')]

const sdks = [
  [
    '2.x',
    UnauthorizedError,
    ({ provider }: Provider, address: string) => {
      const url = new URL('/api/mcp', address)
      const transport = new StreamableHTTPClientTransport(url, { authProvider: provider })
      const client = new Client(clientInfo)
      return {
        connect: () => client.connect(transport),
        finish: (back: URL) => transport.finishAuth(back.searchParams),
        call: (name: string, input: Record<string, unknown>) =>
          client.callTool({ name, arguments: input }),
        close: () => client.close(),
      }
    },
  ],
  [
    '1.x',
    OlderUnauthorizedError,
    ({ provider }: Provider, address: string) => {
      const url = new URL('/api/mcp', address)
      const transport = new OlderTransport(url, { authProvider: provider })
      const client = new OlderClient(clientInfo)
      return {
        connect: () => client.connect(transport as Parameters<OlderClient['connect']>[0]),
        finish: (back: URL) => transport.finishAuth(back.searchParams.get('code') ?? ''),
        call: (name: string, input: Record<string, unknown>) =>
          client.callTool({ name, arguments: input }),
        close: () => client.close(),
      }
    },
  ],
] as const

describe.each(sdks)('the %s client', (_, Unauthorized, open) => {
  test('the client signs in from the address alone, under either name of this machine', async () => {
    for (const address of addresses()) {
      const keeper = newProvider()
      const first = open(keeper, address)
      await expect(first.connect()).rejects.toBeInstanceOf(Unauthorized)
      expect(keeper.asked().searchParams.get('resource')).toBe(`${address}/api/mcp`)
      expect(keeper.asked().origin).toBe(server.baseUrl)
      const user = await newUser(server)
      const back = await decide(server, user, `${keeper.asked().pathname}${keeper.asked().search}`)
      await first.finish(back)
      await first.close()

      const second = open(keeper, address)
      await second.connect()
      expect((await second.call('remember', { content: 'A heron.' })).isError).toBeFalsy()
      await second.close()
    }
  })

  test('the client refreshes its tokens', async () => {
    const user = await newUser(server)
    const keeper = newProvider()
    const first = open(keeper, server.baseUrl)
    await expect(first.connect()).rejects.toBeInstanceOf(Unauthorized)
    const back = await decide(server, user, `${keeper.asked().pathname}${keeper.asked().search}`)
    await first.finish(back)
    await first.close()

    const second = open(keeper, server.baseUrl)
    await second.connect()
    expect(
      (await second.call('remember', { content: 'A heron stands still.' })).isError,
    ).toBeFalsy()
    await second.close()

    const before = keeper.kept.tokens as { access_token: string; refresh_token: string }
    keeper.kept.tokens = { ...before, access_token: 'not.good.anymore' }
    const third = open(keeper, server.baseUrl)
    await third.connect()
    expect(textOf(await third.call('recall', { query: 'heron' }))).toContain('stands still')
    expect(keeper.kept.tokens).not.toMatchObject({ refresh_token: before.refresh_token })
    await third.close()
  })
})

test('a client without grants is deleted after a week, and one with a grant is kept', async () => {
  await using restartable = await startRestartable()
  const user = await newUser(restartable.current)
  const used = await letIn(restartable.current, user)
  const idle = await register(restartable.current)
  await restartable.restart(`update oauth_clients set created_at = now() - interval '8 days'`)
  const fresh = await register(restartable.current)
  const { challenge: code_challenge } = newProof()
  for (const [client_id, status] of [
    [used.clientId, 200],
    [fresh, 200],
    [idle, 400],
  ] as const) {
    const path = authorizePath({ client_id, code_challenge })
    const page = await request(restartable.current, 'GET', path, { cookie: user.refreshToken })
    expect([client_id, page.status]).toEqual([client_id, status])
  }
})

test('codes, refresh grace periods and grants expire, a disabled user’s end at once, and a restart ends none', async () => {
  await using restartable = await startRestartable()
  const now = () => restartable.current
  const users = await Promise.all(Array.from({ length: 5 }, () => newUser(now())))
  const [ada, bob, eve, fay, gil] = await Promise.all(users.map((user) => letIn(now(), user)))
  const [adaUser, bobUser, eveUser, fayUser, gilUser] = users
  if (!ada || !bob || !eve || !fay || !gil || !adaUser) throw new Error('a sign-in is missing')
  const refreshed = ({ clientId, refresh }: typeof ada) =>
    askTokens(now(), { grant_type: 'refresh_token', client_id: clientId, refresh_token: refresh })
  for (const granted of [fay, gil]) expect((await refreshed(granted)).status).toBe(200)
  const client_id = await register(now())
  const { verifier, challenge } = newProof()
  const path = authorizePath({ client_id, code_challenge: challenge })
  const back = await decide(now(), adaUser, path)

  await restartable.restart(
    `update oauth_codes set expires_at = now() - interval '1 second'`,
    `update users set disabled_at = now() where id = '${bobUser?.id}'`,
    `update sessions set expires_at = now() - interval '1 second' where user_id = '${eveUser?.id}'`,
    `update sessions set rotated_at = now() - interval '31 seconds' where user_id = '${fayUser?.id}'`,
    `update sessions set rotated_at = now() - interval '5 seconds' where user_id = '${gilUser?.id}'`,
  )
  const late = await askTokens(now(), {
    grant_type: 'authorization_code',
    client_id,
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: CALLBACK,
  })
  expect(late.body.error).toBe('invalid_grant')
  for (const [granted, isGood] of [
    [ada, true],
    [bob, false],
    [eve, false],
    [gil, true],
  ] as const) {
    expect(await opens(now(), granted.access)).toBe(isGood)
    expect((await refreshed(granted)).status).toBe(isGood ? 200 : 400)
  }
  expect(await opens(now(), fay.access)).toBe(true)
  expect((await refreshed(fay)).body.error).toBe('invalid_grant')
  expect(await opens(now(), fay.access)).toBe(false)
})
