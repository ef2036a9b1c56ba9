import { beforeAll, describe, expect, test } from 'bun:test'
import { decodeJwt } from 'jose'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { cookieValue, newUser, PASSWORD, type TestUser, useServer } from '../harness/server.ts'
import { fieldsOn, OAUTH } from '../mcp/oauth-support.ts'
import {
  ADMIN,
  type App,
  errorOf,
  exchange,
  landingOf,
  open,
  postForm,
  registerApp,
  type Started,
  signInTo,
  start,
} from './openid-provider-support.ts'

const server = useServer({ SVC_ADMIN_EMAILS: ADMIN })
let app: App
beforeAll(async () => {
  app = await registerApp(server.current, await newVerifiedUser(server.current, ADMIN))
}, 120_000)

/** The error that the app gets without a page. */
const silentError = async (cookie: string | undefined, parameters: Record<string, string> = {}) => {
  const started = await start(app, { prompt: 'none', ...parameters })
  const landing = landingOf(await open(server.current, cookie, started))
  expect(landing.searchParams.get('state')).toBe(started.state)
  return landing.searchParams.get('error')
}

/** Signs in on the page that the server shows. @returns the request after that, and the new cookie. */
const signInOnPage = async (started: Started, cookie: string | undefined, user: TestUser) => {
  const page = await open(server.current, cookie, started)
  expect([page.status, page.text.includes('type="password"')]).toEqual([200, true])
  const action = `${OAUTH}/authorize/signin`
  const form = new URLSearchParams({ ...fieldsOn(page.text, action), password: PASSWORD })
  form.set('email', user.email)
  const signedIn = await postForm(server.current, action, form, cookie)
  const location = signedIn.headers.get('location') ?? ''
  return {
    next: { ...started, url: new URL(location, server.current.baseUrl) },
    cookie: cookieValue(signedIn.cookie),
  }
}

const passTime = (user: TestUser, seconds: number) =>
  runSql(
    server.current.database,
    `update sessions set created_at = created_at - interval '${seconds} seconds' where user_id = '${user.id}'`,
  )

describe('prompt=none', () => {
  test('without a session the app gets login_required', async () => {
    expect(await silentError(undefined)).toBe('login_required')
  })

  test('without a consent the app gets consent_required, and with one a code', async () => {
    const user = await newUser(server.current)
    expect(await silentError(user.refreshToken)).toBe('consent_required')
    await signInTo(server.current, app, user)
    const started = await start(app, { prompt: 'none' })
    const landing = landingOf(await open(server.current, user.refreshToken, started))
    expect((await exchange(server.current, app, started, landing)).id_token).toBeString()
    expect(await silentError(user.refreshToken, { scope: 'openid email' })).toBe('consent_required')
  })

  test('a sign-in that is older than max_age is login_required', async () => {
    const user = await newUser(server.current)
    await signInTo(server.current, app, user)
    await passTime(user, 100)
    expect(await silentError(user.refreshToken, { max_age: '50' })).toBe('login_required')
    expect(await silentError(user.refreshToken, { max_age: '5000' })).toBeNull()
  })

  test('an ID token of another user is login_required', async () => {
    const [ada, bob] = [await newUser(server.current), await newUser(server.current)]
    const { id_token_hint } = { id_token_hint: (await signInTo(server.current, app, ada)).id_token }
    await signInTo(server.current, app, bob)
    const hint = { id_token_hint: id_token_hint ?? '' }
    expect(await silentError(ada.refreshToken, hint)).toBeNull()
    expect(await silentError(bob.refreshToken, hint)).toBe('login_required')
  })
})

describe('prompt=login and max_age', () => {
  test('prompt=login asks a signed-in user to sign in again, once', async () => {
    const user = await newUser(server.current)
    const first = await signInTo(server.current, app, user)
    await passTime(user, 100)
    const started = await start(app, { prompt: 'login' })
    const { next, cookie } = await signInOnPage(started, user.refreshToken, user)
    const landing = landingOf(await open(server.current, cookie, next))
    const second = await exchange(server.current, app, started, landing)
    const [before, after] = [first, second].map(({ id_token }) => decodeJwt(id_token ?? ''))
    expect(Number(after?.auth_time)).toBeGreaterThan(Number(before?.auth_time) - 100)
    expect(after?.sid).not.toBe(before?.sid)
  })

  test('prompt=login asks a user who was signed out once only', async () => {
    const user = await newUser(server.current)
    await signInTo(server.current, app, user)
    const started = await start(app, { prompt: 'login', login_hint: user.email })
    const page = await open(server.current, undefined, started)
    expect(page.text).toContain(`value="${user.email}"`)
    const { next, cookie } = await signInOnPage(started, undefined, user)
    const landing = landingOf(await open(server.current, cookie, next))
    expect((await exchange(server.current, app, started, landing)).id_token).toBeString()
  })

  test('a sign-in older than max_age asks again, and the app verifies auth_time', async () => {
    const user = await newUser(server.current)
    await signInTo(server.current, app, user)
    await passTime(user, 100)
    const old = await start(app)
    const landing = landingOf(await open(server.current, user.refreshToken, old))
    expect(await errorOf(exchange(server.current, app, old, landing, { maxAge: 50 }))).toBe(
      'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
    )
    for (const max_age of ['50', '0']) {
      const started = await start(app, { max_age })
      const { next, cookie } = await signInOnPage(started, user.refreshToken, user)
      const fresh = landingOf(await open(server.current, cookie, next))
      const maxAge = Number(max_age) + 60
      expect(
        (await exchange(server.current, app, started, fresh, { maxAge })).id_token,
      ).toBeString()
    }
  })

  test('after a sign-in as another user than that of the ID token, the app gets login_required', async () => {
    const [ada, bob] = [await newUser(server.current), await newUser(server.current)]
    const { id_token = '' } = await signInTo(server.current, app, ada)
    const started = await start(app, { id_token_hint: id_token })
    const { next, cookie } = await signInOnPage(started, bob.refreshToken, bob)
    const landing = landingOf(await open(server.current, cookie, next))
    expect(landing.searchParams.get('error')).toBe('login_required')
  })
})

test.each(['consent', 'select_account'])(
  'prompt=%s shows the page to a user who agreed before',
  async (prompt) => {
    const user = await newUser(server.current)
    await signInTo(server.current, app, user)
    const page = await open(server.current, user.refreshToken, await start(app, { prompt }))
    expect(page.status).toBe(200)
    expect(page.text).toContain(`Signed in as ${user.email}`)
  },
)
