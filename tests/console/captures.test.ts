import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import {
  capture,
  deleteMemory,
  listCaptures,
  listMemories,
  remember,
} from '../../shared/contract/index.ts'
import { browserTest, focused, heading } from '../browser/support.ts'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open, expectProblems } = useConsole(server)

const PATH = '/memories/captured'

interface Held {
  client?: string
  session: string
  project?: string | null
  at?: string
}

/** Captures a prompt and its answer. */
const hold = ({ client: api }: TestUser, held: Held) => {
  const { client = 'codex', session, project = 'acme/shop', at } = held
  const messages = (['user', 'assistant'] as const).map((role) => ({
    turn: '1',
    ordinal: 1,
    role,
    content: role === 'user' ? `We deploy ${session} to Hetzner.` : `Noted for ${session}.`,
    ...(at && { occurred_at: at }),
  }))
  return api.call(capture, { body: { client, session, project, channel: 'hook', messages } })
}

const rows = (page: Page) =>
  page.getByRole('list', { name: 'Captured conversations' }).getByRole('listitem')
const row = (page: Page, session: string) => rows(page).filter({ hasText: session })

const liveOf = async ({ client }: TestUser, thread: string) =>
  (await client.call(listMemories, { query: { thread } })).memories.length

describe('captured conversations', () => {
  browserTest('a new account is led to the command that connects an assistant', async () => {
    const page = await open(await newUser(server.current), '/memories')
    await page.getByRole('link', { name: 'Captured' }).click()
    await heading(page, 'Captured conversations')
    await page.getByRole('heading', { name: 'Nothing captured yet' }).waitFor()
    await page.getByText('svc connect codex').waitFor()
    await page.getByRole('link', { name: 'Other ways to connect' }).waitFor()
    await expectAccessible(page)
  })

  browserTest('a conversation is deleted, brought back and opened by keyboard alone', async () => {
    const user = await newUser(server.current)
    await hold(user, { session: 'first', at: '2026-01-31T09:30:00Z' })
    await hold(user, { session: 'second', client: 'claude-code', project: null })
    const page = await open(user, PATH)
    await rows(page).nth(1).waitFor()
    expect(await rows(page).first().textContent()).toContain('Claude Code')
    await row(page, 'first').getByText('2 memories').waitFor()

    const named = 'the conversation with Codex in acme/shop'
    const button = row(page, 'first').getByRole('button')
    await page.getByRole('button', { name: `Delete ${named}` }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Deleted 2 memories of the conversation').waitFor()
    await row(page, 'first').getByText('Deleted', { exact: true }).waitFor()
    await focused(button)
    expect(await liveOf(user, 'codex:first')).toBe(0)
    expect(await liveOf(user, 'claude-code:second')).toBe(2)
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Undo' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Restored 2 memories of the conversation').waitFor()
    await page.getByRole('button', { name: `Delete ${named}` }).waitFor()
    expect(await liveOf(user, 'codex:first')).toBe(2)

    await button.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Restore ${named}` }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: `Restore ${named}` }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: `Delete ${named}` }).waitFor()

    await row(page, 'first').getByRole('link', { name: 'acme/shop' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('row').filter({ hasText: 'We deploy first' }).waitFor()
    expect(new URL(page.url()).searchParams.get('thread')).toBe('codex:first')
    expect(await page.getByRole('row').count()).toBe(2)
  })

  browserTest('the filter shows one assistant and stays after a reload', async () => {
    const user = await newUser(server.current)
    await hold(user, { session: 'first' })
    await hold(user, { session: 'other', client: 'my-agent', project: null })
    const page = await open(user, PATH)
    await page.getByRole('button', { name: 'Assistant' }).click()
    await page.getByRole('option', { name: 'my-agent' }).click()
    await row(page, 'first').waitFor({ state: 'detached' })
    await page.reload()
    await row(page, 'other').getByRole('link', { name: 'No project' }).waitFor()
    expect(await rows(page).count()).toBe(1)

    await page.getByRole('button', { name: 'Assistant' }).click()
    await page.getByRole('option', { name: 'Cursor' }).click()
    await page.getByRole('heading', { name: 'Nothing captured from Cursor' }).waitFor()
    await page.getByText('svc connect cursor').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Show all assistants' }).click()
    await rows(page).nth(1).waitFor()
    await page.goto(page.url().replace(/captured.*/, 'captured?client=No%20such'))
    await rows(page).nth(1).waitFor()
  })

  browserTest('further conversations are loaded page by page', async () => {
    const user = await newUser(server.current)
    for (let i = 0; i < 55; i++)
      await hold(user, {
        session: `talk-${i}`,
        at: new Date(Date.UTC(2026, 0, 1, i)).toISOString(),
      })
    const page = await open(user, PATH)
    await rows(page).nth(49).waitFor()
    expect(await rows(page).count()).toBe(50)
    await page.getByRole('button', { name: 'Load more' }).click()
    await rows(page).nth(54).waitFor()
    expect(await rows(page).last().textContent()).toContain('talk-0')
  })

  browserTest('one with some deleted memories offers both, and long names fit', async () => {
    const user = await newUser(server.current)
    const session = `s${'x'.repeat(199)}`
    const project = `<img src=x onerror="alert(1)"> ${'W'.repeat(160)}`
    const { memories } = await hold(user, { client: `c${'-agent'.repeat(8)}`, session, project })
    await user.client.call(deleteMemory, {
      params: { memory_id: memories[0]?.memory_id ?? '' },
    })
    const page = await open(user, PATH)
    await rows(page).getByText('1 memory (1 deleted)').waitFor()
    await rows(page).getByRole('link', { name: '<img src=x' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Delete the conversation' }).click()
    await rows(page).getByText('2 memories', { exact: false }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await rows(page).getByText('1 memory (1 deleted)').waitFor()
    await page.getByRole('button', { name: 'Restore the conversation' }).click()
    await rows(page).getByText('2 memories', { exact: false }).waitFor()
    const { sessions } = await user.client.call(listCaptures)
    expect(sessions).toMatchObject([{ memories: 2, deleted: 0 }])
  })

  browserTest('a failed deletion is reported, and the conversation stays', async () => {
    const user = await newUser(server.current)
    await hold(user, { session: 'kept' })
    const page = await open(user, PATH)
    expectProblems(/Failed|ERR_/)
    await page.route('**/api/captures?*', (route) =>
      route.request().method() === 'DELETE' ? route.abort('connectionrefused') : route.continue(),
    )
    await page.getByRole('button', { name: 'Delete the conversation' }).click()
    await page.getByText('The server does not answer').waitFor()
    await page.getByRole('button', { name: 'Delete the conversation' }).waitFor()
    expect(await liveOf(user, 'codex:kept')).toBe(2)
  })
})

describe('the trust of a memory', () => {
  browserTest('results, rows and details name who wrote it and where it was captured', async () => {
    const user = await newUser(server.current)
    await hold(user, { session: 'harbour' })
    await user.client.call(remember, { body: { content: 'The harbour is mine.' } })
    await request(server.current, 'POST', '/api/memories/import', {
      token: user.key,
      body: JSON.stringify({ content: 'The harbour was imported.' }),
      headers: { 'content-type': 'application/x-ndjson' },
    })
    const page = await open(user, '/memories')
    const listed = (text: string) => page.getByRole('row').filter({ hasText: text })
    await listed('Noted for harbour.').getByText('Assistant', { exact: true }).waitFor()
    await listed('was imported').getByText('Imported', { exact: true }).waitFor()

    await page.getByRole('searchbox', { name: 'Search memories' }).fill('harbour')
    const found = (text: string) =>
      page
        .getByRole('list', { name: 'Search results' })
        .getByRole('listitem')
        .filter({ hasText: text })
    await found('is mine').getByText('From you', { exact: true }).waitFor()
    await found('was imported').getByText('Imported', { exact: true }).waitFor()
    await found('We deploy').getByText('From you · Codex, by hook').waitFor()
    await found('Noted').getByText('An assistant wrote this · Codex, by hook').waitFor()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Noted for harbour.' }).click()
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByText('An assistant wrote this').waitFor()
    await details.getByText('Codex, by hook').waitFor()
    await expectAccessible(page)
    await details.getByRole('link', { name: 'Show its conversations' }).click()
    await row(page, 'harbour').waitFor()
    expect(new URL(page.url()).search).toBe('?client=codex')
  })
})
