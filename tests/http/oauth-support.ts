import { afterAll, beforeAll, expect, setDefaultTimeout } from 'bun:test'
import { hkdfSync } from 'node:crypto'
import type { OAuthProvider } from '../../shared/schemas/oauth.ts'
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

/** What the server seals a state with. */
export const STATE_KEY = new Uint8Array(hkdfSync('sha256', SECRET, '', 'svc:oauth-state', 32))

type Providers = Record<OAuthProvider, TestProvider>

interface SettingOut {
  authorizeUrl: string
  /** The browser's cookies, as it sends them back. */
  cookie: string
}

/** A server with all providers and a mailbox of a file's own, and what a browser does there. */
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
    if (!started) throw new Error('it starts before the tests, not while they are declared')
    return started
  }
  const ask = (method: string, path: string, options: RequestOptions = {}) =>
    request(running().server, method, path, options)

  const authorize = (
    name: string,
    query: Record<string, string> = {},
    options: RequestOptions = {},
  ) => ask('GET', `/api/auth/oauth/${name}/authorize?${new URLSearchParams(query)}`, options)

  const setOut = async (name: OAuthProvider, origin = APP): Promise<SettingOut> => {
    const answer = await authorize(name, origin ? { frontend_origin: origin } : {})
    const cookie = browserCookieOf(answer).split(';')[0] ?? ''
    return { authorizeUrl: answer.body.authorize_url, cookie }
  }

  const comeBack = (callback: URL, cookie: string) =>
    ask('GET', `${callback.pathname}${callback.search}`, { headers: { cookie } })

  /** Goes all the way through a provider. */
  const signInWith = async (name: OAuthProvider, who: Person, origin = APP) => {
    const { authorizeUrl, cookie } = await setOut(name, origin)
    const callback = await running().providers[name].agree(authorizeUrl, who)
    const answer = await comeBack(callback, cookie)
    return { answer, landing: landingOf(answer) }
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
    setOut,
    comeBack,
    signInWith,
    tokenOf: async (name: OAuthProvider, who: Person) =>
      (await signInWith(name, who)).landing.token ?? '',
    me: async (token: string) => (await ask('GET', '/api/auth/me', { token })).body,
    connections: (token: string) => ask('GET', '/api/auth/oauth/connections', { token }),
    /** An account with a password whose address is verified. */
    newVerifiedUser: () => newMailedUser(running().server, running().mailbox),
  }
}

export const browserCookieOf = ({ headers }: Answer) =>
  headers.getSetCookie().find((line) => !line.startsWith('refresh_token=')) ?? ''

/** Where the browser lands, with what it is told there. */
export const landingOf = (answer: Answer) => {
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
