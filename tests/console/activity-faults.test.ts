import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { listMemories, remember } from '../../shared/contract/index.ts'
import { createOrgClient } from '../account/organization-support.ts'
import { browserTest } from '../browser/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { startLink } from '../harness/link.ts'
import { quietPort } from '../harness/ports.ts'
import { newUser, startServer, type TestUser, useServer } from '../harness/server.ts'
import { consoleUrl, expectAccessible, signInTab, useConsole, withClock } from './support.ts'

const server = useServer()
const { open, visit, expectProblems } = useConsole(server)
const { call, createOrg, join } = createOrgClient(server)

const DAY_MS = 86_400_000

const rows = (page: Page) =>
  page.getByRole('list', { name: 'Activity', exact: true }).locator('> li')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const live = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor()
const tell = ({ client }: Pick<TestUser, 'client'>, content: string) =>
  client.call(remember, { body: { content } })

describe('faults', () => {
  browserTest('a stream that is cut after every event shows each one once', async () => {
    expectProblems(/ERR_CONNECTION_RESET|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE|ERR_NETWORK/)
    const port = await quietPort()
    using link = await startLink(port)
    const baseUrl = `http://localhost:${link.port}`
    await using other = await startServer({ SVC_PORT: String(port), SVC_BASE_URL: baseUrl })
    const user = await newUser(other)
    const page = await visit({}, [baseUrl])
    await signInTab(page, { baseUrl }, user)
    await page.goto(consoleUrl({ baseUrl }, '/activity'))
    await live(page)
    const before = await rows(page).count()
    const notes = Array.from({ length: 6 }, (_, i) => `Note ${i} of six.`)
    for (const note of notes) {
      await tell(user, note)
      link.reset()
      await row(page, note).waitFor()
      await live(page)
    }
    expect(await rows(page).count()).toBe(before + notes.length)
    await page.context().close()
  })

  browserTest(
    'a flood of events keeps the list short, the screen usable and the rest loadable',
    async () => {
      const user = await newUser(server.current)
      const page = await open(user, '/activity')
      await live(page)
      const requests: string[] = []
      // In another browser: a tab in the background would wait until it is shown.
      const memories = await open(user, '/memories')
      memories.on('request', (request) => requests.push(new URL(request.url()).pathname))

      const FLOOD = 400
      for (let start = 0; start < FLOOD; start += 20)
        await Promise.all(
          Array.from({ length: 20 }, (_, i) => tell(user, `Flood ${start + i}, of many.`)),
        )
      await tell(user, 'After the flood.')
      await row(page, 'After the flood.').waitFor()
      expect(await rows(page).count()).toBeLessThanOrEqual(300)

      // The list of memories says that there are new ones, and was not requested for each event.
      await memories.getByRole('button', { name: 'Show them' }).click()
      await memories.getByText('After the flood.').first().waitFor()
      const lists = requests.filter((path) => path === listMemories.path)
      expect(lists.length).toBeLessThan(FLOOD / 4)

      const more = page.getByRole('button', { name: 'Load more' })
      while (await more.isVisible()) {
        const shown = await rows(page).count()
        await more.click()
        await eventually(async () => (await rows(page).count()) > shown)
      }
      expect(await row(page, 'of many.').count()).toBe(FLOOD)
    },
  )

  browserTest('a tab that slept for a day has what happened meanwhile', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/activity', undefined, withClock)
    await live(page)
    await tell(user, 'Before the night.')
    await row(page, 'Before the night.').waitFor()
    // As a browser that suspends a tab: its connections are cut and its timers stand still.
    await page.context().setOffline(true)
    await tell(user, 'In the night.')
    await page.clock.fastForward(DAY_MS)
    await page.context().setOffline(false)
    await page.clock.runFor(31_000)
    await row(page, 'In the night.').waitFor()
    await live(page)
    await tell(user, 'In the morning.')
    await row(page, 'In the morning.').waitFor()
    expectProblems(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK/)
  })

  for (const [name, difference] of [
    ['slow', -DAY_MS],
    ['fast', DAY_MS],
  ] as const)
    browserTest(`a clock that is a day ${name} shows the right times`, async () => {
      const user = await newUser(server.current)
      const page = await open(user, '/activity', undefined, async (empty) => {
        await empty.clock.install({ time: Date.now() + difference })
      })
      await live(page)
      await tell(user, 'Just now.')
      await row(page, 'Just now.').getByText('this minute').waitFor()
      await page.goto(consoleUrl(server.current, '/memories'))
      await page.getByText('Just now.').first().waitFor()
      expect(await page.locator('main time').first().textContent()).toBe('this minute')
    })

  browserTest(
    'a removed member sees no more of the organization, and reads a message',
    async () => {
      const owner = await newVerifiedUser(server.current)
      const org = await createOrg(owner)
      const ben = await join(owner, org)
      await call(ben, 'POST', `orgs/${org.id}/activate`)
      const page = await open(ben, '/activity')
      await live(page)
      const inOrg = { headers: { 'x-org-id': org.id } }
      await call(owner, 'POST', 'remember', { content: 'Of the team.' }, inOrg)
      await row(page, 'Of the team.').waitFor()
      expectProblems(/403/)
      await call(owner, 'DELETE', `orgs/${org.id}/members/${ben.id}`)
      await call(owner, 'POST', 'remember', { content: 'Without Ben.' }, inOrg)
      await page.getByText('You now work in Personal').first().waitFor()
      await row(page, 'Of the team.').waitFor({ state: 'detached' })
      expect(await row(page, 'Without Ben.').count()).toBe(0)
      await expectAccessible(page)
    },
  )
})
