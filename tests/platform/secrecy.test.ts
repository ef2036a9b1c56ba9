import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { runSql } from '../harness/http.ts'
import { type Mailbox, newMailedUser, startMailbox, tokenIn } from '../harness/mail.ts'
import { person, startGithub, type TestProvider } from '../harness/oauth-provider.ts'
import {
  cookieValue,
  newUser,
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
  uniqueEmail,
} from '../harness/server.ts'

const APP = 'https://app.example.com'
const AUTH_SECRET = 'a-secret-of-at-least-32-characters!'
const NEW_PASSWORD = 'quite another long password'

setDefaultTimeout(60_000)

let provider: TestProvider
let mailbox: Mailbox
let server: TestServer

beforeAll(async () => {
  provider = startGithub()
  mailbox = await startMailbox()
  server = await startServer({
    SVC_AUTH_SECRET: AUTH_SECRET,
    SVC_FRONTEND_ORIGINS: APP,
    SVC_SMTP_URL: mailbox.url,
    ...provider.env,
  })
})
afterAll(async () => {
  await server.stop()
  await mailbox[Symbol.asyncDispose]()
  await provider[Symbol.asyncDispose]()
})

const post = (path: string, options: Parameters<typeof request>[3]) =>
  request(server, 'POST', path, options)
const signIn = ({ email }: TestUser, password: string) =>
  post('/api/auth/signin', { body: { email, password } })

/** Each function uses one part of an account and returns the secrets of that part. */
const useMailedLinks = async (user: TestUser) => {
  const verification = tokenIn(await mailbox.next(user.email))
  const page = await request(server, 'GET', `/verify?token=${verification}`)
  await post('/api/auth/verify-email', { body: { token: verification } })
  await post('/api/auth/verify-email', { body: { token: verification } })
  await post('/api/auth/forgot-password', { body: { email: user.email } })
  const reset = tokenIn(await mailbox.next(user.email))
  await request(server, 'GET', `/reset?token=${reset}`)
  const changed = await post('/api/auth/reset-password', {
    body: { token: reset, password: NEW_PASSWORD },
  })
  expect([page.status, changed.status]).toEqual([200, 200])
  return [verification, reset, NEW_PASSWORD]
}

const changeAddress = async () => {
  const user = await newMailedUser(server, mailbox)
  const email = uniqueEmail()
  const body = { email, password: PASSWORD }
  await post('/api/auth/email/change', { body, token: user.accessToken })
  const change = tokenIn(await mailbox.next(email))
  await request(server, 'GET', `/email/change?token=${change}`)
  await post('/api/auth/email/confirm', { body: { token: change } })
  const undo = tokenIn(await mailbox.next(user.email, 'was changed'))
  await request(server, 'GET', `/email/undo?token=${undo}`)
  expect((await post('/api/auth/email/undo', { body: { token: undo } })).status).toBe(200)
  return [change, undo]
}

const useSecondFactor = async (user: TestUser) => {
  const { access_token: token } = (await signIn(user, NEW_PASSWORD)).body
  const { secret } = (await post('/api/auth/mfa/setup', { token })).body
  const codeAt = (timestamp: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp })
  const code = codeAt(Date.now())
  const { recovery_codes } = (await post('/api/auth/mfa/enable', { token, body: { code } })).body
  const { partial_token } = (await signIn(user, NEW_PASSWORD)).body
  for (const wrong of [code, 'no-such-recovery-code'])
    await post('/api/auth/mfa/verify', { body: { partial_token, code: wrong } })
  const verified = await post('/api/auth/mfa/verify', {
    body: { partial_token, code: recovery_codes[0] },
  })
  expect(verified.status).toBe(200)
  return [secret, partial_token, verified.body.access_token, ...recovery_codes]
}

const useHandoff = async (user: TestUser) => {
  const minted = await post('/api/auth/handoff/mint', {
    cookie: user.refreshToken,
    body: { target_origin: APP },
  })
  const { token } = minted.body
  const redeem = () =>
    post('/api/auth/handoff/exchange', { body: { token }, headers: { origin: APP } })
  const redeemed = await redeem()
  expect([redeemed.status, (await redeem()).status]).toEqual([200, 400])
  return [token, redeemed.body.access_token]
}

const useProvider = async () => {
  const begun = await request(
    server,
    'GET',
    `/api/auth/oauth/github/authorize?frontend_origin=${encodeURIComponent(APP)}`,
  )
  const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const callback = await provider.agree(begun.body.authorize_url, person())
  const comeBack = () =>
    request(server, 'GET', `${callback.pathname}${callback.search}`, { headers: { cookie } })
  const landed = new URL((await comeBack()).headers.get('location') ?? '')
  await comeBack()
  const token = landed.searchParams.get('token') ?? ''
  expect(token).toContain('.')
  const sent = ['code', 'state'].map((name) => callback.searchParams.get(name) ?? '')
  return [...sent, token, cookieValue(cookie), provider.env.SVC_OAUTH_GITHUB_SECRET ?? '']
}

const fail = async (user: TestUser) => {
  const wrong = `a wrong password ${crypto.randomUUID()}`
  await signIn(user, wrong)
  await post('/api/auth/signin', { body: `{"password":"${wrong}` })
  await post('/api/auth/signin', { body: { email: user.email, password: [wrong] } })
  await request(server, 'GET', `/api/nothing?token=${user.accessToken}`)
  await request(server, 'GET', `/api/memories?limit=${user.key}`, { token: user.key })
  await request(server, 'GET', `/${user.key}`)
  await runSql(server.database, 'drop table sessions, sign_in_guards, api_keys cascade')
  expect((await signIn(user, wrong)).status).toBe(500)
  expect((await request(server, 'GET', '/api/me', { token: user.key })).status).toBe(500)
  return [wrong]
}

test('the log contains no credential, whether requests succeed, are refused or fail', async () => {
  const user = await newUser(server)
  const refreshed = await post('/api/auth/refresh', { cookie: user.refreshToken })
  const secrets = [
    ...[AUTH_SECRET, PASSWORD, user.accessToken, user.refreshToken, user.key],
    ...[refreshed.body.access_token, cookieValue(refreshed.cookie)],
    ...(await useHandoff(user)),
    ...(await useMailedLinks(user)),
    ...(await changeAddress()),
    ...(await useSecondFactor(user)),
    ...(await useProvider()),
    ...(await fail(user)),
  ]
  const log = server.log.join('')
  expect(log).toContain('/api/auth/signin')
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(5)
    expect(log).not.toContain(secret)
  }
  expect(log).not.toContain(user.email)
})
