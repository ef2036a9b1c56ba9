import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { linkIn, newMailedUser, useServerWithMail } from '../harness/mail.ts'
import { newUser, PASSWORD, request, uniqueEmail } from '../harness/server.ts'
import { browserTest, expectGoodPage, heading, typeIn, useBrowser } from './support.ts'

const it = useServerWithMail()
const { visit } = useBrowser({
  get current() {
    return it.server
  },
})

const alert = (page: Page) => page.getByRole('alert').textContent()

describe('mailed codes with the keyboard only', () => {
  const CODE = 'is your code to sign in'
  const askFor = async (page: Page, email: string) => {
    await page.goto(`${it.server.baseUrl}/signin?next=/app/memories`)
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Email me a code instead' }).press('Enter')
    await heading(page, 'Check your email')
  }

  browserTest(
    'a code signs in to the place in the console, with a retry after a mistake',
    async () => {
      const { email } = await newMailedUser(it.server, it.mailbox)
      const page = await visit()
      await askFor(page, email)
      await expectGoodPage(page)
      const { subject } = await it.mailbox.next(email, CODE)
      const code = subject.slice(0, 6)
      await typeIn(page, code === '000000' ? '000001' : '000000')
      expect(await alert(page)).toBe('This code is wrong or has expired')
      await expectGoodPage(page)
      await typeIn(page, code)
      await page.waitForURL(/\/app\/memories/)
    },
  )

  browserTest(
    'the link of a code signs in where it was asked for, and in no other browser',
    async () => {
      const { email } = await newMailedUser(it.server, it.mailbox)
      const page = await visit()
      await askFor(page, email)
      const { href } = linkIn(await it.mailbox.next(email, CODE))
      const other = await visit()
      await other.goto(href)
      await heading(other, 'Open it in the other browser')
      await expectGoodPage(other)
      await page.goto(href)
      await heading(page, 'Sign in')
      await expectGoodPage(page)
      await page.getByRole('button', { name: 'Sign in to svc' }).press('Enter')
      await page.waitForURL(/\/app/)
      await page.goto(href)
      await heading(page, 'Open it in the other browser')
    },
  )

  browserTest('an address without an account sees the same page', async () => {
    const page = await visit()
    await askFor(page, uniqueEmail())
    await typeIn(page, '123456')
    expect(await alert(page)).toBe('This code is wrong or has expired')
    await page.getByRole('link', { name: 'Start again' }).press('Enter')
    await heading(page, 'Sign in')
  })
})

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
    await heading(page, 'Address confirmed')
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

browserTest('the links that change an address and undo it, with the keyboard only', async () => {
  const user = await newMailedUser(it.server, it.mailbox)
  const email = uniqueEmail()
  const token = user.accessToken
  const addressNow = async () =>
    (await request(it.server, 'GET', '/api/auth/me', { token })).body.email
  const body = { email, password: PASSWORD }
  await request(it.server, 'POST', '/api/auth/email/change', { token, body })
  const { href } = linkIn(await it.mailbox.next(email, 'Confirm your new'))
  const page = await visit()
  await page.goto(href)
  await heading(page, 'Change the email address')
  await page.getByText(email).waitFor()
  await expectGoodPage(page)
  expect(await addressNow()).toBe(user.email)
  await typeIn(page)
  await heading(page, 'Address changed')
  await expectGoodPage(page)
  expect(await addressNow()).toBe(email)
  await page.goto(href)
  expect(await alert(page)).toBe('This link has expired or was already used')
  await expectGoodPage(page)

  const undo = linkIn(await it.mailbox.next(user.email, 'was changed')).href
  await page.goto(undo)
  await heading(page, 'Undo the change of the email address')
  await expectGoodPage(page)
  await typeIn(page)
  await heading(page, 'Change undone')
  await expectGoodPage(page)
  expect(await addressNow()).toBeUndefined()
  await page.goto(linkIn(await it.mailbox.next(user.email, 'Reset')).href)
  await typeIn(page, 'written with both hands', 'written with both hands')
  await heading(page, 'Password changed')
  await page.goto(undo)
  expect(await alert(page)).toBe('This link has expired or was already used')
  await expectGoodPage(page)
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
