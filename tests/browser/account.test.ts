import { describe, expect } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { linkIn, useServerWithMail } from '../harness/mail.ts'
import { newUser, PASSWORD, request, uniqueEmail } from '../harness/server.ts'
import { browserTest, expectGoodPage, heading, signIn, startLogin, useBrowser } from './support.ts'

const mailed = useServerWithMail()
const server = {
  get current() {
    return mailed.server
  },
}
const { visit } = useBrowser(server)

const STEP_MS = 30_000
const NEW_PASSWORD = 'a horse of another colour'

const me = async (token: string) =>
  (await request(server.current, 'GET', '/api/auth/me', { token })).body
const signInStatus = async (email: string, password: string): Promise<number> =>
  (await request(server.current, 'POST', '/api/auth/signin', { body: { email, password } })).status

describe('the link in a verification mail', () => {
  browserTest(
    'confirms the address when the button is pressed, not when it is opened',
    async () => {
      const { email, accessToken } = await newUser(server.current)
      const link = linkIn(await mailed.mailbox.next(email))
      const page = await visit()
      await page.goto(link.href)
      await heading(page, 'Confirm your email address')
      await expectGoodPage(page)
      expect((await me(accessToken)).email_verified).toBe(false)
      await page.keyboard.press('Enter')
      await heading(page, 'Address confirmed')
      expect((await me(accessToken)).email_verified).toBe(true)

      await page.goto(link.href)
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('alert').waitFor()
      await expectGoodPage(page)
    },
  )
})

describe('a forgotten password', () => {
  browserTest('is replaced by way of a mailed link', async () => {
    const { email } = await newUser(server.current)
    const page = await visit()
    await page.goto(`${server.current.baseUrl}/reset`)
    await heading(page, 'Reset your password')
    await expectGoodPage(page)
    await page.getByLabel('Email').fill(email)
    await page.keyboard.press('Enter')
    await heading(page, 'Look into your mail')

    const link = linkIn(await mailed.mailbox.next(email, 'password'))
    await page.goto(link.href)
    await heading(page, 'Choose a new password')
    await expectGoodPage(page)
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('New password, once more').fill('something else')
    await page.getByRole('button', { name: 'Change password' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('Passwords do not match')
    await expectGoodPage(page)
    await page.getByLabel('New password', { exact: true }).fill(NEW_PASSWORD)
    await page.getByLabel('New password, once more').fill(NEW_PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Password changed')
    expect(await signInStatus(email, NEW_PASSWORD)).toBe(200)
    expect(await signInStatus(email, PASSWORD)).toBe(401)

    await page.goto(link.href)
    expect(await page.getByRole('alert').textContent()).toBe(
      'This reset link is invalid or has expired',
    )
  })
})

describe('an account with a second factor', () => {
  browserTest('lets a program in only after the code of the authenticator app', async () => {
    const { email, accessToken: token } = await newUser(server.current)
    const { secret } = (await request(server.current, 'POST', '/api/auth/mfa/setup', { token }))
      .body
    const app = new TOTP({ secret: Secret.fromBase32(secret) })
    const enabled = await request(server.current, 'POST', '/api/auth/mfa/enable', {
      token,
      body: { code: app.generate() },
    })
    expect(enabled.status).toBe(200)

    const login = await startLogin(server.current, { client_name: 'My program' })
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await signIn(page, email)
    await heading(page, 'One more step')
    await expectGoodPage(page)
    await page.keyboard.type('not the code')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await expectGoodPage(page)
    // The code of now was used to switch it on; the next one is taken already.
    await page.keyboard.type(app.generate({ timestamp: Date.now() + STEP_MS }))
    await page.keyboard.press('Enter')
    await heading(page, 'Allow My program to use your account?')
  })
})

describe('the link of a first start', () => {
  browserTest('makes the admin, once', async () => {
    const link = server.current.claimLink ?? ''
    const email = uniqueEmail()
    const page = await visit()
    await page.goto(link)
    await heading(page, 'Sign in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password, once more').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await heading(page, 'Become the admin of this server?')
    await expectGoodPage(page)
    await page.getByRole('button', { name: 'Become the admin' }).click()
    await heading(page, 'You are the admin')
    await expectGoodPage(page)
    const { body } = await request(server.current, 'POST', '/api/auth/signin', {
      body: { email, password: PASSWORD },
    })
    expect((await me(body.access_token)).is_admin).toBe(true)

    await page.goto(link)
    await page.getByRole('alert').waitFor()
    await expectGoodPage(page)
  })
})

browserTest('the server’s own address says what it is, and leads on', async () => {
  const page = await visit()
  await page.goto(server.current.baseUrl)
  await heading(page, 'svc is running')
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Connect a program' }).click()
  await heading(page, 'Sign in')
})
