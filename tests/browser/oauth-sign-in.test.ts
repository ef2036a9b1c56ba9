import { afterAll, beforeAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { type Person, person, startGithub, type TestProvider } from '../harness/oauth-provider.ts'
import { startServer, type TestServer } from '../harness/server.ts'
import { authorizePath, newProof, register } from '../mcp/oauth-support.ts'
import {
  browserTest,
  expectGoodPage,
  heading,
  pollLogin,
  startLogin,
  useBrowser,
} from './support.ts'

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
const { visit } = useBrowser(server)

/** Replaces the page of the provider, where the user agrees or declines. */
const atProvider = (page: Page, decide: (authorizeUrl: string) => Promise<URL>) =>
  page.route('**/api/auth/oauth/github/start?*', async (route) => {
    const answer = await route.fetch({ maxRedirects: 0 })
    const back = await decide(answer.headers().location ?? '')
    await route.fulfill({ status: 303, headers: { ...answer.headers(), location: back.href } })
  })
const agree = (who: Person) => async (authorizeUrl: string) => {
  const back = await opened?.provider.agree(authorizeUrl, who)
  return back ?? new URL(authorizeUrl)
}

describe('signing in with a provider', () => {
  browserTest(
    'a sign-in through a provider creates the account and continues to the device login',
    async () => {
      const who = person()
      const login = await startLogin(server.current, { client_name: 'My app' })
      const page = await visit()
      await atProvider(page, agree(who))
      await page.goto(login.verification_uri_complete)
      await expectGoodPage(page)
      await page.getByRole('link', { name: 'Continue with GitHub' }).click()
      await heading(page, 'Allow My app to use your account?')
      await page.getByRole('button', { name: 'Allow' }).click()
      await heading(page, 'Connected')
      expect(await pollLogin(server.current, login.device_code)).toMatchObject({
        status: 'approved',
        user: { email: who.email },
      })
    },
  )

  browserTest(
    'a sign-in through a provider continues to the pending authorization request, once',
    async () => {
      const client_id = await register(server.current)
      const path = authorizePath({ client_id, code_challenge: newProof().challenge })
      const page = await visit()
      await atProvider(page, agree(person()))
      await page.goto(`${server.current.baseUrl}${path}`)
      await page.getByRole('link', { name: 'Continue with GitHub' }).click()
      await heading(page, 'Allow Heron to use your memory?')
      expect(new URL(page.url()).searchParams.get('client_id')).toBe(client_id)
      await page.goto(`${server.current.baseUrl}/api/auth/oauth/github/start?`)
      await heading(page, 'Signed in')
    },
  )

  browserTest('a failed sign-in shows the reason and can be retried', async () => {
    const who = person({ mishap: 'the user endpoint fails' })
    const login = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit()
    await atProvider(page, agree(who))
    await page.goto(login.verification_uri_complete)
    await page.getByRole('link', { name: 'Continue with GitHub' }).click()
    await heading(page, 'Not signed in')
    await page.getByRole('alert').waitFor()
    await expectGoodPage(page)
    await page.getByRole('link', { name: 'Try again' }).click()
    await heading(page, 'Sign in')
    expect(await page.getByText(login.user_code).count()).toBe(1)
  })

  browserTest('a sign-in without an app ends on a confirmation page', async () => {
    const page = await visit()
    await atProvider(page, agree(person()))
    await page.goto(`${server.current.baseUrl}/api/auth/oauth/github/start?`)
    await heading(page, 'Signed in')
    await expectGoodPage(page)
    await page.goto(`${server.current.baseUrl}/device`)
    await heading(page, 'Authorize an app')
  })
})
