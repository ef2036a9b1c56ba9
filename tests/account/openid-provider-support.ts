import * as client from 'openid-client'
import { noteSecrets } from '../harness/secrets.ts'
import { request, type TestServer, type TestUser } from '../harness/server.ts'
import { fieldsOn, OAUTH } from '../mcp/oauth-support.ts'

export const APP_CALLBACK = 'https://planner.example.com/callback'
export const APP_HOME = 'https://planner.example.com/'
export const ALL_SCOPES = 'openid profile email offline_access memory:read memory:write'
export const ADMIN = 'admin@example.com'

export interface App {
  id: string
  secret: string | undefined
  config: client.Configuration
}

/** Registers an app as an admin. */
export const registerApp = async (
  server: TestServer,
  admin: Pick<TestUser, 'accessToken'>,
  fields: Record<string, unknown> = {},
): Promise<App> => {
  const { status, body } = await request(server, 'POST', '/api/admin/clients', {
    token: admin.accessToken,
    body: {
      name: 'Planner',
      redirect_uris: [APP_CALLBACK],
      post_logout_redirect_uris: [APP_HOME],
      scopes: ALL_SCOPES.split(' '),
      ...fields,
    },
  })
  if (status !== 201) throw new Error(`not registered: ${status} ${JSON.stringify(body)}`)
  return openApp(server, body.client_id, body.client_secret)
}

/** The independent client. */
export const openApp = async (
  server: TestServer,
  id: string,
  secret?: string,
  authentication?: client.ClientAuth,
): Promise<App> => {
  const auth = secret === undefined ? client.None() : client.ClientSecretBasic(secret)
  const config = await client.discovery(
    new URL(server.baseUrl),
    id,
    undefined,
    authentication ?? auth,
    // The test server has no certificate.
    { execute: [client.allowInsecureRequests] },
  )
  return { id, secret, config }
}

/** An authorization request, with what the app keeps for the answer. */
export interface Started {
  url: URL
  verifier: string
  nonce: string
  state: string
}

export const start = async (
  { config }: App,
  parameters: Record<string, string> = {},
): Promise<Started> => {
  const verifier = client.randomPKCECodeVerifier()
  const [nonce, state] = [client.randomNonce(), client.randomState()]
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: APP_CALLBACK,
    scope: 'openid',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    nonce,
    state,
    ...parameters,
  })
  return { url, verifier, nonce, state }
}

const pathOf = (url: URL) => `${url.pathname}${url.search}`

/** Opens the authorization endpoint in the browser of a user. */
export const open = (
  server: TestServer,
  cookie: string | undefined,
  { url }: Pick<Started, 'url'>,
) => request(server, 'GET', pathOf(url), cookie === undefined ? {} : { cookie })

/** The redirect of a response. */
export const landingOf = ({ status, headers, text }: Awaited<ReturnType<typeof request>>): URL => {
  const location = headers.get('location')
  if (status !== 303 || !location) throw new Error(`no redirect: ${status} ${text}`)
  return new URL(location)
}

interface Choice {
  decision?: 'approve' | 'deny'
  org?: string
  /** Default: everything that the page offers. */
  grant?: string[]
}

/** Decides on the consent page. @returns where the browser goes. */
export const agree = async (
  server: TestServer,
  user: Pick<TestUser, 'refreshToken'>,
  started: Pick<Started, 'url'>,
  { decision = 'approve', org = '', grant }: Choice = {},
): Promise<URL> => {
  const page = await open(server, user.refreshToken, started)
  if (page.status !== 200) throw new Error(`${page.status}: ${page.text}`)
  const action = `${OAUTH}/authorize/decide`
  const form = new URLSearchParams({ ...fieldsOn(page.text, action), decision, org })
  const offered = [...page.text.matchAll(/name="grant" value="([^"]*)"/g)].map(([, scope]) => scope)
  for (const scope of grant ?? offered) form.append('grant', scope ?? '')
  return landingOf(await postForm(server, action, form, user.refreshToken))
}

/** Posts a form as a browser does from a page of svc. */
export const postForm = (
  server: TestServer,
  path: string,
  form: URLSearchParams,
  cookie?: string,
) =>
  request(server, 'POST', path, {
    body: form.toString(),
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: new URL(server.baseUrl).origin,
    },
    ...(cookie && { cookie }),
  })

/** Exchanges the code of a landing. */
export const exchange = async (
  server: TestServer,
  { config }: App,
  { verifier, nonce, state }: Started,
  landing: URL,
  checks: client.AuthorizationCodeGrantChecks = {},
) => {
  const tokens = await client.authorizationCodeGrant(config, landing, {
    pkceCodeVerifier: verifier,
    expectedNonce: nonce,
    expectedState: state,
    ...checks,
  })
  noteSecrets(server.url, {
    request: { headers: {}, body: undefined, url: landing },
    answer: { headers: new Headers(), body: tokens },
  })
  return tokens
}

/** The complete flow for a user who agrees. */
export const signInTo = async (
  server: TestServer,
  app: App,
  user: Pick<TestUser, 'refreshToken'>,
  parameters: Record<string, string> = {},
  choice: Choice = {},
) => {
  const started = await start(app, parameters)
  const landing = await agree(server, user, started, choice)
  return exchange(server, app, started, landing)
}

/** The error of a rejected request of the independent client. */
export const errorOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    const { error: code, code: kind } = error as { error?: string; code?: string }
    return code ?? kind ?? String(error)
  }
  return 'none'
}
