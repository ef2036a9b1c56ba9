import { beforeAll, describe, expect } from 'bun:test'
import { claimAdmin } from '../admin/support.ts'
import { browserTest } from '../browser/support.ts'
import { linkIn, newMailedUser, useServerWithMail } from '../harness/mail.ts'
import { cookieValue, PASSWORD, request, type TestUser, uniqueEmail } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const opened = useServerWithMail()
const { open, visit, expectProblems } = useConsole({
  get current() {
    return opened.server
  },
})

const LANGUAGES = [
  {
    locale: 'en-US',
    newAddress: 'New address',
    password: 'Password',
    send: 'Send link',
    wrong: 'Current password is wrong',
    confirm: 'Use this address',
  },
  {
    locale: 'de-DE',
    newAddress: 'Neue Adresse',
    password: 'Passwort',
    send: 'Link senden',
    wrong: 'Das aktuelle Passwort ist falsch',
    confirm: 'Diese Adresse verwenden',
  },
]

describe('the address of an account', () => {
  for (const { locale, newAddress, password, send, wrong, confirm } of LANGUAGES)
    browserTest(`a user changes it, after a wrong password, in ${locale}`, async () => {
      const user = await newMailedUser(opened.server, opened.mailbox)
      const page = await open(user, '/settings/email', { locale })
      const email = uniqueEmail()
      await page.getByLabel(newAddress).fill(email)
      await page.getByLabel(password, { exact: true }).fill('not the password')
      expectProblems(/400/)
      await page.getByLabel(password, { exact: true }).press('Enter')
      await page.getByText(wrong).first().waitFor()
      await expectAccessible(page)

      await page.getByLabel(password, { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: send }).press('Enter')
      await page.getByRole('status').getByText(email).waitFor()
      await expectAccessible(page)

      const link = linkIn(await opened.mailbox.next(email))
      const other = await visit({ locale })
      await other.goto(link.href)
      const button = other.getByRole('button', { name: confirm })
      await button.press('Enter')
      await button.waitFor({ state: 'detached' })
      const me = await request(opened.server, 'GET', '/api/me', { token: user.key })
      expect(me.body).toMatchObject({ email, email_verified: true })
      expect((await opened.mailbox.next(user.email, '')).text).toContain(email)
    })
})

describe('an admin', () => {
  let admin: TestUser
  beforeAll(async () => {
    admin = await newMailedUser(opened.server, opened.mailbox)
    await claimAdmin(opened.server, admin)
  })

  browserTest(
    'creates a user, changes the address and deletes the account, by keyboard',
    async () => {
      const { cookie } = await request(opened.server, 'POST', '/api/auth/signin', {
        body: { email: admin.email, password: PASSWORD },
      })
      const page = await open({ refreshToken: cookieValue(cookie) }, '/admin/users')
      const email = uniqueEmail()
      await page.getByRole('button', { name: 'Create user' }).press('Enter')
      await page.getByLabel('Email', { exact: true }).fill(admin.email)
      await page.getByLabel('Reason').fill('New colleague')
      expectProblems(/409/)
      await page.getByLabel('Reason').press('Enter')
      await page.getByRole('dialog').getByRole('alert').waitFor()
      await expectAccessible(page)
      await page.getByLabel('Email', { exact: true }).fill(email)
      await page.getByLabel('Reason').press('Enter')
      await page.getByRole('main').getByText(email).first().waitFor()
      expect((await opened.mailbox.next(email)).text).toContain('New colleague')

      const moved = uniqueEmail()
      await page.getByRole('button', { name: 'Change email address' }).press('Enter')
      await page.getByLabel('New address').fill(moved)
      await page.getByLabel('Reason').fill('Married')
      await page.getByLabel('Reason').press('Enter')
      await page.getByText('Email address changed').first().waitFor()
      for (const to of [email, moved])
        expect((await opened.mailbox.next(to)).text).toContain('Married')

      await page.getByRole('button', { name: 'Delete user' }).press('Enter')
      await page.getByLabel('Reason').fill('Left')
      await page.getByLabel('Reason').press('Enter')
      await page.getByText('User deleted').first().waitFor()
      expect((await opened.mailbox.next(moved)).text).toContain('Left')
      const found = await request(opened.server, 'GET', `/api/admin/users?q=${moved}`, {
        token: admin.accessToken,
      })
      expect(found.body.users).toEqual([])
    },
  )
})
