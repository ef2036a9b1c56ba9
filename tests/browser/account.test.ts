import { describe, expect } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { newUser, PASSWORD, request, uniqueEmail, useServer } from '../harness/server.ts'
import {
  browserTest,
  expectGoodPage,
  heading,
  signIn,
  startLogin,
  typeIn,
  useBrowser,
} from './support.ts'

const server = useServer()
const { visit, expectProblems } = useBrowser(server)

const STEP_MS = 30_000

const me = async (token: string) =>
  (await request(server.current, 'GET', '/api/auth/me', { token })).body
describe('an account with a second factor', () => {
  browserTest(
    'the user authorizes an app only after the code of the authenticator app',
    async () => {
      const { email, accessToken: token } = await newUser(server.current)
      const { secret } = (await request(server.current, 'POST', '/api/auth/mfa/setup', { token }))
        .body
      const app = new TOTP({ secret: Secret.fromBase32(secret) })
      const enabled = await request(server.current, 'POST', '/api/auth/mfa/enable', {
        token,
        body: { code: app.generate() },
      })
      expect(enabled.status).toBe(200)

      const login = await startLogin(server.current, { client_name: 'My app' })
      const page = await visit()
      await page.goto(login.verification_uri_complete)
      await signIn(page, email)
      await heading(page, 'Enter your code')
      await expectGoodPage(page)
      await typeIn(page, 'not the code')
      await page.getByRole('alert').waitFor()
      await expectGoodPage(page)
      // The current code enabled the second factor; the next one is accepted already.
      await typeIn(page, app.generate({ timestamp: Date.now() + STEP_MS }))
      await heading(page, 'Allow My app to use your account?')
    },
  )
})

describe('the claim link of a first start', () => {
  browserTest('the link makes one admin', async () => {
    const link = server.current.claimLink ?? ''
    const email = uniqueEmail()
    const page = await visit()
    await page.goto(link)
    await heading(page, 'Sign in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat password').fill(PASSWORD)
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

browserTest(
  'the address of the server leads to the console, and a visitor to the sign-in form',
  async () => {
    const page = await visit()
    expectProblems(/refresh/)
    await page.goto(server.current.baseUrl)
    await heading(page, 'Sign in')
    expect(new URL(page.url()).searchParams.get('next')).toBe('/app')
    await expectGoodPage(page)
  },
)

browserTest('a typed password can be shown', async () => {
  const page = await visit()
  await page.goto(`${server.current.baseUrl}/api/auth/app?view=signup`)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Show characters').check()
  expect(await page.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text')
  expect(await page.getByLabel('Repeat password').getAttribute('type')).toBe('text')
  await page.getByLabel('Show characters').uncheck()
  expect(await page.getByLabel('Repeat password').getAttribute('type')).toBe('password')
  await expectGoodPage(page)
})

browserTest(
  'a browser that drops the cookie of a sign-in sees the reason on the form',
  async () => {
    const page = await visit()
    await page.goto(`${server.current.baseUrl}/api/auth/app?signed_in=1`)
    expect(await page.getByRole('alert').textContent()).toContain('did not keep the session cookie')
    await expectGoodPage(page)
  },
)

browserTest('the pricing page shows the tiers side by side on a wide screen', async () => {
  const page = await visit()
  await page.goto(`${server.current.baseUrl}/pricing`)
  await heading(page, 'Tiers and prices')
  await expectGoodPage(page)
  const places = async () => {
    const boxes = await page.locator('section').all()
    return Promise.all(boxes.map(async (box) => (await box.boundingBox())?.x ?? 0))
  }
  expect(new Set(await places()).size).toBe(2)
  await page.setViewportSize({ width: 320, height: 568 })
  expect(new Set(await places()).size).toBe(1)
})
