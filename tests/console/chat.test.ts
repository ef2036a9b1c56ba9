import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, heading } from '../browser/support.ts'
import { useConversation } from '../conversation/support.ts'
import { runSql } from '../harness/http.ts'
import { breaksOff, fails, says, stalls } from '../harness/model-server.ts'
import { request, type TestUser } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const suite = useConversation({ SVC_CHAT_FALLBACK: 'none' })
const { open, expectProblems } = useConsole({
  get current() {
    return suite.server
  },
})

const ANSWER = 'She drinks **tea**.\n\n```ts\nconst drink = "tea"\n```\n'
const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const isSession = /\/app\/chat\/[0-9a-f-]{36}$/

const remember = (user: TestUser, content: string) => suite.post('/api/remember', { content }, user)

/** Writes a message with the keyboard and sends it. */
const say = async (page: Page, text: string): Promise<void> => {
  await field(page).focus()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

const sessionIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

describe('a chat', () => {
  browserTest('a chat streams an answer with memories, which a reload keeps', async () => {
    const user = await suite.newUser()
    await remember(user, 'Ada drinks tea <img src=x onerror=alert(1)>')
    const page = await open(user, '/chat')
    await expectAccessible(page)
    const rest = Promise.withResolvers<void>()
    suite.model.next(async (response, call) => {
      stalls('She drinks ')(response, call)
      await rest.promise
      response.destroy()
    })
    await say(page, 'What does Ada drink?')
    await page.getByText('She drinks').waitFor()
    await page.waitForURL(isSession)
    await page.getByRole('button', { name: 'Stop the answer' }).press('Enter')
    await page.getByText('This answer is incomplete.').waitFor()
    rest.resolve()

    suite.model.next(says(ANSWER))
    await page.getByRole('button', { name: 'Answer again' }).press('Enter')
    await page.getByText('Version 2 of 2').waitFor()
    const incomplete = page.getByText('This answer is incomplete.')
    await incomplete.waitFor({ state: 'detached' })
    await page.getByRole('status').filter({ hasText: 'svc answered: She drinks' }).waitFor()
    await page.getByRole('button', { name: 'Previous version' }).press('Enter')
    await page.getByText('Version 1 of 2').waitFor()
    await incomplete.waitFor()
    await page.reload()
    await heading(page, 'What does Ada drink?')
    await page.getByText('Answered by a-model').waitFor()
    await page.locator('pre').getByText('const drink').waitFor()
    const memory = page.getByRole('link', { name: 'Ada drinks tea <img' })
    expect(await memory.getAttribute('href')).toMatch(/^\/app\/memories\/[0-9a-f-]{36}$/)
    await expectAccessible(page)
  })

  browserTest('a chat reports a model that fails while it answers, and retries', async () => {
    const page = await open(await suite.newUser(), '/chat')
    const received = Promise.withResolvers<void>()
    suite.model.next(breaksOff('As I was', received.promise))
    await say(page, 'Go ahead')
    await page.getByText('As I was').waitFor()
    received.resolve()
    await page.getByRole('alert').getByText('The model failed to answer').waitFor()
    await page.getByText('This answer is incomplete.').waitFor()
    await page.getByRole('button', { name: 'Try again' }).click()
    await messages(page).getByText('Hello.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  browserTest('a chat keeps a message that the server did not accept', async () => {
    expectProblems(/ERR_FAILED/)
    const user = await suite.newUser()
    const page = await open(user, '/chat')
    await page.route('**/api/chat/stream', (route) => route.abort())
    await say(page, 'Are you there?')
    await page.getByText('The server does not answer.').waitFor()
    expect(await field(page).inputValue()).toBe('Are you there?')
    await page.unroute('**/api/chat/stream')

    suite.model.next(fails(400))
    await field(page).press('Enter')
    await page.getByText('The model failed to answer').waitFor()
    expect(await field(page).inputValue()).toBe('Are you there?')

    await field(page).press('Enter')
    await messages(page).getByText('Hello.').waitFor()
    await runSql(suite.server.database, `update usage_counts set used = 1000`)
    await say(page, 'And now?')
    await page.getByRole('link', { name: 'See tiers' }).waitFor()
    await page.getByRole('button', { name: 'Send', disabled: false }).waitFor()
    expect(await field(page).inputValue()).toBe('And now?')
  })

  browserTest('a chat deleted in another tab keeps the message for a new chat', async () => {
    const user = await suite.newUser()
    const page = await open(user, '/chat')
    await say(page, 'Hello')
    await page.waitForURL(isSession)
    await page.getByText('Answered by a-model').waitFor()
    await field(page).fill('Still there?')
    const path = `/api/sessions/${sessionIn(page)}`
    expect((await request(suite.server, 'DELETE', path, { token: user.key })).status).toBe(204)
    await page.keyboard.press('Enter')
    await heading(page, 'This chat does not exist')
    await page.getByRole('button', { name: 'Continue in a new chat' }).press('Enter')
    await page.waitForURL(/\/app\/chat$/)
    expect(await field(page).inputValue()).toBe('Still there?')
    const signedOut = await request(suite.server, 'POST', '/api/auth/signout', {
      cookie: user.refreshToken,
      headers: { origin: new URL(suite.server.baseUrl).origin },
    })
    expect(signedOut.status).toBeLessThan(300)
    await field(page).press('Enter')
    await page.waitForURL(/\/api\/auth\/app\?next=%2Fapp%2Fchat/)
  })
})
