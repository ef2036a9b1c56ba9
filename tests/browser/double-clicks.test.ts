import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { newUser, PASSWORD, request, uniqueEmail, useServer } from '../harness/server.ts'
import { browserTest, heading, signIn, startLogin, useBrowser } from './support.ts'

const server = useServer()
const { visit } = useBrowser(server)

const signUpOn = async (page: Page, email: string) => {
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Repeat password').fill(PASSWORD)
}

/** The tokens of links in the notices of a server without a mail server. */
const linkTo = async (email: string, path: string): Promise<string> => {
  const notice = await server.current.noticed(new RegExp(`^Mail to ${email} [^]*/${path}\\?token=`))
  return new RegExp(`https?://\\S+/${path}\\?token=[\\w-]+`).exec(notice)?.[0] ?? ''
}

describe.each([true, false])('a double click, with scripts: %p', (javaScriptEnabled) => {
  browserTest('on “Create account” signs up once and signs in', async () => {
    const login = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit({ javaScriptEnabled })
    await page.goto(login.verification_uri_complete)
    await signUpOn(page, uniqueEmail())
    await page.getByRole('button', { name: 'Create account' }).dblclick()
    await heading(page, 'Allow My app to use your account?')
  })

  browserTest('on “Allow” approves a device once', async () => {
    const { email } = await newUser(server.current)
    const login = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit({ javaScriptEnabled })
    await page.goto(login.verification_uri_complete)
    await signIn(page, email)
    await heading(page, 'Allow My app to use your account?')
    await page.locator('button[value=approve]').dblclick()
    await heading(page, 'Connected')
  })

  browserTest('on a verification link confirms the address', async () => {
    const { email } = await newUser(server.current)
    const page = await visit({ javaScriptEnabled })
    await page.goto(await linkTo(email, 'verify'))
    await page.getByRole('button', { name: 'Confirm' }).dblclick()
    await heading(page, 'Address confirmed')
    // The used link says so too.
    await page.goto(await linkTo(email, 'verify'))
    await heading(page, 'Address confirmed')
  })

  browserTest('on a reset changes the password', async () => {
    const { email } = await newUser(server.current)
    await request(server.current, 'POST', '/api/auth/forgot-password', { body: { email } })
    const page = await visit({ javaScriptEnabled })
    await page.goto(await linkTo(email, 'reset'))
    const password = 'another long passphrase 4'
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('Repeat new password').fill(password)
    await page.getByRole('button', { name: 'Change password' }).dblclick()
    await heading(page, 'Password changed')
    const { status } = await request(server.current, 'POST', '/api/auth/signin', {
      body: { email, password },
    })
    expect(status).toBe(200)
  })
})
