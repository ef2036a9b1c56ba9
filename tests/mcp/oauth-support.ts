import { createHash, randomBytes } from 'node:crypto'
import { basePathOf } from '../../shared/urls.ts'
import { request, type TestServer, type TestUser } from '../harness/server.ts'

export const OAUTH = '/api/auth/mcp/oauth'
export const CALLBACK = 'http://127.0.0.1:7777/callback'

/** A PKCE verifier and its challenge. */
export const newProof = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') }
}

/** Registers an OAuth client. */
export const register = async (server: TestServer, metadata: object = {}): Promise<string> => {
  const { status, body } = await request(server, 'POST', `${OAUTH}/register`, {
    body: { client_name: 'Heron', redirect_uris: [CALLBACK], ...metadata },
  })
  if (status !== 201) throw new Error(`not registered: ${status} ${JSON.stringify(body)}`)
  return body.client_id
}

/** The path of the authorization page. */
export const authorizePath = (parameters: Record<string, string | undefined>): string => {
  const query = new URLSearchParams()
  const all = {
    response_type: 'code',
    redirect_uri: CALLBACK,
    state: 'a state',
    code_challenge_method: 'S256',
    ...parameters,
  }
  for (const [name, value] of Object.entries(all)) if (value !== undefined) query.set(name, value)
  return `${OAUTH}/authorize?${query}`
}

const unescaped = (text: string) =>
  text.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))

/** The hidden fields of the form on a page. */
export const fieldsOn = (page: string, action: string): Record<string, string> => {
  const form = page.split('<form').find((part) => part.includes(`action="${action}"`)) ?? ''
  const inputs = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)
  return Object.fromEntries([...inputs].map(([, name, value]) => [name, unescaped(value ?? '')]))
}

/** Posts a form as a browser does from a page of svc. */
export const post = (
  server: TestServer,
  path: string,
  form: Record<string, string>,
  { cookie, headers = {} }: { cookie?: string; headers?: Record<string, string> } = {},
) =>
  request(server, 'POST', path, {
    body: new URLSearchParams(form).toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(server.baseUrl).origin,
      ...headers,
    },
    ...(cookie && { cookie }),
  })

/** Opens the authorization page as a signed-in user and decides. @returns the redirect target. */
export const decide = async (
  server: TestServer,
  user: Pick<TestUser, 'refreshToken'>,
  path: string,
  choice: Record<string, string> = { decision: 'approve' },
): Promise<URL> => {
  const page = await request(server, 'GET', path, { cookie: user.refreshToken })
  const action = `${OAUTH}/authorize/decide`
  const fields = fieldsOn(page.text, basePathOf(server.baseUrl) + action)
  if (page.status !== 200) throw new Error(`${page.status}: ${page.text}`)
  const decided = await post(
    server,
    action,
    { ...fields, ...choice },
    { cookie: user.refreshToken },
  )
  const location = decided.headers.get('location')
  if (decided.status !== 303 || !location) throw new Error(`${decided.status}: ${decided.text}`)
  return new URL(location, server.baseUrl)
}

/** A token request of an OAuth client. It is not a browser, so it sends no Origin. */
export const askTokens = (server: TestServer, form: Record<string, string>) =>
  request(server, 'POST', `${OAUTH}/token`, {
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })

export interface Granted {
  clientId: string
  access: string
  refresh: string
}

/** The complete flow: a client registers, a user allows it, and it gets tokens. */
export const letIn = async (
  server: TestServer,
  user: Pick<TestUser, 'refreshToken'>,
  { clientId, choice }: { clientId?: string; choice?: Record<string, string> } = {},
): Promise<Granted> => {
  const client_id = clientId ?? (await register(server))
  const { verifier, challenge } = newProof()
  const path = authorizePath({ client_id, code_challenge: challenge })
  const back = await decide(server, user, path, { decision: 'approve', ...choice })
  const { status, body } = await askTokens(server, {
    grant_type: 'authorization_code',
    client_id,
    code: back.searchParams.get('code') ?? '',
    code_verifier: verifier,
    redirect_uri: CALLBACK,
  })
  if (status !== 200) throw new Error(`no tokens: ${status} ${JSON.stringify(body)}`)
  return { clientId: client_id, access: body.access_token, refresh: body.refresh_token }
}

/** Whether the MCP endpoint accepts a token. */
export const opens = async (server: TestServer, token: string): Promise<boolean> => {
  const { status } = await request(server, 'POST', '/api/mcp', {
    token,
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/list' },
  })
  if (![200, 401, 403].includes(status)) throw new Error(`answered ${status}`)
  return status === 200
}
