import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { linkIn, useServerWithMail } from '../harness/mail.ts'
import { newUser, request } from '../harness/server.ts'
import { browserTest, useBrowser } from './support.ts'

const it = useServerWithMail()
const { visit } = useBrowser({
  get current() {
    return it.server
  },
})

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name }).waitFor()
const alert = (page: Page) => page.getByRole('alert').textContent()

/** What a person does who has no mouse: types into the fields one after the other. */
const type = async (page: Page, ...fields: string[]) => {
  for (const [i, field] of fields.entries()) {
    if (i > 0) await page.keyboard.press('Tab')
    await page.keyboard.type(field)
  }
  await page.keyboard.press('Enter')
}

describe('a person with a keyboard', () => {
  browserTest('confirms their address, and is told when the link is used up', async () => {
    const user = await newUser(it.server)
    const { href } = linkIn(await it.mailbox.next(user.email, 'Confirm'))
    const page = await visit()
    await page.goto(href)
    await heading(page, 'Confirm your email address')
    await page.keyboard.press('Enter')
    await heading(page, 'Address confirmed')
    const { body } = await request(it.server, 'GET', '/api/auth/me', { token: user.accessToken })
    expect(body.email_verified).toBe(true)

    await page.goto(href)
    await page.keyboard.press('Enter')
    expect(await alert(page)).toBe('This link has expired or was already used')
  })

  browserTest('gets from the sign-in page to a new password, by way of a mistake', async () => {
    const user = await newUser(it.server)
    const password = 'written with both hands'
    const page = await visit()
    await page.goto(`${it.server.baseUrl}/device`)
    await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter')
    await heading(page, 'Reset your password')
    await type(page, user.email)
    await heading(page, 'Look into your mail')

    await page.goto(linkIn(await it.mailbox.next(user.email, 'Reset')).href)
    await heading(page, 'Choose a new password')
    await type(page, password, 'written with one hand')
    expect(await alert(page)).toBe('Passwords do not match')
    await type(page, password, password)
    await heading(page, 'Password changed')
    const signedIn = await request(it.server, 'POST', '/api/auth/signin', {
      body: { email: user.email, password },
    })
    expect(signedIn.status).toBe(200)
  })
})
