import { afterAll, beforeAll, expect, setDefaultTimeout } from 'bun:test'
import { deriveKey } from '../../server/platform/secrets/derived-keys.ts'
import type { OAuthProvider } from '../../shared/contract/oauth-sign-in.ts'
import { type Mailbox, newMailedUser, startMailbox } from '../harness/mail.ts'
import {
  type Person,
  startGithub,
  startGoogle,
  startTwitter,
  type TestProvider,
} from '../harness/oauth-provider.ts'
import {
  type Answer,
  type RequestOptions,
  request,
  startServer,
  type TestServer,
} from '../harness/server.ts'

export const APP = 'https://app.example.com'
export const OTHER_APP = 'https://other.example.net'
const SECRET = 'a-secret-of-at-least-32-characters!'

/** The key that seals states. */
export const STATE_KEY = deriveKey(SECRET, 'svc:oauth-state')

type Providers = Record<OAuthProvider, TestProvider>

interface StartedSignIn {
  authorizeUrl: string
  /** The cookie header of the browser. */
  cookie: string
}

/** Starts a server with all providers and a mailbox for a test file. @returns the requests of a browser. */
export const useProviders = () => {
  setDefaultTimeout(60_000)
  let started: { providers: Providers; mailbox: Mailbox; server: TestServer } | undefined
  beforeAll(async () => {
    const providers = {
      google: await startGoogle(),
      github: startGithub(),
      twitter: startTwitter(),
    }
    const mailbox = await startMailbox()
    const server = await startServer({
      SVC_AUTH_SECRET: SECRET,
      SVC_FRONTEND_ORIGINS: `${APP},${OTHER_APP}`,
      SVC_SMTP_URL: mailbox.url,
      ...Object.assign({}, ...Object.values(providers).map(({ env }) => env)),
    })
    started = { providers, mailbox, server }
  })
  afterAll(async () => {
    await started?.server.stop()
    await started?.mailbox[Symbol.asyncDispose]()
    for (const provider of Object.values(started?.providers ?? {}))
      await provider[Symbol.asyncDispose]()
  })
  const running = () => {
    if (!started)
      throw new Error('the server starts before the tests run, not while they are declared')
    return started
  }
  const send = (method: string, path: string, options: RequestOptions = {}) =>
    request(running().server, method, path, options)

  const authorize = (
    name: string,
    query: Record<string, string> = {},
    options: RequestOptions = {},
  ) => send('GET', `/api/auth/oauth/${name}/authorize?${new URLSearchParams(query)}`, options)

  const beginSignIn = async (name: OAuthProvider, origin = APP): Promise<StartedSignIn> => {
    const answer = await authorize(name, origin ? { frontend_origin: origin } : {})
    const cookie = browserCookieOf(answer).split(';')[0] ?? ''
    return { authorizeUrl: answer.body.authorize_url, cookie }
  }

  const followCallback = (callback: URL, cookie: string) =>
    send('GET', `${callback.pathname}${callback.search}`, { headers: { cookie } })

  /** Signs in through a provider. */
  const signInWith = async (name: OAuthProvider, identity: Person, origin = APP) => {
    const { authorizeUrl, cookie } = await beginSignIn(name, origin)
    const callback = await running().providers[name].agree(authorizeUrl, identity)
    const answer = await followCallback(callback, cookie)
    return { answer, landing: redirectOf(answer) }
  }

  return {
    get server() {
      return running().server
    },
    get providers() {
      return running().providers
    },
    get mailbox() {
      return running().mailbox
    },
    authorize,
    beginSignIn: beginSignIn,
    followCallback: followCallback,
    signInWith,
    tokenOf: async (name: OAuthProvider, who: Person) =>
      (await signInWith(name, who)).landing.token ?? '',
    me: async (token: string) => (await send('GET', '/api/auth/me', { token })).body,
    connections: (token: string) => send('GET', '/api/auth/oauth/connections', { token }),
    /** An account with a password and a verified address. */
    newVerifiedUser: () => newMailedUser(running().server, running().mailbox),
  }
}

export const browserCookieOf = ({ headers }: Answer) =>
  headers.getSetCookie().find((line) => !line.startsWith('refresh_token=')) ?? ''

/** The target of the redirect, with its query parameters. */
export const redirectOf = (answer: Answer) => {
  const url = new URL(answer.headers.get('location') ?? '')
  return {
    status: answer.status,
    at: `${url.origin}${url.pathname}`,
    ...Object.fromEntries(url.searchParams),
  } as Record<string, unknown> & { token?: string }
}

export const signedIn = (isNew: boolean) => ({
  status: 302,
  at: `${APP}/auth/callback`,
  token: expect.any(String),
  new: isNew ? '1' : '0',
})

export const failed = (error: string) => ({ status: 302, at: `${APP}/auth/callback`, error })
