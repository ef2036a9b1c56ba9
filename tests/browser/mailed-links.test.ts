import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { linkIn, useServerWithMail } from '../harness/mail.ts'
import { newUser, request } from '../harness/server.ts'
import { browserTest, expectGoodPage, heading, typeIn, useBrowser } from './support.ts'

const it = useServerWithMail()
const { visit } = useBrowser({
  get current() {
    return it.server
  },
})

const alert = (page: Page) => page.getByRole('alert').textContent()

describe('mailed links with the keyboard only', () => {
  browserTest('a verification link verifies the address once', async () => {
    const user = await newUser(it.server)
    const { href } = linkIn(await it.mailbox.next(user.email, 'Confirm'))
    const page = await visit()
    await page.goto(href)
    await heading(page, 'Confirm your email address')
    await expectGoodPage(page)
    const before = await request(it.server, 'GET', '/api/auth/me', { token: user.accessToken })
    expect(before.body.email_verified).toBe(false)
    await typeIn(page)
    await heading(page, 'Address confirmed')
    const { body } = await request(it.server, 'GET', '/api/auth/me', { token: user.accessToken })
    expect(body.email_verified).toBe(true)

    await page.goto(href)
    await typeIn(page)
    expect(await alert(page)).toBe('This link has expired or was already used')
    await expectGoodPage(page)
  })

  browserTest(
    'the sign-in page leads to a new password, with a retry after a mistake',
    async () => {
      const user = await newUser(it.server)
      const password = 'written with both hands'
      const page = await visit()
      await page.goto(`${it.server.baseUrl}/device`)
      await page.getByRole('link', { name: 'Forgot your password?' }).press('Enter')
      await heading(page, 'Reset your password')
      await expectGoodPage(page)
      await typeIn(page, user.email)
      await heading(page, 'Check your email')

      const { href } = linkIn(await it.mailbox.next(user.email, 'Reset'))
      await page.goto(href)
      await heading(page, 'Choose a new password')
      await expectGoodPage(page)
      await typeIn(page, password, 'written with one hand')
      expect(await alert(page)).toBe('Passwords do not match')
      await typeIn(page, password, password)
      await heading(page, 'Password changed')
      const signedIn = await request(it.server, 'POST', '/api/auth/signin', {
        body: { email: user.email, password },
      })
      expect(signedIn.status).toBe(200)

      await page.goto(href)
      expect(await alert(page)).toBe('This reset link is invalid or has expired')
    },
  )
})

browserTest('an email fits a small phone and stays dark on light in dark mode', async () => {
  const user = await newUser(it.server)
  const { html } = await it.mailbox.next(user.email, 'Confirm')
  const page = await visit({ viewport: { width: 320, height: 568 }, colorScheme: 'dark' })
  await page.setContent(html)
  await page.getByRole('link', { name: 'Confirm' }).waitFor()
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(320)
  const paper = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
  expect(paper).toBe('rgb(255, 255, 255)')
})
