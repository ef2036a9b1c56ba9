import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, heading } from '../browser/support.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { quietPort } from '../harness/ports.ts'
import { spawnServer } from '../harness/process.ts'
import { newUser, startServer, type TestServer } from '../harness/server.ts'
import { consoleUrl, expectAccessible, signInTab, useConsole } from './support.ts'

/** A server that keeps its address when it starts again. */
let database: TestDatabase
let env: Record<string, string>
let server: TestServer
beforeAll(async () => {
  database = await createDatabase()
  env = { SVC_PORT: String(await quietPort()) }
  server = await startServer(env, database)
})
afterAll(async () => {
  await server.stop()
  await database.drop()
})
const { open, visit, expectProblems } = useConsole({
  get current() {
    return server
  },
})

const NOTICE = 'No connection to the server.'
const notice = (page: Page) => page.getByRole('status').filter({ hasText: NOTICE })
const go = (page: Page, area: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: area }).click()
const TITLES = [
  ['Memories', 'Memories'],
  ['Graph', 'Graph'],
  ['Chat', 'New chat'],
  ['People', 'Organizations'],
  ['Settings', 'Profile'],
] as const
/** The same after each navigation within the page. */
const loadedAt = (page: Page) => page.evaluate<number>('performance.timeOrigin')

browserTest(
  'every screen opens while the server is down, and continues when it is back',
  async () => {
    const user = await newUser(server)
    const page = await open(user, '/', { serviceWorkers: 'allow' })
    await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
    const loaded = await loadedAt(page)
    expectProblems(/net::ERR|Failed to fetch|request to/)
    await server.stop()
    for (const [area, title] of TITLES) {
      await go(page, area)
      await heading(page, title)
      await notice(page).waitFor()
    }
    await notice(page).getByText('What you see is as of').waitFor()
    expect(await loadedAt(page)).toBe(loaded)
    await expectAccessible(page)
    await go(page, 'Home')
    await page.getByLabel('Remember something').fill('The spare key is under the fern.')
    server = await startServer(env, database)
    await notice(page).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remember', exact: true }).click()
    await page.getByRole('main').getByRole('link', { name: 'The spare key' }).waitFor()

    await go(page, 'Settings')
    await server.stop()
    await page.reload()
    await heading(page, 'Profile')
    await notice(page).waitFor()
    // The profile is not requested again by itself.
    await page.getByRole('alert').getByText('The server does not answer').waitFor()
    server = await startServer(env, database)
    await page.getByLabel('Display name').waitFor()
    await notice(page).waitFor({ state: 'detached' })
  },
)

browserTest(
  'without a service worker a screen that is not loaded says so, and loads later',
  async () => {
    const user = await newUser(server)
    const page = await open(user, '/')
    const loaded = await loadedAt(page)
    expectProblems(/net::ERR|^\s*Unreachable/)
    await server.stop()
    await go(page, 'Graph')
    await heading(page, 'This screen is not loaded yet')
    await expectAccessible(page)
    server = await startServer(env, database)
    await heading(page, 'Graph')
    expect(await loadedAt(page)).toBe(loaded)
  },
)

browserTest('a reload while the server is frozen shows the console, which continues', async () => {
  const place = await createDatabase()
  await using frozen = spawnServer({ ...place.env, SVC_LOG: 'silent' })
  const baseUrl = (await frozen.url).replace('127.0.0.1', 'localhost')
  const user = await newUser({ url: baseUrl })
  const page = await visit({ serviceWorkers: 'allow' }, [baseUrl])
  await signInTab(page, { baseUrl }, user)
  await page.goto(consoleUrl({ baseUrl }, '/'))
  await page.evaluate('navigator.serviceWorker.ready.then(() => {})')
  await page.getByLabel('Remember something').fill('The spare key is under the fern.')
  expectProblems(/net::ERR|Failed to fetch|request to/)
  frozen.child.kill('SIGSTOP')
  const failed: string[] = []
  page.on('requestfailed', (request) => failed.push(new URL(request.url()).pathname))
  await page.reload()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  // It did not wait until the refresh of the session had failed.
  expect(failed).not.toContain('/api/auth/refresh')
  frozen.child.kill('SIGCONT')
  await page.getByLabel('Remember something').waitFor()
  await page.reload()
  const field = page.getByLabel('Remember something')
  await field.waitFor()
  expect(await field.inputValue()).toBe('The spare key is under the fern.')
})
