import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { createOrg } from '../../shared/contract/index.ts'
import { browserTest, heading, signIn } from '../browser/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'
import { consoleUrl, signInTab, useConsole } from './support.ts'

const server = useSharedServer()
const { open, expectProblems } = useConsole(server)

const secondTab = async (page: Page, path: string): Promise<Page> => {
  const tab = await page.context().newPage()
  await tab.goto(consoleUrl(server.current, path))
  await heading(tab, 'API keys')
  return tab
}

const keyNames = async ({ accessToken: token }: TestUser): Promise<string[]> => {
  const { body } = await request(server.current, 'GET', '/api/auth/api-keys', { token })
  return body.map(({ name }: { name: string }) => name)
}

const createKey = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
}

const signOutIn = async (page: Page, email: string): Promise<void> => {
  await page.getByRole('button', { name: email }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
}

browserTest(
  'two tabs refresh at once and stay signed in; a sign-out in one ends both',
  async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/connect/keys')
    const tab = await secondTab(page, '/connect/keys')
    let refreshing = 0
    let most = 0
    await page.context().route('**/api/auth/refresh', async (route) => {
      most = Math.max(most, ++refreshing)
      const response = await route.fetch()
      refreshing--
      await route.fulfill({ response })
    })
    for (let round = 0; round < 3; round++) {
      await Promise.all([page.reload(), tab.reload()])
      for (const each of [page, tab])
        await each.getByRole('cell', { name: 'test' }).first().waitFor()
    }
    expect(most).toBe(1)
    await signOutIn(tab, user.email)
    await heading(tab, 'Sign in')
    await heading(page, 'Sign in')
    expect(new URL(page.url()).searchParams.get('next')).toBe('/app/connect/keys')
  },
)

browserTest('a call with a rejected access token is repeated once with a new one', async () => {
  const user = await newUser(server.current)
  const page = await open(user, '/connect/keys')
  const statuses: number[] = []
  page.on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/api-keys'))
      statuses.push(response.status())
  })
  await page.route('**/api/auth/api-keys', (route) => {
    const isFirst = route.request().method() === 'POST' && statuses.length === 0
    const headers = {
      ...route.request().headers(),
      ...(isFirst && { authorization: 'Bearer old' }),
    }
    return route.continue({ headers })
  })
  await createKey(page, 'repeated')
  await page.getByRole('dialog').getByText(/^svc_/).waitFor()
  expect(statuses).toEqual([401, 201])
  expect(await keyNames(user)).toEqual(['repeated', 'test'])
})

browserTest('a revoked session leads to sign-in at its next request, and back', async () => {
  const user = await newUser(server.current)
  const page = await open(user, '/connect?client=zed&way=process')
  // Requests of the page that end later would lead to sign-in before the click.
  await page.getByRole('button', { name: user.email }).waitFor()
  await page.getByText('No assistant has signed in yet').waitFor()
  await request(server.current, 'DELETE', '/api/auth/sessions', { token: user.accessToken })
  await page.getByRole('button', { name: 'Create a key for this' }).click()
  await heading(page, 'Sign in')
  await signIn(page, user.email)
  await page.getByRole('heading', { level: 2, name: 'Zed' }).waitFor()
  await page.getByText('svc connect zed').waitFor()
})

browserTest('another user who signs in in a second tab replaces the first in both', async () => {
  const [first, second] = [await newUser(server.current), await newUser(server.current)]
  await request(server.current, 'POST', '/api/auth/api-keys', {
    token: second.accessToken,
    body: { name: 'of the second' },
  })
  const page = await open(first, '/connect/keys')
  await page.getByRole('button', { name: first.email }).waitFor()
  await signInTab(page, server.current, second)
  const tab = await secondTab(page, '/connect/keys')
  for (const each of [page, tab]) {
    await each.getByRole('button', { name: second.email }).waitFor()
    await each.getByRole('cell', { name: 'of the second', exact: true }).waitFor()
    expect(await each.getByText(first.email).count()).toBe(0)
  }
})

browserTest('a server that does not answer is reported in words, with a retry', async () => {
  const user = await newUser(server.current)
  const page = await open(user, '/connect/keys')
  expectProblems(/net::ERR/)
  await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
  await page.context().setOffline(true)
  await createKey(page, 'offline')
  const message = 'The server does not answer.'
  await page.getByRole('dialog').getByRole('alert').getByText(message).waitFor()
  await page.keyboard.press('Escape')
  await page.context().setOffline(false)

  await page.route('**/api/**', (route) => route.abort())
  await page.getByRole('link', { name: 'Sessions' }).click()
  await page.getByRole('alert').getByText(message).waitFor()
  await page.unroute('**/api/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('This session').waitFor()
  expect(await keyNames(user)).toEqual(['test'])
})

browserTest('no credential is in storage, the address or the history', async () => {
  const user = await newUser(server.current)
  const page = await open(user, '/connect/keys')
  await createKey(page, 'secret')
  const key = await page.getByRole('dialog').getByText(/^svc_/).textContent()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Assistants' }).click()
  await heading(page, 'Assistants')
  const stored = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, history.state, location.href, document.cookie])',
  )
  for (const secret of [key ?? 'no key', user.refreshToken, 'eyJ'])
    expect(stored).not.toContain(secret)
  await page.goBack()
  await heading(page, 'API keys')
  expect(await page.getByText(key ?? 'no key').count()).toBe(0)
})

browserTest(
  'a switch of the workspace discards the state of the page, and a running import stays in its own',
  async () => {
    const user = await newVerifiedUser(server.current)
    const { id: org } = await user.client.call(createOrg, { body: { name: 'Analytics' } })
    const page = await open(user, '/memories/import')
    const held = Promise.withResolvers<void>()
    await page.route('**/api/memories/import*', async (route) => {
      await held.promise
      await route.continue()
    })
    await page.locator('input[type=file]').setInputFiles(
      ['first', 'second'].map((name) => ({
        name,
        mimeType: 'application/x-ndjson',
        buffer: Buffer.from(JSON.stringify({ content_text: name })),
      })),
    )
    await page.getByText('Waiting').waitFor()
    await page.getByRole('link', { name: 'Connect', exact: true }).click()
    await page.getByRole('link', { name: 'Other clients' }).click()
    await page.getByRole('button', { name: 'Create a key for this' }).click()
    await page.getByText('It cannot be shown again').waitFor()

    await page.getByRole('button', { name: 'Workspace: Personal' }).click()
    await page.getByRole('menuitem', { name: 'Analytics' }).click()
    await page.getByText('You now work in Analytics').waitFor()
    await page.locator('pre', { hasText: 'Bearer svc_…' }).waitFor()
    held.resolve()
    await page.getByRole('link', { name: 'Memories', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'Import' }).first().click()
    await page.getByText('1 new memory').nth(1).waitFor()
    await page.goto(consoleUrl(server.current, '/connect/keys?create=true'))
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Analytics/ })
      .waitFor()
    const contents = async (headers: Record<string, string>): Promise<string[]> => {
      const options = { token: user.accessToken, headers }
      const { body } = await request(server.current, 'GET', '/api/memories', options)
      return body.memories.map(({ content_text }: { content_text: string }) => content_text)
    }
    expect(await contents({})).toEqual(['second', 'first'])
    expect(await contents({ 'x-org-id': org })).toEqual([])
  },
)
