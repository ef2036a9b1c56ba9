import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair } from 'jose'
import Provider, { type JWKS } from 'oidc-provider'
import { type Person, person } from './oauth-provider.ts'
import { OPENID_CLIENT } from './scripted-openid.ts'

/** `oidc-provider`, a certified OpenID provider, in this process. */
export interface OpenIdProvider extends AsyncDisposable {
  issuer: string
  env(name: string, label: string): Record<string, string>
  /** Registers svc as a client. */
  serve(svcBaseUrl: string, name: string): Promise<void>
  /** Adds a person who can sign in. */
  introduce(who: Person): void
  /** Publishes and uses another key from now on. */
  rotateKeys(): Promise<void>
  /** Opens an authorize URL as the browser of a person who signs in. @returns the URL of the callback. */
  agree(authorizeUrl: string, who: Person, jar?: CookieJar): Promise<URL>
  /** Signs out at the provider. */
  signOut(jar: CookieJar): Promise<void>
}

/** The cookies that a browser has for the provider. */
export type CookieJar = Map<string, string>

/** Follows redirects within the provider. */
const browse = async (url: string, jar: CookieJar, form?: Record<string, string>) => {
  const response = await fetch(url, {
    redirect: 'manual',
    headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  })
  for (const line of response.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
    if (value) jar.set(name, value)
    else jar.delete(name)
  }
  const location = response.headers.get('location')
  return {
    next: location ? new URL(location, url) : undefined,
    text: await response.text(),
    status: response.status,
  }
}

export const startOpenIdProvider = async (): Promise<OpenIdProvider> => {
  const people = new Map<string, Person>()
  let handle: (request: IncomingMessage, response: ServerResponse) => void = () => {}
  const server = createServer((request, response) => handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let client: { baseUrl: string; name: string } | undefined

  const start = async () => {
    if (!client) return
    const provider = createProvider(issuer, { ...client, people, keys: await newKeys() })
    const callback = provider.callback()
    handle = (request, response) => {
      if (!request.url?.startsWith('/interaction/')) void callback(request, response)
      else void interact(provider, people, request, response)
    }
  }

  return {
    issuer,
    env: (name, label) => ({
      [`SVC_OIDC_${name}_ISSUER`]: issuer,
      [`SVC_OIDC_${name}_ID`]: OPENID_CLIENT.id,
      [`SVC_OIDC_${name}_SECRET`]: OPENID_CLIENT.secret,
      [`SVC_OIDC_${name}_LABEL`]: label,
    }),
    async serve(baseUrl, name) {
      client = { baseUrl, name }
      await start()
    },
    introduce: (who) => void people.set(who.subject, who),
    rotateKeys: start,
    async agree(authorizeUrl, who, jar = new Map()) {
      people.set(who.subject, who)
      let { next, status, text } = await browse(authorizeUrl, jar)
      for (let step = 0; next?.origin === issuer && step < 10; step++) {
        const form = next.pathname.startsWith('/interaction/') ? { login: who.subject } : undefined
        ;({ next, status, text } = await browse(next.href, jar, form))
      }
      if (!next) throw new Error(`the provider answered ${status} ${text}`)
      return next
    },
    async signOut(jar) {
      const { text } = await browse(`${issuer}/session/end`, jar)
      const xsrf = /name="xsrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
      await browse(`${issuer}/session/end/confirm`, jar, { xsrf, logout: 'yes' })
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const newKeys = async (): Promise<JWKS> => {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const kid = crypto.randomUUID()
  return { keys: [{ ...(await exportJWK(privateKey)), kid, use: 'sig' }] } as JWKS
}

const createProvider = (
  issuer: string,
  options: { baseUrl: string; name: string; people: Map<string, Person>; keys: JWKS },
): Provider => {
  const { baseUrl, name, people, keys } = options
  const callback = `${baseUrl}/api/auth/oauth/${name}`
  return new Provider(issuer, {
    jwks: keys,
    clients: [
      {
        client_id: OPENID_CLIENT.id,
        client_secret: OPENID_CLIENT.secret,
        redirect_uris: [`${callback}/callback`],
        post_logout_redirect_uris: [`${baseUrl}/signin`],
        backchannel_logout_uri: `${callback}/backchannel-logout`,
        backchannel_logout_session_required: true,
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    cookies: { keys: [crypto.randomUUID()] },
    features: {
      devInteractions: { enabled: false },
      backchannelLogout: { enabled: true },
      rpInitiatedLogout: {
        enabled: true,
        logoutSource: (context, form) => {
          context.body = LOGOUT_PAGE(form)
        },
      },
    },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => {
      const who = people.get(id) ?? person({ subject: id })
      const claims = { sub: id, email: who.email, email_verified: who.verified }
      return { accountId: id, claims: () => claims }
    },
  })
}

const LOGOUT_PAGE = (form: string) =>
  `<!doctype html><html lang="en"><title>Sign out</title><h1>Sign out</h1>${form}
<button form="op.logoutForm" name="logout" value="yes">Sign out at the provider</button></html>`

const LOGIN_PAGE = `<!doctype html><html lang="en"><title>Sign in</title><h1>Sign in</h1>
<form method="post"><label>Login <input name="login"></label><button>Continue</button></form></html>`

/** The page on which a person signs in at the provider, and agrees. */
const interact = async (
  provider: Provider,
  people: Map<string, Person>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { prompt, params, session } = await provider.interactionDetails(request, response)
  if (request.method !== 'POST' && prompt.name === 'login') {
    response.setHeader('content-type', 'text/html').end(LOGIN_PAGE)
    return
  }
  if (prompt.name === 'login') {
    const chunks: Uint8Array[] = []
    for await (const chunk of request) chunks.push(chunk)
    const login = new URLSearchParams(Buffer.concat(chunks).toString()).get('login') ?? ''
    if (!people.has(login)) people.set(login, person({ subject: login }))
    await provider.interactionFinished(request, response, { login: { accountId: login } })
    return
  }
  const accountId = session?.accountId ?? ''
  const grant = new provider.Grant({ accountId, clientId: String(params.client_id) })
  grant.addOIDCScope(String(params.scope))
  await provider.interactionFinished(
    request,
    response,
    { consent: { grantId: await grant.save() } },
    { mergeWithLastSubmission: true },
  )
}
