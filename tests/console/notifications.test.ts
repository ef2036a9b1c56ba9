import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, heading } from '../browser/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { useSharedServer } from '../harness/server.ts'
import { dmUserOf, send, threadOf } from '../people/dm-support.ts'
import { consoleUrl, expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open } = useConsole(server)

/** The browser of the tests has no desktop. It records the notifications of a page. */
const withDesktop =
  (answer: 'granted' | 'denied', before = 'default') =>
  (page: Page) =>
    page.context().addInitScript(`
      window.shown = []
      window.Notification = class {
        static permission = localStorage.getItem('test-permission') ?? '${before}'
        static async requestPermission() {
          localStorage.setItem('test-permission', '${answer}')
          return (Notification.permission = '${answer}')
        }
        constructor(title) { this.title = title; window.shown.push(this) }
        close() {}
      }`)

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate(`
    Object.defineProperty(document, 'hidden', { value: ${isHidden}, configurable: true })
    Object.defineProperty(document, 'visibilityState', { value: '${isHidden ? 'hidden' : 'visible'}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  `)

const newPerson = async () => dmUserOf(server.current, await newVerifiedUser(server.current))
const titlesOf = (page: Page) => page.evaluate<string[]>('window.shown.map(({ title }) => title)')
const NOTIFY = { name: 'Show messages, confirmations and sign-ins on the desktop' }

browserTest('a message is notified once while no tab is in view, and leads to it', async () => {
  const [ada, ben] = [await newPerson(), await newPerson()]
  const thread = await threadOf(server.current, ben, ada)
  const page = await open(ada, '/settings/preferences', {}, withDesktop('granted'))
  await page.getByRole('switch', NOTIFY).focus()
  await page.keyboard.press('Space')
  await page.getByRole('switch', { ...NOTIFY, checked: true }).waitFor()
  await expectAccessible(page)
  const tab = await page.context().newPage()
  await tab.goto(consoleUrl(server.current, '/activity'))
  await tab.getByRole('status').getByText('Live', { exact: true }).waitFor()

  await send(server.current, ben, thread, 'In view')
  await tab.getByText('received a message').waitFor()
  for (const each of [page, tab]) await setHidden(each, true)
  await send(server.current, ben, thread, 'Not in view')
  const shown = async () => [await titlesOf(page), await titlesOf(tab)].flat()
  expect(await eventually(async () => (await shown()).length > 0 && shown())).toEqual([
    `Message from ${ben.username}`,
  ])
  const [first, second] = (await titlesOf(page)).length ? [page, tab] : [tab, page]
  await first.evaluate('window.shown[0].onclick()')
  await heading(first, 'Messages')
  await first.close()
  await send(server.current, ben, thread, 'After the first tab was closed')
  await eventually(async () => (await titlesOf(second)).length > 0)

  await second.goto(consoleUrl(server.current, '/settings/preferences'))
  await second.getByRole('switch', { ...NOTIFY, checked: true }).focus()
  await second.keyboard.press('Space')
  await second.getByRole('switch', { ...NOTIFY, checked: false }).waitFor()
})

browserTest('a browser that blocks notifications says so', async () => {
  const ada = await newPerson()
  const page = await open(ada, '/settings/preferences', {}, withDesktop('denied'))
  await page.getByRole('switch', NOTIFY).focus()
  await page.keyboard.press('Space')
  await page.getByText('The browser blocks notifications of this site.').waitFor()
  expect(await page.getByRole('switch', NOTIFY).isDisabled()).toBe(true)
})
