import { expect } from 'bun:test'
import type { Page, Request } from 'playwright-core'
import { browserTest } from '../browser/support.ts'
import { useConversation } from '../conversation/support.ts'
import { eventually } from '../harness/eventually.ts'
import { stalls } from '../harness/model-server.ts'
import type { TestUser } from '../harness/server.ts'
import { dmUserOf, send, threadOf } from '../people/dm-support.ts'
import { expectAccessible, useConsole, withClock } from './support.ts'

const suite = useConversation({ SVC_CHAT_FALLBACK: 'none' })
const { open, expectProblems } = useConsole({
  get current() {
    return suite.server
  },
})

const newPair = async () => {
  const [ada, ben] = [
    await dmUserOf(suite.server, await suite.newUser()),
    await dmUserOf(suite.server, await suite.newUser()),
  ]
  return { ada, ben, thread: await threadOf(suite.server, ada, ben) }
}

const write = async (user: TestUser, thread: string, content: string): Promise<void> => {
  const sent = await send(suite.server, user, thread, content)
  expect(sent.content).toBe(content)
}

const message = (page: Page, text: string) =>
  page.locator('.dm-message').filter({ has: page.getByText(text, { exact: true }) })

const MINUTE_MS = 60_000

/**
 * Passes seconds of a page's clock, and waits each time for the requests that its timers have sent: on a busy
 * machine they would otherwise time out by that clock, or an answer would be overdue, before they are answered.
 */
const secondsOf = (page: Page) => {
  const waiting = new Set<Request>()
  page.on('request', (sent) => {
    if (sent.url().includes('/api/dm/')) waiting.add(sent)
  })
  page.on('requestfinished', (sent) => waiting.delete(sent))
  page.on('requestfailed', (sent) => waiting.delete(sent))
  return async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await page.clock.runFor(1000)
      await eventually(() => waiting.size === 0)
    }
  }
}

browserTest('a question that svc does not answer can be asked again', async () => {
  const { ada, ben, thread } = await newPair()
  suite.model.next(stalls(''))
  await write(ada, thread, '@icog are you there?')
  const page = await open(ada, `/people/messages/${thread}`, {}, withClock)
  await page.getByText('svc is answering…').waitFor()
  await page.clock.fastForward(4 * MINUTE_MS)
  await page.getByRole('status').getByText('svc has not answered').waitFor()
  expect(await page.getByText('svc is answering…').count()).toBe(0)
  await expectAccessible(page)

  const other = await open(ben, `/people/messages/${thread}`, {}, withClock)
  await other.getByText('svc is answering…').waitFor()
  await other.clock.fastForward(4 * MINUTE_MS)
  await other.getByText('svc has not answered').waitFor()
  expect(await other.getByRole('button', { name: 'Ask again' }).count()).toBe(0)

  await page.getByRole('button', { name: 'Ask again' }).press('Enter')
  await message(page, 'Hello.').waitFor()
  await page.getByText('svc has not answered').waitFor({ state: 'detached' })
})

browserTest('a server that is down is named instead of an answer that is written', async () => {
  const { ada, thread } = await newPair()
  suite.model.next(stalls(''))
  await write(ada, thread, '@icog are you there?')
  const page = await open(ada, `/people/messages/${thread}`, {}, withClock)
  const pass = secondsOf(page)
  await page.getByText('svc is answering…').waitFor()
  expectProblems(/ERR_FAILED/)
  await page.route('**/api/dm/**', (route) => route.abort())
  const failed = page.getByRole('region', { name: /^Messages with/ }).getByRole('alert')
  while ((await failed.count()) === 0) await pass(1)
  await page.getByText('svc is answering…').waitFor({ state: 'detached' })
  await page.unroute('**/api/dm/**')
  await failed.getByRole('button', { name: 'Try again' }).click()
  await page.getByText('svc is answering…').waitFor()
  await failed.waitFor({ state: 'detached' })
})

browserTest('earlier messages are added above without moving what is read', async () => {
  const { ada, ben, thread } = await newPair()
  for (let i = 1; i <= 70; i++) await write(i % 2 ? ada : ben, thread, `Message ${i}`)
  const page = await open(ada, `/people/messages/${thread}`)
  const first = message(page, 'Message 21')
  await message(page, 'Message 70').waitFor()
  const earlier = page.getByRole('button', { name: 'Show earlier messages' })
  await earlier.focus()
  const before = await first.boundingBox()
  expect(before).not.toBeNull()
  await page.keyboard.press('Enter')
  await message(page, 'Message 1').waitFor({ state: 'attached' })
  await earlier.waitFor({ state: 'detached' })
  const after = await first.boundingBox()
  // The button above is gone.
  expect(Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2)
})

const countRequests = (page: Page, pattern: RegExp) => {
  const counted = { requests: 0 }
  page.on('request', (sent) => {
    if (pattern.test(sent.url())) counted.requests++
  })
  return counted
}

const setVisibility = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  `)

browserTest('a hidden tab requests no messages, and requests them when it is shown', async () => {
  const { ada, ben, thread } = await newPair()
  await write(ada, thread, 'Hello')
  const page = await open(ada, `/people/messages/${thread}`, {}, withClock)
  const pass = secondsOf(page)
  await message(page, 'Hello').waitFor()
  await setVisibility(page, 'hidden')
  const counted = countRequests(page, /\/api\/dm\//)
  await pass(60)
  expect(counted.requests).toBe(0)
  await write(ben, thread, 'While you were away')
  await setVisibility(page, 'visible')
  await message(page, 'While you were away').waitFor()
})

browserTest('requests become rare during an outage, and end with a client error', async () => {
  const { ada, thread } = await newPair()
  await write(ada, thread, 'Hello')
  const page = await open(ada, `/people/messages/${thread}`, {}, withClock)
  const pass = secondsOf(page)
  await message(page, 'Hello').waitFor()
  expectProblems(/ERR_FAILED/)
  const polls = /\/messages\?/
  await page.route(polls, (route) => route.abort())
  const down = countRequests(page, polls)
  // A request from before the outage may be under way.
  while (down.requests === 0) await pass(1)
  await pass(120)
  // At three seconds there would be 40 polls with two retries each.
  expect(down.requests).toBeLessThan(30)
  expect(down.requests).toBeGreaterThan(2)

  await page.unroute(polls)
  const gone = { status: 404, json: { detail: 'Thread not found' } }
  await page.route(polls, (route) => route.fulfill(gone))
  const alert = page.getByRole('alert').getByText('Thread not found')
  while ((await alert.count()) === 0) await pass(1)
  const after = countRequests(page, polls)
  await pass(120)
  expect(after.requests).toBe(0)
})
