import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../console/support.ts'
import { linkIn, newMailedUser, useServerWithMail } from '../harness/mail.ts'
import { newUser, PASSWORD, uniqueEmail } from '../harness/server.ts'
import { browserTest, expectGoodPage, heading, startLogin, typeIn, useBrowser } from './support.ts'

const it = useServerWithMail()
const { visit } = useBrowser({
  get current() {
    return it.server
  },
})

const visitInGerman = () => visit({ locale: 'de-AT' })

/** The heading of a German page, which is accessible and fits a small phone. */
const germanPage = async (page: Page, name: string): Promise<void> => {
  await heading(page, name)
  expect(await page.locator('html').getAttribute('lang')).toBe('de')
  await expectGoodPage(page)
  await expectAccessible(page)
}

const alert = (page: Page) => page.getByRole('alert').textContent()

describe('a browser in German', () => {
  browserTest('a German user signs up, out and in, and authorizes an app', async () => {
    const login = await startLogin(it.server, { client_name: 'Meine App', session: true })
    const page = await visitInGerman()
    await page.goto(login.verification_uri_complete)
    await germanPage(page, 'Anmelden')
    await page.getByText(`die den Code ${login.user_code} anzeigt`).waitFor()
    await page.getByRole('link', { name: 'Konto erstellen' }).click()
    await germanPage(page, 'Konto erstellen')
    const email = uniqueEmail()
    await page.getByLabel('E-Mail-Adresse').fill(email)
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Passwort wiederholen').fill('something different')
    await page.getByRole('button', { name: 'Konto erstellen' }).click()
    await page.getByRole('alert').waitFor()
    expect(await alert(page)).toBe('Die Passwörter stimmen nicht überein')
    await page.getByLabel('Passwort', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Passwort wiederholen').fill(PASSWORD)
    await page.getByRole('button', { name: 'Konto erstellen' }).click()

    await germanPage(page, 'Meine App erlauben, dein Konto zu verwenden?')
    await page.getByText(`Angemeldet als ${email}.`).waitFor()
    await page.getByRole('button', { name: 'Abmelden' }).click()
    await heading(page, 'Anmelden')
    await page.getByLabel('E-Mail-Adresse').fill(email)
    await page.getByLabel('Passwort').fill('not the password')
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await page.getByRole('alert').waitFor()
    expect(await alert(page)).toBe('E-Mail-Adresse oder Passwort ist falsch')
    await page.getByLabel('Passwort').fill(PASSWORD)
    await page.getByRole('button', { name: 'Anmelden' }).click()
    await heading(page, 'Meine App erlauben, dein Konto zu verwenden?')
    await page.getByRole('button', { name: 'Erlauben' }).click()
    await germanPage(page, 'Verbunden')
  })

  browserTest('a German user signs in with a mailed code', async () => {
    const { email } = await newMailedUser(it.server, it.mailbox)
    const page = await visitInGerman()
    await page.goto(`${it.server.baseUrl}/signin?next=/app/memories`)
    await page.getByLabel('E-Mail-Adresse').fill(email)
    await page.getByRole('button', { name: 'Stattdessen einen Code per E-Mail erhalten' }).click()
    await germanPage(page, 'Sieh in deinen E-Mails nach')
    const { subject } = await it.mailbox.next(email, 'is your code to sign in')
    const code = subject.slice(0, 6)
    await typeIn(page, code === '000000' ? '000001' : '000000')
    await page.getByRole('alert').waitFor()
    expect(await alert(page)).toBe('Dieser Code ist falsch oder abgelaufen')
    await typeIn(page, code)
    await page.waitForURL(/\/app\/memories/)
  })

  browserTest('a German user resets the password and confirms the address', async () => {
    const user = await newUser(it.server)
    const page = await visitInGerman()
    await page.goto(linkIn(await it.mailbox.next(user.email, 'Confirm')).href)
    await germanPage(page, 'E-Mail-Adresse bestätigen')
    await page.getByRole('button', { name: 'Bestätigen' }).click()
    await germanPage(page, 'Adresse bestätigt')

    await page.goto(`${it.server.baseUrl}/signin`)
    await page.getByRole('link', { name: 'Passwort vergessen?' }).click()
    await germanPage(page, 'Passwort zurücksetzen')
    await typeIn(page, user.email)
    await germanPage(page, 'Sieh in deinen E-Mails nach')
    await page.goto(linkIn(await it.mailbox.next(user.email, 'Reset')).href)
    await germanPage(page, 'Neues Passwort wählen')
    await typeIn(page, 'password', 'password')
    await page.getByRole('alert').waitFor()
    expect(await alert(page)).toStartWith('Dieses Passwort gehört zu den 10.000 häufigsten')
    await typeIn(page, 'mit beiden Händen', 'mit beiden Händen')
    await germanPage(page, 'Passwort geändert')
  })

  browserTest('the cookie of English gives a German browser English pages', async () => {
    const page = await visitInGerman()
    await page.context().addCookies([{ name: 'svc_language', value: 'en', url: it.server.baseUrl }])
    await page.goto(`${it.server.baseUrl}/signin`)
    await heading(page, 'Sign in')
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
  })
})
