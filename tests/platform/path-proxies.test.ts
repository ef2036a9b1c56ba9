import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import * as openid from 'openid-client'
import { createClient } from '../../clients/npm/index.ts'
import { answer, login, newMachine } from '../cli/svc.ts'
import { runPython } from '../clients/python.ts'
import { linkIn, type Mailbox, newMailedUser, startMailbox } from '../harness/mail.ts'
import { hasPrograms } from '../harness/programs.ts'
import { BASE_PATH, startBelowPath } from '../harness/proxy.ts'
import {
  type Answer,
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
  uniqueEmail,
} from '../harness/server.ts'
import { temporaryDirectory } from '../harness/temporary.ts'
import { clientInfo } from '../mcp/client.ts'
import { CALLBACK, decide } from '../mcp/oauth-support.ts'

setDefaultTimeout(120_000)

const MEMORY = 'The spare key is in the shed.'
const PYTHON = `
from svc_client import Svc
with Svc() as svc:
    assert svc.base_url.endswith("/svc"), svc.base_url
    svc.memories.remember(content="${MEMORY}")
    found = svc.memories.recall(query="Where is the spare key?")
    assert "shed" in str(found), found
`

for (const name of ['Caddy', 'nginx'] as const)
  describe.if(hasPrograms(name.toLowerCase()))(`below a path that ${name} removes`, () => {
    const opened = new AsyncDisposableStack()
    let server: TestServer
    let mailbox: Mailbox
    let user: TestUser
    beforeAll(async () => {
      mailbox = opened.use(await startMailbox())
      const start = (env: Record<string, string>) =>
        startServer({
          ...env,
          SVC_OAUTH_GITHUB_ID: 'id',
          SVC_OAUTH_GITHUB_SECRET: 'secret',
          SVC_SMTP_URL: mailbox.url,
        })
      server = opened.use(await startBelowPath(name, start)).server
      user = await newMailedUser(server, mailbox)
    }, 120_000)
    afterAll(() => opened.disposeAsync(), 60_000)

    const get = async (path: string): Promise<Answer> =>
      request({ url: server.baseUrl }, 'GET', `${BASE_PATH}${path}`)

    test('the documents of the root and those below the path are equal', async () => {
      const { origin } = new URL(server.baseUrl)
      const atRoot = async (path: string) =>
        (await request({ url: origin }, 'GET', `/.well-known/${path}`)).body
      for (const document of ['oauth-authorization-server', 'openid-configuration']) {
        const found = await atRoot(`${document}${BASE_PATH}`)
        expect(found.issuer).toBe(server.baseUrl)
        expect((await get(`/.well-known/${document}`)).body).toEqual(found)
      }
      expect(await atRoot(`oauth-protected-resource${BASE_PATH}/api/mcp`)).toMatchObject({
        resource: `${server.baseUrl}/api/mcp`,
        authorization_servers: [server.baseUrl],
      })
    })

    test('a library of OpenID Connect finds the server by its issuer', async () => {
      for (const algorithm of ['oidc', 'oauth2'] as const) {
        const found = await openid.discovery(
          new URL(server.baseUrl),
          'client',
          undefined,
          undefined,
          { algorithm, execute: [openid.allowInsecureRequests] },
        )
        const { issuer, jwks_uri = '' } = found.serverMetadata()
        expect(issuer).toBe(server.baseUrl)
        expect(await (await fetch(jwks_uri)).json()).toMatchObject({ keys: [{ kty: 'EC' }] })
      }
    })

    test('the path alone leads to the console', async () => {
      const to = async (url: string) =>
        new URL((await fetch(url, { redirect: 'manual' })).headers.get('location') ?? '', url).href
      expect(await to(server.baseUrl)).toBe(`${server.baseUrl}/`)
      expect(await to(`${server.baseUrl}/`)).toBe(`${server.baseUrl}/app`)
    })

    test('an encoded slash in a path reaches the server as it is', async () => {
      const answers = [server.baseUrl, server.url].map(async (url) => {
        const sent = { method: 'PUT', headers: { authorization: `Bearer ${user.key}` } }
        const response = await fetch(`${url}/api/preferences/a%2Fb%20c`, sent)
        return [response.status, await response.json()]
      })
      const [below, direct] = await Promise.all(answers)
      expect(below).toEqual(direct)
      // Not the response of a path that does not exist.
      const nowhere = await (await fetch(`${server.url}/api/preferences/a/b`)).json()
      expect(direct?.[1]).not.toEqual(nowhere)
    })

    test('a sign-in provider returns to the callback below the path', async () => {
      const { body } = await get('/api/auth/oauth/github/authorize')
      expect(new URL(body.authorize_url).searchParams.get('redirect_uri')).toBe(
        `${server.baseUrl}/api/auth/oauth/github/callback`,
      )
    })

    /** The page of a link, signed out, whose own addresses are all below the path. */
    const pageOf = async (url: string): Promise<string> => {
      expect(url).toStartWith(`${server.baseUrl}/`)
      const response = await fetch(url)
      expect([url, response.status]).toEqual([url, 200])
      const text = await response.text()
      const addresses = [...text.matchAll(/\b(?:href|src|action)="(\/[^"]*)"/g)]
      expect(addresses.length).toBeGreaterThan(0)
      for (const [, address = ''] of addresses) expect(address).toStartWith(`${BASE_PATH}/`)
      return text
    }
    const post = (path: string, body: object) =>
      request({ url: server.baseUrl }, 'POST', `${BASE_PATH}/api${path}`, {
        token: user.accessToken,
        body,
      })

    test('the link of a shared chat opens, signed out', async () => {
      await post('/chat', { message: 'Boats are loud.', provider: 'local' })
      const sessions = await request(server, 'GET', '/api/sessions', {
        token: user.accessToken,
      })
      const shared = await post('/shares', { session_id: sessions.body[0].id })
      expect(shared.status).toBe(200)
      expect(await pageOf(shared.body.url)).toContain('Boats are loud.')
    })

    test('the links of mails open: an invite, a reset and a change of address', async () => {
      const org = (await post('/orgs', { name: 'Boats' })).body
      const guest = uniqueEmail()
      await post(`/orgs/${org.id}/invites`, { email: guest, role: 'member' })
      const invite = await mailbox.next(guest)
      expect(await pageOf(/https?:\/\/\S+/.exec(invite.text)?.[0] ?? '')).toContain('Boats')

      const other = await newMailedUser(server, mailbox)
      await post('/auth/forgot-password', { email: other.email })
      await pageOf(linkIn(await mailbox.next(other.email)).href)

      const address = uniqueEmail()
      const asked = await request(server, 'POST', '/api/auth/email/change', {
        token: other.accessToken,
        body: { email: address, password: PASSWORD },
      })
      expect(asked.status).toBe(200)
      await pageOf(linkIn(await mailbox.next(address)).href)
    })

    test('SCIM names its resources below the path', async () => {
      const org = (await post('/orgs', { name: 'Analytics' })).body
      const { token } = (await post(`/orgs/${org.id}/scim/tokens`, { name: 'Okta' })).body
      const read = async (path: string) =>
        (
          await request({ url: server.baseUrl }, 'GET', `${BASE_PATH}/api/scim/v2/${path}`, {
            token,
          })
        ).body
      expect((await read('Schemas')).Resources[0].meta.location).toStartWith(
        `${server.baseUrl}/api/scim/v2/Schemas/`,
      )
      expect((await read('ServiceProviderConfig')).meta.location).toBe(
        `${server.baseUrl}/api/scim/v2/ServiceProviderConfig`,
      )
    })

    test('a browser app of another origin reads the metadata and the keys', async () => {
      for (const path of ['/.well-known/openid-configuration', '/.well-known/jwks.json']) {
        const response = await fetch(`${server.baseUrl}${path}`, {
          headers: { origin: 'https://app.example.com' },
        })
        expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, '*'])
      }
    })

    test('the API description names the server with its path', async () => {
      expect((await get('/api/docs/json')).body.servers).toEqual([{ url: server.baseUrl }])
    })

    test('an MCP client signs in with OAuth from the address alone', async () => {
      const kept: Record<string, unknown> = {}
      const keep = (name: string) => (value: unknown) => {
        kept[name] = value
      }
      const provider: OAuthClientProvider = {
        redirectUrl: CALLBACK,
        clientMetadata: { client_name: 'An SDK', redirect_uris: [CALLBACK] },
        clientInformation: () => kept.client as never,
        saveClientInformation: keep('client'),
        tokens: () => kept.tokens as never,
        saveTokens: keep('tokens'),
        redirectToAuthorization: keep('url'),
        saveCodeVerifier: keep('verifier'),
        codeVerifier: () => String(kept.verifier),
        state: () => 'a state',
      }
      const open = () => {
        const url = new URL(`${server.baseUrl}/api/mcp`)
        return new StreamableHTTPClientTransport(url, { authProvider: provider })
      }
      const first = open()
      const waiting = new Client(clientInfo)
      await expect(waiting.connect(first)).rejects.toBeInstanceOf(UnauthorizedError)
      const { pathname, search } = kept.url as URL
      expect(pathname).toStartWith(`${BASE_PATH}/api/auth/`)
      const back = await decide(server, user, pathname.slice(BASE_PATH.length) + search)
      await first.finishAuth(back.searchParams)
      await waiting.close()
      await using client = Object.assign(new Client(clientInfo), {
        [Symbol.asyncDispose]: () => client.close(),
      })
      await client.connect(open())
      const done = await client.callTool({ name: 'remember', arguments: { content: MEMORY } })
      expect(done.isError).toBeFalsy()
    })

    test('svc signs in, remembers, and starts the MCP server', async () => {
      const machine = newMachine()
      const decided = (code: string) => answer(server, user, code, true)
      const signedIn = await login(machine, decided, ['--url', server.baseUrl])
      expect(signedIn.stderr).toContain(`${server.baseUrl}/device?user_code=`)
      expect(signedIn.stderr).toContain(`Signed in to ${server.baseUrl} as ${user.email}.`)
      const stdoutOf = async (...args: string[]) => {
        const { code, stdout, stderr } = await machine.svc(args)
        expect([args, code, stderr]).toEqual([args, 0, expect.any(String)])
        return stdout
      }
      await stdoutOf('remember', MEMORY)
      expect(await stdoutOf('recall', 'Where is the spare key?')).toContain('shed')
      expect(await stdoutOf('api', '/api/me')).toContain(user.email)
      expect(await stdoutOf('open', 'memories')).toBe(`${server.baseUrl}/app/memories\n`)
      const { stdout: report } = await machine.svc(['doctor'])
      expect(report).toContain(`${server.baseUrl} responds in`)
      const remote = ['mcp', 'install', '--client', 'cursor', '--http', '--dry-run', '--json']
      expect(await stdoutOf(...remote)).toContain(`"${server.baseUrl}/api/mcp"`)

      const [command = '', ...args] = machine.command('mcp', 'run')
      await using client = Object.assign(new Client(clientInfo), {
        [Symbol.asyncDispose]: () => client.close(),
      })
      await client.connect(new StdioClientTransport({ command, args, env: machine.env }))
      const found = await client.callTool({ name: 'recall', arguments: { query: 'spare key' } })
      expect(JSON.stringify(found)).toContain('shed')
      expect((await machine.svc(['logout'])).code).toBe(0)
    })

    test('the npm package signs up, remembers and refreshes its session', async () => {
      const svc = createClient({ baseUrl: `${server.baseUrl}/` })
      await svc.methods.signUp({
        email: uniqueEmail(),
        password: PASSWORD,
        confirm_password: PASSWORD,
      })
      const { key } = await svc.methods.createKey({ name: 'key' })
      const { methods } = createClient({ baseUrl: server.baseUrl, apiKey: key })
      await methods.remember({ content: MEMORY })
      expect(JSON.stringify(await methods.recall({ query: 'spare key' }))).toContain('shed')
    })

    test.if(hasPrograms('python3'))('the Python package remembers and recalls', async () => {
      const script = join(temporaryDirectory('svc-base-path'), 'script.py')
      await Bun.write(script, PYTHON)
      const { key } = await newUser(server)
      await runPython(script, { env: { SVC_URL: server.baseUrl, SVC_API_KEY: key } })
    })
  })
