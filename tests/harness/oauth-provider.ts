import { createHash, randomUUID } from 'node:crypto'
import { Events, OAuth2Server } from 'oauth2-mock-server'
import type { OAuthProvider } from '../../shared/contract/oauth-sign-in.ts'

const CLIENT_ID = 'svc-under-test'
const CLIENT_SECRET = 'a secret & its = signs'

/** A user with an account at a provider. */
export interface Person {
  /** Digits, like the ids of every provider. */
  subject: string
  email: string | undefined
  /** Whether the provider has verified the email address; undefined for one that does not say. */
  verified: boolean | undefined
  /** The failure after the user has consented. */
  mishap?: 'no code is good' | 'the user endpoint fails' | 'another nonce' | 'another issuer'
  /** Where an OpenID provider returns the email address. */
  emailIn?: 'userinfo'
}

export const person = (overrides: Partial<Person> = {}): Person => ({
  subject: String(Math.floor(Math.random() * 1e12)),
  email: `person-${randomUUID()}@example.com`,
  verified: true,
  ...overrides,
})

/** An OAuth provider in this process, reached over HTTP. */
export interface TestProvider extends AsyncDisposable {
  name: OAuthProvider
  /** The variables that configure a server to use it. */
  env: Record<string, string>
  /** Opens an authorize URL as the browser of a user who consents. @returns the redirect's URL. */
  agree(authorizeUrl: string, who: Person): Promise<URL>
}

const client = (name: string) => ({
  [`SVC_OAUTH_${name}_ID`]: CLIENT_ID,
  [`SVC_OAUTH_${name}_SECRET`]: CLIENT_SECRET,
})

/** Handles the authorize URL and records which user the returned code belongs to. */
const agreeing =
  (people: Map<string, Person>): TestProvider['agree'] =>
  async (authorizeUrl, identity) => {
    const answer = await fetch(authorizeUrl, { redirect: 'manual' })
    const location = answer.headers.get('location')
    if (!location) throw new Error(`the provider answered ${answer.status} ${await answer.text()}`)
    const callback = new URL(location)
    people.set(callback.searchParams.get('code') ?? '', identity)
    return callback
  }

/** An OpenID provider, discovered by its issuer. */
export const startGoogle = async (): Promise<TestProvider> => {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const people = new Map<string, Person>()
  const issuer = server.issuer.url ?? ''

  server.service.on(Events.BeforeTokenSigning, ({ payload }, { body }) => {
    const identity = people.get(body.code)
    if (!identity) return
    payload.sub = identity.subject
    if (identity.emailIn !== 'userinfo')
      Object.assign(payload, { email: identity.email, email_verified: identity.verified })
    if (identity.mishap === 'another nonce' && payload.nonce) payload.nonce = randomUUID()
    if (identity.mishap === 'another issuer') payload.iss = 'https://issuer.example'
  })
  server.service.on(Events.BeforeResponse, (response, { body }) => {
    const secretIsWrong = body.client_id !== CLIENT_ID || body.client_secret !== CLIENT_SECRET
    if (!secretIsWrong && people.get(body.code)?.mishap !== 'no code is good') return
    response.statusCode = 400
    response.body = { error: 'invalid_grant' }
  })
  server.service.on(Events.BeforeUserinfo, (response, { headers }) => {
    const token = headers.authorization?.split('.')[1] ?? ''
    const { sub } = JSON.parse(Buffer.from(token, 'base64url').toString())
    const who = [...people.values()].find(({ subject }) => subject === sub)
    response.body = { sub, email: who?.email, email_verified: who?.verified }
    if (who?.mishap === 'the user endpoint fails') response.statusCode = 500
  })
  return {
    name: 'google',
    env: { ...client('GOOGLE'), SVC_OAUTH_GOOGLE_ISSUER: issuer },
    agree: agreeing(people),
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

/** Responses of GitHub: the client secret in the form, the email addresses at a separate endpoint. */
export const startGithub = (): TestProvider =>
  startPlain('github', (identity, path) => {
    if (path === '/user') return { id: Number(identity.subject), login: 'someone', email: null }
    if (path !== '/user/emails') return undefined
    const other = {
      email: `other-${identity.subject}@example.com`,
      primary: false,
      verified: false,
    }
    const primary = { email: identity.email, primary: true, verified: identity.verified }
    return identity.email ? [other, primary] : [other]
  })

/** Responses of X: the client secret as Basic authentication, the email address only if confirmed. */
export const startTwitter = (): TestProvider =>
  startPlain('twitter', (identity, path, query) => {
    const wantsEmail = query.get('user.fields')?.split(',').includes('confirmed_email')
    const email =
      wantsEmail && identity.verified && identity.email ? { confirmed_email: identity.email } : {}
    return path === '/user'
      ? { data: { id: identity.subject, name: 'Someone', username: 'someone', ...email } }
      : undefined
  })

interface Authorization {
  challenge: string
  redirectUri: string
}

/** A plain OAuth 2.0 provider that verifies every parameter. */
const startPlain = (
  name: 'github' | 'twitter',
  describe: (identity: Person, path: string, query: URLSearchParams) => unknown,
): TestProvider => {
  const people = new Map<string, Person>()
  const authorizations = new Map<string, Authorization>()

  const authorize = (query: URLSearchParams) => {
    const redirectUri = query.get('redirect_uri') ?? ''
    const challenge = query.get('code_challenge') ?? ''
    const good =
      query.get('client_id') === CLIENT_ID &&
      query.get('response_type') === 'code' &&
      query.get('code_challenge_method') === 'S256' &&
      /^[\w-]{43}$/.test(challenge) &&
      query.get('scope')
    const state = query.get('state') ?? ''
    if (!good || !state || state.length > 500) return new Response('bad request', { status: 400 })
    const code = randomUUID()
    authorizations.set(code, { challenge, redirectUri })
    return Response.redirect(`${redirectUri}?${new URLSearchParams({ code, state })}`)
  }

  const token = async (request: Request) => {
    const form = new URLSearchParams(await request.text())
    const code = form.get('code') ?? ''
    const known = authorizations.get(code)
    authorizations.delete(code)
    const verifier = form.get('code_verifier') ?? ''
    const good =
      secretOf(name, request, form) === `${CLIENT_ID}:${CLIENT_SECRET}` &&
      form.get('grant_type') === 'authorization_code' &&
      form.get('redirect_uri') === known?.redirectUri &&
      createHash('sha256').update(verifier).digest('base64url') === known?.challenge &&
      people.get(code)?.mishap !== 'no code is good'
    return good
      ? Response.json({ access_token: code, token_type: 'bearer', scope: '' })
      : Response.json({ error: 'invalid_grant' }, { status: 400 })
  }

  const resource = (request: Request, path: string, query: URLSearchParams) => {
    const identity = people.get(
      request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? '',
    )
    if (!identity) return new Response(null, { status: 401 })
    if (identity.mishap === 'the user endpoint fails') return new Response('oh no', { status: 500 })
    const body = describe(identity, path, query)
    return body ? Response.json(body) : new Response(null, { status: 404 })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const { pathname, searchParams } = new URL(request.url)
      if (pathname === '/authorize') return authorize(searchParams)
      return pathname === '/token' ? token(request) : resource(request, pathname, searchParams)
    },
  })
  const url = `http://127.0.0.1:${server.port}`
  const prefix = `SVC_OAUTH_${name.toUpperCase()}`
  return {
    name,
    env: {
      ...client(name.toUpperCase()),
      [`${prefix}_AUTHORIZE_URL`]: `${url}/authorize`,
      [`${prefix}_TOKEN_URL`]: `${url}/token`,
      [`${prefix}_USERINFO_URL`]: `${url}/user`,
    },
    agree: agreeing(people),
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

/** The client's id and secret, read from where the provider expects them. */
const secretOf = (name: string, request: Request, form: URLSearchParams): string => {
  if (name === 'github') return `${form.get('client_id')}:${form.get('client_secret')}`
  const basic = request.headers.get('authorization')?.replace(/^Basic /, '') ?? ''
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return [id, secret].map((part) => decodeURIComponent(part.replaceAll('+', ' '))).join(':')
}
