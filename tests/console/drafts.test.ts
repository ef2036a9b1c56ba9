import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { createOrg, remember } from '../../shared/contract/index.ts'
import { browserTest, heading, signIn } from '../browser/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { request, type TestUser, useSharedServer } from '../harness/server.ts'
import { dmUserOf, threadOf } from '../people/dm-support.ts'
import { useConsole } from './support.ts'

const server = useSharedServer()
const { open } = useConsole(server)

/** The stream of the tab then leads to the sign-in page within seconds: a click may wait longer than that. */
const endSessions = (user: TestUser) =>
  request(server.current, 'DELETE', '/api/auth/sessions', { token: user.accessToken })

/** The stored values of the tab, without the positions of the scroll bars. */
const storedIn = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(
    'Object.fromEntries(Object.entries(sessionStorage).filter(([key]) => key.startsWith("svc-")))',
  )

/** Waits for the sign-in page. @returns the stored values of the tab. */
const atSignIn = async (page: Page): Promise<string> => {
  await heading(page, 'Sign in')
  const stored = JSON.stringify(await storedIn(page))
  expect(stored).not.toContain('eyJ')
  return stored
}

browserTest(
  'a chat message that was sent after the session ended is back after sign-in',
  async () => {
    const user = await newVerifiedUser(server.current)
    const page = await open(user, '/chat')
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.fill('Where does Ada live?')
    await endSessions(user)
    await field.press('Enter')
    expect(await atSignIn(page)).toContain('Where does Ada live?')
    await signIn(page, user.email)
    await heading(page, 'New chat')
    expect(await field.inputValue()).toBe('Where does Ada live?')
    expect(await storedIn(page)).toEqual({})
    await field.press('Enter')
    await page.getByText('Answered from memories').first().waitFor()
    await page.reload()
    await page.getByText('Answered from memories').first().waitFor()
    expect(await field.inputValue()).toBe('')
  },
)

browserTest('a direct message and the message it replies to are back after sign-in', async () => {
  const [ada, ben] = [
    await newVerifiedUser(server.current),
    await dmUserOf(server.current, await newVerifiedUser(server.current)),
  ]
  const thread = await threadOf(server.current, ada, ben)
  const send = (user: TestUser, content: string) =>
    request(server.current, 'POST', `/api/dm/threads/${thread}/messages`, {
      token: user.key,
      body: { content },
    })
  await send(ben, 'When do we meet?')
  const page = await open(ada, `/people/messages/${thread}`)
  await page.getByRole('button', { name: /^Reply/ }).press('Enter')
  await page.locator('textarea:focus').waitFor()
  await page.keyboard.type('On Friday')
  await endSessions(ada)
  await atSignIn(page)
  await signIn(page, ada.email)
  await page.getByText(/^Replying to .*When do we meet/).waitFor()
  const field = page.getByRole('textbox', { name: 'Message' })
  expect(await field.inputValue()).toBe('On Friday')
  await field.press('Enter')
  await page.locator('.dm-message.own', { hasText: 'On Friday' }).waitFor()
})

browserTest(
  'an edited memory is back after sign-in, for its fields that were changed',
  async () => {
    const user = await newVerifiedUser(server.current)
    const { memory_id } = await user.client.call(remember, {
      body: { content: 'Old text.', tags: ['a'] },
    })
    const page = await open(user, `/memories/${memory_id}?edit=true`)
    await page.getByLabel('Text').fill('New text.')
    await endSessions(user)
    await page.getByRole('button', { name: 'Save' }).press('Enter')
    await atSignIn(page)
    await signIn(page, user.email)
    await page.getByLabel('Text').waitFor()
    expect(await page.getByLabel('Text').inputValue()).toBe('New text.')
    const sent = page.waitForRequest((each) => each.method() === 'PATCH' || each.method() === 'PUT')
    await page.getByRole('button', { name: 'Save' }).click()
    expect((await sent).postDataJSON()).toEqual({ content: 'New text.' })
    await page.locator('.memory-content').filter({ hasText: 'New text.' }).waitFor()
  },
)

browserTest('a reflex is back after sign-in without the address of its webhook', async () => {
  const user = await newVerifiedUser(server.current)
  const page = await open(user, '/automation/reflexes/new')
  await page.getByLabel('Name').fill('Too hot')
  await page.getByRole('button', { name: /Action$/ }).press('Enter')
  await page.getByRole('option', { name: 'Call a webhook' }).click()
  await page.getByLabel('URL').fill('https://hooks.example.com/secret-of-ada')
  await endSessions(user)
  await page.getByRole('button', { name: 'Create reflex' }).press('Enter')
  const stored = await atSignIn(page)
  expect(stored).toContain('Too hot')
  expect(stored).not.toContain('secret-of-ada')
  await signIn(page, user.email)
  await page.getByLabel('Name').waitFor()
  expect(await page.getByLabel('Name').inputValue()).toBe('Too hot')
  expect(await page.getByLabel('URL').inputValue()).toBe('')
})

browserTest('another user who signs in does not get the input', async () => {
  const [first, second] = [
    await newVerifiedUser(server.current),
    await newVerifiedUser(server.current),
  ]
  const page = await open(first, '/memories/new')
  await page.getByLabel('Text').fill('A note of the first user')
  await endSessions(first)
  await page.getByRole('button', { name: 'Remember', exact: true }).press('Enter')
  expect(await atSignIn(page)).toContain('A note of the first user')
  await signIn(page, second.email)
  await page.getByRole('button', { name: second.email }).waitFor()
  expect(await page.getByLabel('Text').inputValue()).toBe('')
  expect(await storedIn(page)).toEqual({})
})

/** Switches a tab to an organization that the user has. */
const workIn = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Workspace: Personal' }).click()
  await page.getByRole('menuitem', { name }).click()
  await page.getByText(`You now work in ${name}`).waitFor()
}

browserTest('another user who signs in does not get the workspace', async () => {
  const [first, second] = [
    await newVerifiedUser(server.current),
    await newVerifiedUser(server.current),
  ]
  await first.client.call(createOrg, { body: { name: 'Analytics' } })
  const page = await open(first, '/memories/new')
  await workIn(page, 'Analytics')
  await endSessions(first)
  await page.getByLabel('Text').fill('A note')
  await page.getByRole('button', { name: 'Remember', exact: true }).press('Enter')
  await atSignIn(page)
  await signIn(page, second.email)
  await page.getByRole('button', { name: second.email }).waitFor()
  await page.getByRole('button', { name: 'Workspace: Personal' }).waitFor()
  expect(await page.getByText('You are no longer a member').count()).toBe(0)
})

browserTest('a tab whose storage is full leads to sign-in too, and keeps nothing', async () => {
  const user = await newVerifiedUser(server.current)
  await user.client.call(createOrg, { body: { name: 'Analytics' } })
  const page = await open(user, '/memories/new')
  await workIn(page, 'Analytics')
  await page.getByLabel('Text').fill('A note')
  await page.evaluate(
    'Storage.prototype.setItem = () => { throw new DOMException("", "QuotaExceededError") }',
  )
  await endSessions(user)
  await page.getByRole('button', { name: 'Remember', exact: true }).press('Enter')
  await atSignIn(page)
  expect(await storedIn(page)).toEqual({})
})

browserTest('a sign-out clears the workspace and unsent input in every tab', async () => {
  const user = await newVerifiedUser(server.current)
  await user.client.call(createOrg, { body: { name: 'Analytics' } })
  const page = await open(user, '/memories/new')
  const tab = await page.context().newPage()
  await tab.goto(page.url())
  for (const each of [page, tab]) {
    await workIn(each, 'Analytics')
    await each.getByLabel('Text').fill('Never mind')
  }
  await tab.getByRole('button', { name: user.email }).click()
  await tab.getByRole('menuitem', { name: 'Sign out' }).click()
  for (const each of [tab, page]) {
    await heading(each, 'Sign in')
    expect(await storedIn(each)).toEqual({})
  }
  await signIn(page, user.email)
  await page.getByRole('button', { name: 'Workspace: Personal' }).waitFor()
  expect(await page.getByLabel('Text').inputValue()).toBe('')
})

browserTest(
  'unsent input is there after a reload and after another site, and not after it was sent',
  async () => {
    const user = await newVerifiedUser(server.current)
    const page = await open(user, '/chat')
    const message = page.getByRole('textbox', { name: 'Message' })
    await message.fill('A half-written question')
    await page.reload()
    await heading(page, 'New chat')
    expect(await message.inputValue()).toBe('A half-written question')
    await page.getByRole('link', { name: 'Memories' }).first().click()
    await page.goto(`${server.current.baseUrl}/app/memories/new`)
    const text = page.getByLabel('Text')
    await text.fill('A half-written memory')
    await page.goto('about:blank')
    await page.goBack()
    await text.waitFor()
    expect(await text.inputValue()).toBe('A half-written memory')
    await page.getByRole('button', { name: 'Remember', exact: true }).click()
    await page.locator('.memory-content').filter({ hasText: 'A half-written memory' }).waitFor()
    await page.goto(`${server.current.baseUrl}/app/memories/new`)
    await text.waitFor()
    expect(await text.inputValue()).toBe('')
  },
)
