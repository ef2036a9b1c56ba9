import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, heading } from '../browser/support.ts'
import { createDatabase, type TestDatabase } from '../harness/database.ts'
import { quietPort } from '../harness/ports.ts'
import { newUser, startServer, type TestServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

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
const { open, expectProblems } = useConsole({
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
