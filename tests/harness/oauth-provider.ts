import { createHash, randomUUID } from 'node:crypto'
import { Events, OAuth2Server } from 'oauth2-mock-server'
import type { OAuthProvider } from '../../shared/schemas/oauth.ts'

const CLIENT_ID = 'svc-under-test'
const CLIENT_SECRET = 'a secret & its = signs'

/** Somebody with an account at a provider. */
export interface Person {
  /** Digits, as every provider has them. */
  subject: string
  email: string | undefined
  /** Whether the provider has verified the address. */
  verified: boolean
  /** What goes wrong once they have agreed. */
  mishap?: 'no code is good' | 'the user endpoint fails' | 'another nonce' | 'another issuer'
  /** Where an OpenID provider tells the address. */
  emailIn?: 'userinfo'
}

export const person = (given: Partial<Person> = {}): Person => ({
  subject: String(Math.floor(Math.random() * 1e12)),
  email: `person-${randomUUID()}@example.com`,
  verified: true,
  ...given,
})

/** A provider in this process, spoken to over HTTP. */
export interface TestProvider extends AsyncDisposable {
  name: OAuthProvider
  /** The variables that point a server at it. */
  env: Record<string, string>
  /** Opens an authorize URL as the browser of somebody who agrees. @returns where they are sent back to. */
  agree(authorizeUrl: string, who: Person): Promise<URL>
}

const client = (name: string) => ({
  [`SVC_OAUTH_${name}_ID`]: CLIENT_ID,
  [`SVC_OAUTH_${name}_SECRET`]: CLIENT_SECRET,
})

/** Opens the authorize URL and notes whose the code is that comes back. */
const agreeing =
  (people: Map<string, Person>): TestProvider['agree'] =>
  async (authorizeUrl, who) => {
    const answer = await fetch(authorizeUrl, { redirect: 'manual' })
    const location = answer.headers.get('location')
    if (!location) throw new Error(`the provider answered ${answer.status} ${await answer.text()}`)
    const callback = new URL(location)
    people.set(callback.searchParams.get('code') ?? '', who)
    return callback
  }

/** An OpenID provider, found by its issuer. */
export const startGoogle = async (): Promise<TestProvider> => {
  const server = new OAuth2Server()
  await server.issuer.keys.generate('RS256')
  await server.start(0, '127.0.0.1')
  const people = new Map<string, Person>()
  const issuer = server.issuer.url ?? ''

  server.service.on(Events.BeforeTokenSigning, ({ payload }, { body }) => {
    const who = people.get(body.code)
    if (!who) return
    payload.sub = who.subject
    if (who.emailIn !== 'userinfo')
      Object.assign(payload, { email: who.email, email_verified: who.verified })
    if (who.mishap === 'another nonce' && payload.nonce) payload.nonce = randomUUID()
    if (who.mishap === 'another issuer') payload.iss = 'https://issuer.example'
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

/** GitHub's shapes: the secret in the form, the addresses beside the user. */
export const startGithub = (): TestProvider =>
  startPlain('github', (who, path) => {
    if (path === '/user') return { id: Number(who.subject), login: 'somebody', email: null }
    if (path !== '/user/emails') return undefined
    const other = { email: `other-${who.subject}@example.com`, primary: false, verified: false }
    const primary = { email: who.email, primary: true, verified: who.verified }
    return who.email ? [other, primary] : [other]
  })

/** X's shapes: the secret as Basic authentication, the address only where it is confirmed. */
export const startTwitter = (): TestProvider =>
  startPlain('twitter', (who, path, query) => {
    const asked = query.get('user.fields')?.split(',').includes('confirmed_email')
    const email = asked && who.verified && who.email ? { confirmed_email: who.email } : {}
    return path === '/user'
      ? { data: { id: who.subject, name: 'Somebody', username: 'somebody', ...email } }
      : undefined
  })

interface Authorization {
  challenge: string
  redirectUri: string
}

/** A provider of plain OAuth 2.0 that checks all it is sent. */
const startPlain = (
  name: 'github' | 'twitter',
  describe: (who: Person, path: string, query: URLSearchParams) => unknown,
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
    const who = people.get(request.headers.get('authorization')?.replace(/^Bearer /i, '') ?? '')
    if (!who) return new Response(null, { status: 401 })
    if (who.mishap === 'the user endpoint fails') return new Response('oh no', { status: 500 })
    const body = describe(who, path, query)
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

/** The client's id and secret, from where the provider takes them. */
const secretOf = (name: string, request: Request, form: URLSearchParams): string => {
  if (name === 'github') return `${form.get('client_id')}:${form.get('client_secret')}`
  const basic = request.headers.get('authorization')?.replace(/^Basic /, '') ?? ''
  const [id = '', secret = ''] = Buffer.from(basic, 'base64').toString().split(':')
  return [id, secret].map((part) => decodeURIComponent(part.replaceAll('+', ' '))).join(':')
}
