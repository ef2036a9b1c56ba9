import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { createClient } from '../../shared/client.ts'
import {
  capture,
  context,
  createKey,
  deleteMemory,
  getMemory,
  listAssistants,
  listFeedback,
  listKeys,
  recall,
  remember,
} from '../../shared/contract/index.ts'
import { browserTest, focused, heading } from '../browser/support.ts'
import { createDatabase } from '../harness/database.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { spawnServer } from '../harness/process.ts'
import {
  newUser,
  request,
  startServer,
  type TestServer,
  type TestUser,
  useServer,
} from '../harness/server.ts'
import { dmUserOf, send as sendMessage, threadOf } from '../people/dm-support.ts'
import { embeddedPlace } from '../system/support.ts'
import { consoleUrl, expectAccessible, signInTab, useConsole } from './support.ts'

const server = useServer()
const { open, visit, expectProblems } = useConsole(server)

const rows = (page: Page) =>
  page.getByRole('list', { name: 'Activity', exact: true }).locator('> li')
const row = (page: Page, text: string) => rows(page).filter({ hasText: text })
const live = (page: Page) => page.getByRole('status').getByText('Live', { exact: true }).waitFor()

const ask = ({ client }: Pick<TestUser, 'client'>, query: string) =>
  client.call(recall, { body: { query } })
const tell = async ({ client }: Pick<TestUser, 'client'>, content: string): Promise<string> =>
  (await client.call(remember, { body: { content } })).memory_id

/** A page of the console of another server. */
const openOn = async (
  other: Pick<TestServer, 'baseUrl'>,
  user: TestUser,
  path: string,
): Promise<Page> => {
  const page = await visit({}, [new URL(other.baseUrl).origin])
  await signInTab(page, other, user)
  await page.goto(consoleUrl(other, path))
  return page
}

describe('activity', () => {
  browserTest('a new account is led to connect an assistant', async () => {
    const page = await open(await newUser(server.current), '/activity')
    await page.getByRole('heading', { name: 'Nothing yet' }).waitFor()
    await live(page)
    await expectAccessible(page)
    await page.getByRole('main').getByRole('link', { name: 'Connect an assistant' }).click()
    await page.waitForURL(/\/app\/connect/)
  })

  browserTest(
    'a recall appears as it happens, and its memories are corrected by keyboard',
    async () => {
      const user = await newUser(server.current)
      const memoryId = await tell(user, 'We deploy to Hetzner.')
      const page = await open(user, '/')
      await page.getByRole('link', { name: 'Activity' }).click()
      await heading(page, 'Activity')
      await live(page)
      await ask(user, 'Where do we deploy?')
      await row(page, 'recalled 1 memory').getByText('Where do we deploy?').waitFor()
      expect(await rows(page).first().textContent()).toContain('recalled 1 memory')

      const details = row(page, 'recalled 1 memory').getByRole('button', { name: 'Details' })
      await details.focus()
      await page.keyboard.press('Enter')
      const memory = row(page, 'recalled 1 memory').getByRole('listitem').first()
      await memory.getByText('We deploy to Hetzner.').waitFor()
      expect(await details.getAttribute('aria-expanded')).toBe('true')
      await memory.getByRole('img', { name: /^Score/ }).waitFor()
      await expectAccessible(page)

      await memory.getByRole('button', { name: 'Delete: We deploy to Hetzner.' }).focus()
      await page.keyboard.press('Enter')
      await row(page, 'recalled 1 memory').getByText('This memory was deleted since.').waitFor()
      await row(page, 'deleted 1 memory').waitFor()
      await page.getByRole('button', { name: 'Undo' }).focus()
      await page.keyboard.press('Enter')
      await row(page, 'restored 1 memory').waitFor()
      await memory.getByText('We deploy to Hetzner.').waitFor()
      const { content_text } = await user.client.call(getMemory, {
        params: { memory_id: memoryId },
      })
      expect(content_text).toBe('We deploy to Hetzner.')

      await memory.getByRole('button', { name: 'Replace: We deploy to Hetzner.' }).focus()
      await page.keyboard.press('Enter')
      const field = page.getByRole('dialog').getByRole('textbox')
      await field.fill('We deploy to Fly.')
      await page.keyboard.press('Control+Enter')
      await page.waitForURL(/\/memories\//)
      await page.goBack()
      await row(page, 'replaced 1 memory').waitFor()
    },
  )

  browserTest(
    'a memory is marked as not relevant to a question, and the mark taken back',
    async () => {
      const user = await newUser(server.current)
      const memoryId = await tell(user, 'Ada drank paint water.')
      await tell(user, 'Ada drinks tea.')
      const question = 'What does Ada drink?'
      await ask(user, question)
      const page = await open(user, '/activity')
      await row(page, 'recalled 2').getByRole('button', { name: 'Details' }).click()
      const markButton = page.getByRole('button', {
        name: 'Not relevant here: Ada drank paint water.',
      })
      await markButton.focus()
      await page.keyboard.press('Enter')
      await page.getByText('Not relevant to this question').waitFor()
      await markButton.waitFor({ state: 'detached' })
      await expectAccessible(page)
      const { memories } = await user.client.call(recall, {
        body: { query: question, explain: true },
      })
      const found = memories.find(({ memory_id }) => memory_id === memoryId)
      expect(found?.explanation?.feedback).toBeCloseTo(0.1)

      await page.goto(consoleUrl(server.current, `/memories?q=${encodeURIComponent(question)}`))
      const result = page.getByRole('listitem').filter({ hasText: 'paint water' })
      await result.getByText('Why this result').click()
      await result.getByText('Marked as not relevant to such a question: ×0.1').waitFor()

      await page.goto(consoleUrl(server.current, `/memories/${memoryId}`))
      await page.getByRole('region', { name: 'Not relevant to' }).getByText(question).waitFor()
      await expectAccessible(page)
      await page.getByRole('button', { name: `Take back: ${question}` }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('region', { name: 'Not relevant to' }).waitFor({ state: 'detached' })
      expect(
        (await user.client.call(listFeedback, { params: { memory_id: memoryId } })).feedback,
      ).toEqual([])
    },
  )

  browserTest('each assistant shows what it read and wrote, and is paused there', async () => {
    const user = await newVerifiedUser(server.current)
    const session = createClient({ baseUrl: server.current.url, credential: user.accessToken })
    const { key, id } = await session.call(createKey, { body: { name: 'garden robot' } })
    const robot = createClient({ baseUrl: server.current.url, credential: key })
    await robot.call(remember, { body: { content: 'The roses are red.' } })
    await ask({ client: robot }, 'roses')
    await eventually(async () => {
      const { assistants } = await user.client.call(listAssistants, {})
      return assistants[0]?.recalls === 1
    })
    const page = await open(user, '/activity')
    const card = page.getByRole('link', { name: /garden robot/ })
    expect(await card.textContent()).toContain('1 read · 1 written')
    await expectAccessible(page)
    await card.focus()
    await page.keyboard.press('Enter')
    const details = page.getByRole('region', { name: 'garden robot' })
    await details.getByText('Memories read').waitFor()
    await details
      .getByRole('button', { name: /garden robot/ })
      .first()
      .focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Pause' }).press('Enter')
    await details.getByText('Paused', { exact: true }).waitFor()
    // The tooltip of the menu's button, which has the focus again.
    await page.keyboard.press('Escape')
    const keys = await session.call(listKeys, {})
    expect(keys.find((each) => each.id === id)?.paused).toBe(true)
    await expectAccessible(page)
  })

  browserTest('the parts of a score add up and multiply to the score that is shown', async () => {
    const user = await newUser(server.current)
    for (const content of [
      'Ada drinks green tea in the morning.',
      'Ben drinks coffee.',
      'I prefer tea to coffee, said Ada.',
    ])
      await tell(user, content)
    await ask(user, 'What tea does Ada drink?')
    const page = await open(user, '/activity')
    await row(page, 'recalled').getByRole('button', { name: 'Details' }).click()
    const scores = row(page, 'recalled').locator('.score')
    await scores.nth(1).waitFor()
    for (const score of await scores.all()) {
      await score.getByText('Why this result').click()
      const numbers = async (selector: string, pattern: RegExp) =>
        (await score.locator(selector).allTextContents()).flatMap((text) =>
          [...text.matchAll(pattern)].map(([, number]) => Number(number)),
        )
      const parts = await numbers('.score-parts .numeric', /([\d.]+)/g)
      const factors = await numbers('.score-details li', /×([\d.]+)/g)
      const [sum = 0, shown = 0] = await numbers('.score-details > p', /([\d.]+)/g)
      expect(parts.reduce((total, part) => total + part, 0)).toBeCloseTo(sum, 2)
      expect(factors.reduce((product, factor) => product * factor, sum)).toBeCloseTo(shown, 2)
    }
  })

  browserTest(
    'filters stay after a reload, and a session is shown and deleted as a whole',
    async () => {
      const user = await newUser(server.current)
      const { client } = user
      const turn = { turn: '1', role: 'user' as const, content: 'Use tabs, not spaces.' }
      const session = { client: 'codex', session: 's1', channel: 'hook' as const }
      await client.call(capture, { body: { ...session, messages: [turn] } })
      await client.call(context, {
        body: { query: 'Tabs or spaces?', session: 's2', thread: 'claude-code:s2' },
      })
      await ask(user, 'Tabs or spaces?')
      const page = await open(user, '/activity')
      await rows(page).nth(2).waitFor()
      await page.getByRole('button', { name: 'Assistant' }).click()
      await page.getByRole('option', { name: 'Claude Code' }).click()
      await row(page, 'recalled').waitFor({ state: 'detached' })
      await page.reload()
      await row(page, 'was given 1 memory').waitFor()
      expect(await rows(page).count()).toBe(1)
      // A new event of another assistant stays out.
      await ask(user, 'What else?')
      await client.call(context, {
        body: { query: 'And now?', session: 's2', thread: 'claude-code:s2' },
      })
      await row(page, 'And now?').waitFor()
      expect(await rows(page).count()).toBe(2)

      await page.goto(page.url().replace('client=claude-code', 'kind=conversation.'))
      await row(page, 'captured 1 turn').getByRole('button', { name: 'Details' }).click()
      await row(page, 'captured 1 turn')
        .getByRole('link', { name: 'This conversation only' })
        .click()
      await page.getByText('One conversation').waitFor()
      await row(page, 'captured 1 turn').getByRole('button', { name: 'Details' }).click()
      await row(page, 'captured 1 turn').getByRole('button', { name: 'Delete this' }).click()
      await row(page, 'deleted a conversation of 1 memory').waitFor()
      await page.getByRole('button', { name: 'Undo' }).click()
      await row(page, 'restored a conversation of 1 memory').waitFor()
      await page.getByRole('button', { name: 'Show all conversations' }).click()
      await row(page, 'What else?').waitFor()

      await page.getByRole('button', { name: 'Event' }).click()
      await page.getByRole('option', { name: 'Imports' }).click()
      await page.getByRole('heading', { name: 'Nothing matches' }).waitFor()
      await page.getByRole('button', { name: 'Show everything' }).focus()
      await page.keyboard.press('Enter')
      await row(page, 'What else?').waitFor()
    },
  )

  browserTest('long, right-to-left and hostile texts break no layout', async () => {
    const user = await newUser(server.current)
    const word = 'x'.repeat(900)
    await tell(user, `<img src=x onerror=alert(1)> ${word}`)
    await tell(user, `${'שלום '.repeat(6_000)}`)
    await ask(user, `<script>alert(1)</script> ${word} שלום`)
    await user.client.call(context, {
      body: { query: word, session: word.slice(0, 200), thread: `codex:${word.slice(0, 200)}` },
    })
    const page = await open(user, '/activity')
    await rows(page).nth(3).waitFor()
    for (const button of await page.getByRole('button', { name: 'Details' }).all())
      await button.click()
    await row(page, 'remembered').first().getByRole('listitem').first().waitFor()
    expect(await page.locator('main img, main script').count()).toBe(0)
    await expectAccessible(page)
  })

  browserTest(
    'two tabs see the changes of each other and of an assistant, on any process',
    async () => {
      await using several = spawnServer({ SVC_PROCESSES: '3', ...embeddedPlace() })
      const url = await several.url
      const user = await newUser({ url })
      const on = { baseUrl: url.replace('127.0.0.1', 'localhost') }
      const one = await openOn(on, user, '/memories/captured')
      await one.getByRole('heading', { name: 'Nothing captured yet' }).waitFor()
      const other = await one.context().newPage()
      await other.goto(consoleUrl(on, '/activity'))
      await live(other)
      const turns = Array.from({ length: 12 }, (_, index) => ({
        client: 'codex',
        session: `s${index}`,
        channel: 'hook' as const,
        project: 'acme/shop',
        messages: [{ turn: '1', role: 'user' as const, content: `Deploy ${index} on Friday.` }],
      }))
      // A connection for each, which the kernel gives to any of the processes.
      for (const body of turns)
        await request({ url }, 'POST', '/api/captures', {
          token: user.key,
          body,
          headers: { connection: 'close' },
        })
      // Far below the time of the next poll.
      const within = { timeout: 10_000 }
      await one.getByRole('link', { name: 'acme/shop' }).nth(11).waitFor(within)
      await rows(other).nth(11).waitFor(within)
      await one
        .getByRole('button', { name: /^Delete/ })
        .first()
        .click()
      await row(other, 'deleted a conversation').waitFor(within)
      await one.context().close()
    },
  )

  browserTest('the navigation and the title count what waits, as it comes and goes', async () => {
    const [user, ada] = [
      await newVerifiedUser(server.current),
      await newVerifiedUser(server.current),
    ]
    const page = await open(user, '/activity')
    await live(page)
    const navigation = page.getByRole('navigation', { name: 'Main' })
    expect(await page.title()).toBe('Activity · svc')
    const thread = await threadOf(server.current, ada, await dmUserOf(server.current, user))
    await sendMessage(server.current, ada, thread, 'Hello')
    await sendMessage(server.current, ada, thread, 'Are you there?')
    await navigation.getByRole('link', { name: 'People 2 unread messages' }).waitFor()
    await request(server.current, 'POST', '/api/reflexes', {
      token: user.key,
      body: {
        name: 'Ask me',
        confirm: true,
        trigger: { type: 'memory' },
        conditions: [],
        action: { type: 'notify', channel: 'inbox', title: 'New', text: 'A new memory.' },
      },
    })
    await tell(user, 'A memory that asks.')
    await navigation.getByRole('link', { name: 'Automation 1 matter to decide' }).waitFor()
    await eventually(() => page.evaluate('document.title === "(3) Activity · svc"'))
    await expectAccessible(page)
    await navigation.getByRole('link', { name: 'Automation' }).click()
    await page.getByRole('link', { name: 'Confirmations' }).click()
    await page.getByRole('button', { name: 'Skip Ask me this time' }).click()
    await navigation.getByRole('link', { name: 'Automation', exact: true }).waitFor()
  })

  browserTest('a restart of the server loses no event and no input', async () => {
    expectProblems(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_CONNECTION_RESET/)
    const database = await createDatabase()
    await using first = await startServer({}, database)
    const user = await newUser(first)
    const page = await openOn(first, user, '/activity')
    await live(page)
    await page.getByRole('button', { name: 'Assistant' }).focus()
    const memoryId = await tell(user, 'Before the restart.')
    await row(page, 'Before the restart.').waitFor()
    await user.client.call(deleteMemory, { params: { memory_id: memoryId } })
    const { port } = new URL(first.url)
    await first.stop()
    await page.getByText('Not connected; trying again').waitFor()
    await using second = await startServer({ SVC_PORT: port }, database)
    await tell(user, 'After the restart.')
    await row(page, 'After the restart.').waitFor()
    expect(await rows(page).count()).toBe(6)
    await focused(page.getByRole('button', { name: 'Assistant' }))
    await page.context().close()
    await second.stop()
    await database.drop()
  })
})
