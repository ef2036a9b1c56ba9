import { describe, expect } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { APIResponse, Locator, Page, Route } from 'playwright-core'
import { createOrgClient } from '../account/organization-support.ts'
import { linkIn, newMailedUser, useServerWithMail } from '../harness/mail.ts'
import { newUser, PASSWORD, request, type TestUser, uniqueEmail } from '../harness/server.ts'
import { askTokens, authorizePath, newProof, opens, register } from '../mcp/oauth-support.ts'
import { startClient } from './oauth-client.ts'
import { browserTest, heading, pollLogin, signIn, startLogin, useBrowser } from './support.ts'

const it = useServerWithMail()
const server = {
  get current() {
    return it.server
  },
}
const { visit } = useBrowser(server)
const { createOrg, invite, members, orgAudit } = createOrgClient(server)

/** A new user with a second factor. @returns also the code that is accepted next. */
const newUserWithCode = async () => {
  const user = await newUser(server.current)
  const mfa = (step: string, body: object) =>
    request(server.current, 'POST', `/api/auth/mfa/${step}`, { token: user.accessToken, body })
  const app = new TOTP({ secret: Secret.fromBase32((await mfa('setup', {})).body.secret) })
  expect((await mfa('enable', { code: app.generate() })).status).toBe(200)
  return { ...user, code: app.generate({ timestamp: Date.now() + 30_000 }) }
}

/** The number of a user's sessions or API keys. */
const count = async ({ accessToken: token }: TestUser, of: 'sessions' | 'api-keys') =>
  (await request(server.current, 'GET', `/api/auth/${of}`, { token })).body.length

/**
 * The second click comes when the server has handled the first one and the browser does not know it yet.
 * @returns the response to the first.
 */
const doubleClick = async (button: Locator): Promise<APIResponse> => {
  const page = button.page()
  const [handled, clicked] = [Promise.withResolvers<APIResponse>(), Promise.withResolvers<void>()]
  const holdFirst = async (route: Route) => {
    const response = await route.fetch({ maxRedirects: 0 })
    handled.resolve(response)
    await clicked.promise
    // Without scripts, the second click has replaced the request.
    await route.fulfill({ response }).catch(() => {})
  }
  await page.route(/./, holdFirst, { times: 1 })
  const box = await button.boundingBox()
  if (!box) throw new Error('the button is not visible')
  await button.click({ noWaitAfter: true })
  const response = await handled.promise
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
  clicked.resolve()
  return response
}

const signUpOn = async (page: Page, email: string) => {
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Repeat password').fill(PASSWORD)
}

describe.each([true, false])('a double click, with scripts: %p', (javaScriptEnabled) => {
  browserTest('on “Create account” signs up once and signs in', async () => {
    const login = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit({ javaScriptEnabled })
    await page.goto(login.verification_uri_complete)
    await signUpOn(page, uniqueEmail())
    await doubleClick(page.getByRole('button', { name: 'Create account' }))
    await heading(page, 'Allow My app to use your account?')
  })

  browserTest('on “Allow” approves a device once', async () => {
    const user = await newUser(server.current)
    const login = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit({ javaScriptEnabled })
    await page.goto(login.verification_uri_complete)
    await signIn(page, user.email)
    await heading(page, 'Allow My app to use your account?')
    await doubleClick(page.locator('button[value=approve]'))
    await heading(page, 'Connected')
    const keys = await count(user, 'api-keys')
    expect(await pollLogin(server.current, login.device_code)).toMatchObject({ status: 'approved' })
    expect(await count(user, 'api-keys')).toBe(keys + 1)
  })

  browserTest('on the second factor signs in once and allows nothing yet', async () => {
    const user = await newUserWithCode()
    const sessions = await count(user, 'sessions')
    const login = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit({ javaScriptEnabled })
    await page.goto(login.verification_uri_complete)
    await signIn(page, user.email)
    await heading(page, 'Enter your code')
    await page.getByLabel('Code').fill(user.code)
    await doubleClick(page.getByRole('button', { name: 'Continue' }))
    await heading(page, 'Allow My app to use your account?')
    expect(await count(user, 'sessions')).toBe(sessions + 1)
    expect(await pollLogin(server.current, login.device_code)).toMatchObject({ status: 'pending' })
  })

  browserTest('on “Email me a code” mails one code, and on “Sign in” uses it once', async () => {
    const user = await newMailedUser(server.current, it.mailbox)
    const sessions = await count(user, 'sessions')
    const login = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit({ javaScriptEnabled })
    await page.goto(login.verification_uri_complete)
    await page.getByLabel('Email').fill(user.email)
    await doubleClick(page.getByRole('button', { name: 'Email me a code instead' }))
    await heading(page, 'Check your email')
    const { subject } = await it.mailbox.next(user.email, 'is your code to sign in')
    await page.getByLabel('Code').fill(subject.slice(0, 6))
    await doubleClick(page.getByRole('button', { name: 'Sign in' }))
    await heading(page, 'Allow My app to use your account?')
    expect(await count(user, 'sessions')).toBe(sessions + 1)
    const sent = it.mailbox.mails.filter(({ to }) => to.includes(user.email))
    expect(sent.filter((mail) => mail.subject.includes('is your code'))).toHaveLength(1)
  })

  browserTest('on “Accept” joins an organization once', async () => {
    const [ada, ben] = await Promise.all([
      newMailedUser(server.current, it.mailbox),
      newMailedUser(server.current, it.mailbox),
    ])
    const org = await createOrg(ada, 'Analytics')
    await invite(ada, org, ben.email)
    const page = await visit({ javaScriptEnabled })
    const { text } = await it.mailbox.next(ben.email, 'Analytics')
    await page.goto(/http\S+token=\S+/.exec(text)?.[0] ?? '')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signIn(page, ben.email)
    await doubleClick(page.getByRole('button', { name: 'Accept' }))
    await heading(page, 'Welcome to Analytics')
    expect((await members(ada, org)).map(({ email }) => email)).toEqual([ada.email, ben.email])
    expect((await orgAudit(ben)).map(({ action }) => action)).toEqual(['org.member_joined'])
  })

  browserTest('on “Allow” gives an OAuth client one code, which works', async () => {
    await using client = startClient()
    const user = await newUser(server.current)
    const redirect_uri = client.redirect
    const client_id = await register(server.current, { redirect_uris: [redirect_uri] })
    const { verifier: code_verifier, challenge: code_challenge } = newProof()
    const path = authorizePath({ client_id, code_challenge, redirect_uri })
    const page = await visit({ javaScriptEnabled }, client.origins)
    await page.goto(`${server.current.baseUrl}${path}`)
    await signIn(page, user.email)
    await heading(page, 'Allow Heron to use your memory?')
    const first = await doubleClick(page.getByRole('button', { name: 'Allow' }))
    await heading(page, 'Back in the app')
    const code = new URL(first.headers().location ?? '').searchParams.get('code')
    expect([...client.codes]).toEqual([code])
    const { body } = await askTokens(server.current, {
      grant_type: 'authorization_code',
      code: code ?? '',
      client_id,
      code_verifier,
      redirect_uri,
    })
    expect(await opens(server.current, body.access_token)).toBe(true)
  })

  browserTest('on a verification link confirms the address', async () => {
    const { email } = await newUser(server.current)
    const page = await visit({ javaScriptEnabled })
    const { href } = linkIn(await it.mailbox.next(email, 'Confirm'))
    await page.goto(href)
    await doubleClick(page.getByRole('button', { name: 'Confirm' }))
    await heading(page, 'Address confirmed')
    // The used link says so too.
    await page.goto(href)
    await heading(page, 'Address confirmed')
  })

  browserTest('on a reset changes the password', async () => {
    const { email } = await newMailedUser(server.current, it.mailbox)
    await request(server.current, 'POST', '/api/auth/forgot-password', { body: { email } })
    const page = await visit({ javaScriptEnabled })
    await page.goto(linkIn(await it.mailbox.next(email, 'Reset')).href)
    const password = 'another long passphrase 4'
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Repeat new password').fill(password)
    await doubleClick(page.getByRole('button', { name: 'Change password' }))
    await heading(page, 'Password changed')
    const { status } = await request(server.current, 'POST', '/api/auth/signin', {
      body: { email, password },
    })
    expect(status).toBe(200)
  })
})
