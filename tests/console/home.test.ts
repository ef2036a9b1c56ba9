import { expect } from 'bun:test'
import { claimAdmin } from '../admin/support.ts'
import {
  apiCaller,
  newDevice,
  newReflex,
  sendSignal,
  waitingConfirmations,
} from '../automation/support.ts'
import { browserTest, heading } from '../browser/support.ts'
import { write } from '../harness/facts.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, useServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useServer()
const { open, expectProblems } = useConsole(server)

const memoriesOf = async (token: string): Promise<string[]> => {
  const { body } = await request(server.current, 'GET', '/api/memories', { token })
  return body.memories.map(({ content_text }: { content_text: string }) => content_text)
}

browserTest('a new user is led through the first steps by keyboard', async () => {
  const user = await newUser(server.current)
  const page = await open(user, '/')
  await page.getByText('0 of 3 done').waitFor()
  const meter = page.getByRole('meter', { name: 'Messages' })
  expect(await meter.getAttribute('aria-valuetext')).toBe('0 of 1,000')
  await expectAccessible(page)
  await page.getByRole('main').getByRole('button', { name: 'Remember something' }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('The boiler <b>code</b> is 4711.')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByText('1 of 3 done').waitFor()
  await page.getByLabel('Ask your memory').and(page.locator(':focus')).waitFor()
  await page.keyboard.type('What is the boiler code?')
  await page.keyboard.press('Enter')
  await page.getByText('2 of 3 done').waitFor()
  const answer = page.getByLabel('Answers').getByRole('link', { name: '<b>code</b> is 4711' })
  expect(await answer.getAttribute('href')).toMatch(/^\/app\/memories\/[\w-]+$/)
  await page.getByRole('button', { name: 'Write the link to the outbox' }).click()
  await page.getByText('This server sends no mail.').waitFor()

  await request(server.current, 'GET', '/api/me', { token: user.key })
  await page.reload()
  await page.getByText('3 of 3 done').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Finish' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ask your memory' }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Ask your memory' }).waitFor()
  expect(await page.getByText('First steps').count()).toBe(0)
  await page.getByRole('textbox', { name: 'Remember something' }).fill('x'.repeat(32_001))
  await page.getByRole('button', { name: 'Remember', exact: true }).click()
  await page.getByText('at most 32000 characters').waitFor()
})

browserTest('an item that needs attention is settled in place', async () => {
  const user = await newVerifiedUser(server.current)
  const call = apiCaller(
    () => server.current,
    () => user,
  )
  await write(user.client, 'I live in Porto.', 'I live in Lisbon.', {
    content: 'Remind me in 1 minute to water the fern.',
    occurred_at: new Date(Date.now() - 600_000).toISOString(),
  })
  const action = { type: 'remember', content: 'It was {{value}}.' }
  await newReflex(call, { name: 'Keep it?', confirm: true, action })
  await sendSignal(call, await newDevice(call), 5)
  await waitingConfirmations(call)

  const page = await open(user, '/')
  const press = async (name: string) => {
    await page.getByRole('button', { name }).focus()
    await page.keyboard.press('Enter')
  }
  await page.getByText('“Keep it?” waits for your confirmation').waitFor()
  await page.getByText('water the fern', { exact: true }).waitFor()
  await expectAccessible(page)
  await press('Done: water')
  await page.locator('.toast').getByText('Dismissed', { exact: true }).waitFor()
  await page.getByText('water the fern', { exact: true }).waitFor({ state: 'detached' })
  await press('Keep “Porto”')
  await page.getByText('Your memories disagree').waitFor({ state: 'detached' })
  expect((await call('GET', '/api/identity/anchors')).body.anchors[0].value).toBe('Porto')
  await press('Skip')
  await page.getByText('Needs attention').waitFor({ state: 'hidden' })
  expect(await memoriesOf(user.key)).not.toContain('It was 5.')
  expect((await call('GET', '/api/reflexes')).body).toMatchObject([{ skip_always: false }])
  // A sensor is no assistant.
  await page.getByRole('region', { name: 'Assistants' }).waitFor()
  expect(await page.getByText('Greenhouse').count()).toBe(0)
})

const SHIFTS = `(() => {
  window.shifts = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) { window.shifts += value; }
  }).observe({ type: 'layout-shift', buffered: true })
})()`

browserTest('the screen appears at once, and equal notices have their texts', async () => {
  const user = await newVerifiedUser(server.current)
  const call = apiCaller(
    () => server.current,
    () => user,
  )
  await write(user.client, 'I live in Porto.', 'I live in Lisbon.')
  const action = { type: 'notify', channel: 'inbox', text: 'The soil has {{value}} percent.' }
  await newReflex(call, { name: 'Soil', action })
  const device = await newDevice(call)
  for (const value of [11, 12]) await sendSignal(call, device, value)
  const page = await open(user, '/', {}, async (empty) => {
    await empty.addInitScript(SHIFTS)
    // Each part comes at another time.
    await empty.route('**/api/**', async (route) => {
      await Bun.sleep(new URL(route.request().url()).pathname.length * 8)
      await route.continue()
    })
  })
  await page.getByText('The soil has 11 percent.').waitFor()
  await page.getByText('The soil has 12 percent.').waitFor()
  await page.getByText('Your memories disagree').waitFor()
  await page.getByRole('region', { name: 'Assistants' }).waitFor()
  expect(await page.evaluate<number>('window.shifts')).toBeLessThan(0.05)
})

browserTest(
  'an admin sees an engine that is off, and a server that does not answer is reported',
  async () => {
    const user = await newUser(server.current)
    await claimAdmin(server.current, user)
    await request(server.current, 'POST', '/api/admin/cognitive_engines/graph/state', {
      token: user.accessToken,
      body: { enabled: false, reason: 'The graph is <b>rebuilt</b>.' },
    })
    const page = await open(user, '/')
    await page.getByText('The engine “graph” is off').waitFor()
    await page.getByText('The graph is <b>rebuilt</b>.').waitFor()

    expectProblems(/net::ERR/)
    await page.route('**/api/**', (route) => route.abort())
    await page.reload()
    await heading(page, 'Home')
    await page
      .getByRole('alert')
      .filter({ hasText: 'The server does not answer.' })
      .first()
      .waitFor()
    await page.unroute('**/api/**')
    // A click waits for the button to stand still, and the next request of the page may remove it meanwhile.
    await page.getByRole('button', { name: 'Try again' }).first().dispatchEvent('click')
    await page.getByText('The engine “graph” is off').waitFor()
  },
)

browserTest('the responses of Home are requested once', async () => {
  const user = await newVerifiedUser(server.current)
  const page = await open(user, '/')
  const requested: string[] = []
  page.on('request', (sent) => {
    const { pathname, search } = new URL(sent.url())
    // The page before the reload may still request something.
    if (sent.isNavigationRequest()) requested.length = 0
    if (pathname.startsWith('/api/')) requested.push(`${pathname}${search}`)
  })
  await page.reload()
  await page.getByRole('meter', { name: 'Messages' }).waitFor()
  await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
  expect(requested[0]).toBe('/api/auth/refresh')
  expect(requested).toContain('/api/memories?limit=6')
  expect(requested.filter((path, i) => requested.indexOf(path) !== i)).toEqual([])
})
