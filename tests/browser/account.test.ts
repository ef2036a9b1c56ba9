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
const { visit } = useBrowser(server)

const STEP_MS = 30_000

const me = async (token: string) =>
  (await request(server.current, 'GET', '/api/auth/me', { token })).body
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
    await typeIn(page, 'not the code')
    await page.getByRole('alert').waitFor()
    await expectGoodPage(page)
    // The code of now was used to switch it on; the next one is taken already.
    await typeIn(page, app.generate({ timestamp: Date.now() + STEP_MS }))
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

browserTest(
  'the prices of all tiers can be compared: beside each other where there is room',
  async () => {
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
  },
)
