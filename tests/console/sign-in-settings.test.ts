import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import { browserTest, heading } from '../browser/support.ts'
import { person, startGithub, type TestProvider } from '../harness/oauth-provider.ts'
import { newUser, request, startServer, type TestServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

let opened: { provider: TestProvider; server: TestServer } | undefined
beforeAll(async () => {
  const provider = startGithub()
  opened = { provider, server: await startServer(provider.env) }
}, 60_000)
afterAll(async () => {
  await opened?.server.stop()
  await opened?.provider[Symbol.asyncDispose]()
})

const server = {
  get current() {
    if (!opened) throw new Error('the server starts before the tests')
    return opened.server
  },
}
const { open } = useConsole(server)

describe('second factor', () => {
  browserTest('MFA is set up, shows its recovery codes once, and is turned off', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/settings/second-factor')
    await page.getByRole('button', { name: 'Set up' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    await expectAccessible(page)
    const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
    await page.getByLabel('Code', { exact: true }).fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('Invalid code').waitFor()
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
    await page.getByLabel('Code', { exact: true }).fill(code)
    await page.keyboard.press('Enter')

    const codes = page.getByRole('alertdialog', { name: 'Recovery codes' })
    await codes.waitFor()
    await expectAccessible(page)
    const texts = await codes.getByRole('listitem').allTextContents()
    expect(texts).toHaveLength(10)
    const download = page.waitForEvent('download')
    await codes.getByRole('button', { name: 'Download' }).click()
    expect(await Bun.file(await (await download).path()).text()).toBe(`${texts.join('\n')}\n`)
    await codes.getByRole('button', { name: 'I have saved them' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('10 recovery codes left').waitFor()
    await page.reload()
    await page.getByText('10 recovery codes left').waitFor()
    expect(await page.content()).not.toContain(texts[0] ?? '')
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Turn off' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Code', { exact: true }).fill('wrong')
    await page.keyboard.press('Enter')
    await page.getByText('Invalid code').waitFor()
    await page.getByLabel('Code', { exact: true }).fill(texts[0] ?? '')
    await page.keyboard.press('Enter')
    await page.getByText('Second factor turned off').waitFor()
    await page.getByRole('button', { name: 'Set up' }).waitFor()
  })
})

describe('sign-in providers', () => {
  browserTest('a provider is connected and disconnected; a declined one says why', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/settings/connections')
    /** Replaces the page of the provider, where the user agrees. */
    await page.route('**/api/auth/oauth/github/connect', async (route) => {
      const response = await route.fetch()
      const { authorize_url } = (await response.json()) as { authorize_url: string }
      const back = await opened?.provider.agree(authorize_url, person())
      await route.fulfill({ response, json: { authorize_url: back?.href, redirect_uri: '' } })
    })
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Connect GitHub' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('GitHub is connected.').waitFor()
    await page.getByRole('button', { name: 'Disconnect GitHub' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Disconnected GitHub').waitFor()
    await page.getByRole('button', { name: 'Connect GitHub' }).waitFor()

    await page.goto(`${server.current.baseUrl}/app/settings/connections?error=connected_elsewhere`)
    await page.getByText('Another account is connected to this account').waitFor()
  })

  browserTest('the only way to sign in is not disconnected', async () => {
    const who = person()
    const begun = await request(server.current, 'GET', '/api/auth/oauth/github/authorize')
    const back = await opened?.provider.agree(begun.body.authorize_url, who)
    const browser = begun.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const signedIn = await request(server.current, 'GET', `${back?.pathname}${back?.search}`, {
      headers: { cookie: browser },
    })
    const refreshToken = signedIn.cookie?.split(';')[0]?.split('=')[1] ?? ''
    const page = await open({ refreshToken }, '/settings/connections')
    await page.getByRole('button', { name: 'Disconnect GitHub' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('This is the only way to sign in; set a password first').waitFor()
    await page.getByRole('link', { name: 'Set a password' }).click()
    await heading(page, 'Password')
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await page.getByText(`a link is on its way to ${who.email}`).waitFor()
  })
})
