import { afterAll, beforeAll, describe } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, heading } from '../browser/support.ts'
import { person } from '../harness/oauth-provider.ts'
import { type OpenIdProvider, startOpenIdProvider } from '../harness/openid-provider.ts'
import { newUser, PASSWORD, startServer, type TestServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

let opened: { provider: OpenIdProvider; server: TestServer } | undefined
beforeAll(async () => {
  const provider = await startOpenIdProvider()
  const server = await startServer(provider.env('WORK', 'Example Works'))
  await provider.serve(server.baseUrl, 'work')
  opened = { provider, server }
}, 120_000)
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
const { visit, open } = useConsole(server)
const atProvider = () => [opened?.provider.issuer ?? '']

/** Signs in on the page of the provider. */
const logIn = async (page: Page, subject: string) => {
  await page.getByLabel('Login').fill(subject)
  await page.getByRole('button', { name: 'Continue' }).click()
}

describe('OpenID providers', () => {
  browserTest(
    'a provider signs a person in to the console, and a sign-out leads on to it',
    async () => {
      const page = await visit({}, atProvider())
      await page.goto(`${server.current.baseUrl}/signin`)
      await heading(page, 'Sign in')
      await expectAccessible(page)
      const who = person()
      opened?.provider.introduce(who)
      await page.getByRole('link', { name: 'Continue with Example Works' }).click()
      await logIn(page, who.subject)
      await heading(page, 'Signed in')
      await page.getByRole('link', { name: 'Open svc' }).click()
      await page.getByRole('button', { name: who.email ?? '' }).click()
      await page.getByRole('menuitem', { name: 'Sign out' }).click()
      await page.getByRole('button', { name: 'Sign out at the provider' }).click()
      await page.waitForURL(`${server.current.baseUrl}/api/auth/app?**`)
      await heading(page, 'Sign in')
      await page.getByRole('link', { name: 'Continue with Example Works' }).click()
      await page.getByLabel('Login').waitFor()
    },
  )

  browserTest('a person with an account signs in to it and connects the provider', async () => {
    const user = await newUser(server.current)
    const who = person({ email: user.email })
    opened?.provider.introduce(who)
    const page = await visit({}, atProvider())
    await page.goto(`${server.current.baseUrl}/signin`)
    await page.getByRole('link', { name: 'Continue with Example Works' }).click()
    await logIn(page, who.subject)
    await heading(page, 'Not signed in')
    await page.getByText('An account with this email address exists already').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Sign in to connect' }).click()
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await heading(page, 'Sign-in providers')
    await page.getByRole('button', { name: 'Connect Example Works' }).click()
    await page.getByText('Example Works is connected.').waitFor()
    await expectAccessible(page)
  })

  browserTest(
    'the settings offer a provider that is not connected, and say why it failed',
    async () => {
      const user = await newUser(server.current)
      const page = await open(user, '/settings/connections')
      await page.getByRole('button', { name: 'Connect Example Works' }).waitFor()
      await page.goto(`${server.current.baseUrl}/app/settings/connections?error=clock_skew`)
      await page.getByText('The clocks of the provider and of this server differ').waitFor()
    },
  )
})
