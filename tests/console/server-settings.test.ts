import { afterAll, beforeAll, expect } from 'bun:test'
import { readSettings, setSettings } from '../admin/settings-support.ts'
import { claimAdmin } from '../admin/support.ts'
import { browserTest, heading } from '../browser/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { type Mailbox, startMailbox } from '../harness/mail.ts'
import { cookieValue, PASSWORD, request, type TestUser, useServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const SECRET = 'a-secret-that-is-never-shown-4711'
const server = useServer({ SVC_CHAT_CONTEXT_TOKENS: '16384' })
const { open } = useConsole(server)
let admin: TestUser
let mailbox: Mailbox

beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
  mailbox = await startMailbox()
})
afterAll(async () => {
  await mailbox?.[Symbol.asyncDispose]()
})

/** Opens a place with a new session. */
const openAsAdmin = async (path: string) => {
  const { cookie } = await request(server.current, 'POST', '/api/auth/signin', {
    body: { email: admin.email, password: PASSWORD },
  })
  return open({ refreshToken: cookieValue(cookie) }, path)
}

browserTest('mail is tested and saved by keyboard alone, and a mistake is named', async () => {
  const page = await openAsAdmin('/admin/settings')
  const url = page.getByLabel('Mail server (SMTP)')
  await url.focus()
  await page.keyboard.type('mail.example.com')
  await page.keyboard.press('Enter')
  await page.getByText('SVC_SMTP_URL must be a URL that starts with smtp:// or smtps://').waitFor()
  await expectAccessible(page)
  await url.fill(mailbox.url)
  await page.getByRole('button', { name: 'Test: Mail' }).focus()
  await page.keyboard.press('Enter')
  const results = page.getByRole('status', { name: 'Results of the test' })
  await results.getByText(`The mail server accepted an email to ${admin.email}.`).waitFor()
  await mailbox.next(admin.email, 'Test of the mail server')
  await url.focus()
  await page.keyboard.press('Enter')
  await page.getByText('Settings saved. They are in use.').first().waitFor()
  await page.getByText(`Changed by ${admin.email}`).waitFor()
  expect((await readSettings(server.current, admin)).SVC_SMTP_URL?.value).toBe(mailbox.url)
  await expectAccessible(page)

  await page.reload()
  await url.waitFor()
  expect(await url.inputValue()).toBe(mailbox.url)
  await url.fill('')
  await page.getByRole('button', { name: 'Save: Mail' }).click()
  await page.getByText('Settings saved. They are in use.').first().waitFor()
  expect((await readSettings(server.current, admin)).SVC_SMTP_URL?.source).toBe('default')
})

browserTest('a secret is entered, kept, removed and never shown', async () => {
  const page = await openAsAdmin('/admin/settings')
  const key = page.getByLabel('OpenRouter: API key', { exact: true })
  await key.fill(SECRET)
  const save = page.getByRole('button', { name: 'Save: Models' })
  await save.click()
  await page.getByText('A secret is set that ends with 4711. Leave it empty to keep it.').waitFor()
  expect(await key.inputValue()).toBe('')
  expect(await page.content()).not.toContain(SECRET)
  await page.getByText('SVC_CHAT_CONTEXT_TOKENS is set in the environment of the server.').waitFor()
  await save.click()
  await page.getByText('Nothing was changed.').first().waitFor()
  await page.getByText('Remove: OpenRouter: API key').click()
  await save.click()
  await page
    .getByText('A secret is set that ends with 4711. Leave it empty to keep it.')
    .waitFor({ state: 'detached' })
  expect((await readSettings(server.current, admin)).SVC_OPENROUTER_API_KEY?.source).toBe('default')
})

browserTest('a change of another admin is not overwritten', async () => {
  const page = await openAsAdmin('/admin/settings')
  const days = page.getByLabel('Scheduled backups that are kept')
  await days.waitFor()
  await setSettings(server.current, admin, { SVC_BACKUP_KEEP: '5' })
  await days.fill('3')
  await page.getByRole('button', { name: 'Save: Backups' }).click()
  await page.getByText('SVC_BACKUP_KEEP was changed meanwhile; load the settings again').waitFor()
  await page.getByRole('button', { name: 'Load again' }).click()
  await eventually(async () => (await days.inputValue()) === '5')
  await setSettings(server.current, admin, { SVC_BACKUP_KEEP: null })
})

browserTest('a backup is made with its restore command', async () => {
  const page = await openAsAdmin('/admin/backups')
  await page.getByRole('heading', { name: 'No backups yet' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back up now' }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByText('Done', { exact: true }).waitFor()
  await page.getByText('Restore', { exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByText(/^SVC_DATA_DIR=\S+ svc admin restore \/.*\.tar\.zst --force$/).waitFor()
  await expectAccessible(page)
})

browserTest('the log is filtered by level and words, which a reload keeps', async () => {
  const page = await openAsAdmin('/admin/logs')
  await page.getByRole('region', { name: 'Lines of the log' }).waitFor()
  await page.getByText(/^From: .*\/\d+$/).waitFor()
  await expectAccessible(page)
  await page.getByLabel('Search').focus()
  await page.keyboard.type('no such words')
  await page.getByRole('heading', { name: 'No lines' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'No lines' }).waitFor()
  await page.getByRole('button', { name: 'Show all' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Lines of the log' }).waitFor()
  await page.getByRole('button', { name: 'Copy the line' }).first().waitFor()
  await heading(page, 'Log')
})

browserTest('the log is followed', async () => {
  const page = await openAsAdmin('/admin/logs?q=PROPFIND')
  await page.getByRole('heading', { name: 'No lines' }).waitFor()
  await page.getByRole('switch', { name: 'Follow' }).focus()
  await page.keyboard.press('Space')
  // No other request has this method.
  await request(server.current, 'PROPFIND', '/api/health')
  await page.getByRole('cell', { name: /PROPFIND/ }).waitFor()
})
