import { describe, expect } from 'bun:test'
import {
  getMemory,
  listMemories,
  remember,
  rememberBatch,
  updateMemory,
} from '../../shared/contract/index.ts'
import { browserTest, focused, heading } from '../browser/support.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open, expectProblems } = useConsole(server)

describe('the page of a memory', () => {
  browserTest('a memory shows facts, thread, versions and a diff of each change', async () => {
    const { client, ...user } = await newUser(server.current)
    const talk = ['Do trams run?', 'Yes, since Monday.', 'Then I take line 28.']
    const { memories } = await client.call(rememberBatch, {
      body: { memories: talk.map((content) => ({ content, thread: 'tram' })) },
    })
    const memory_id = memories[1]?.memory_id ?? ''
    const content = 'Ada lives in Porto. Yes, trams run since Tuesday.'
    await client.call(updateMemory, { params: { memory_id }, body: { content, tags: ['city'] } })
    const latest = content.replace('Tuesday', 'Wednesday')
    await client.call(updateMemory, { params: { memory_id }, body: { content: latest } })
    const { memory_id: newer } = await client.call(remember, {
      body: { content: 'Trams stopped again.', supersedes: memories[0]?.memory_id ?? '' },
    })
    const page = await open(user, `/memories/${memory_id}`)
    await page.locator('ins').filter({ hasText: 'Tuesday' }).waitFor()
    await page.locator('del').filter({ hasText: 'Monday' }).waitFor()
    const latestChange = page.locator('.history > li').first()
    await latestChange.locator('ins').filter({ hasText: 'Wednesday' }).waitFor()
    await latestChange.locator('del').filter({ hasText: 'Tuesday' }).waitFor()
    await page.getByText('Tags: nothing → city').waitFor()
    await page.getByRole('region', { name: 'Facts' }).getByText('Porto', { exact: true }).waitFor()
    await page
      .getByRole('region', { name: 'In its thread' })
      .getByText('Then I take line 28.')
      .waitFor()
    await expectAccessible(page)

    expect(await page.title()).toMatch(/^Ada lives in Porto\. Yes, trams run since Wednesday\. · /)

    await page.goto(page.url().replace(memory_id, newer))
    await page
      .getByRole('region', { name: 'Versions' })
      .getByRole('link', { name: 'Do trams run?' })
      .click()
    await page.getByText('A newer memory replaced this one').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Show the newer one' }).click()
    await page.locator('.memory-content').filter({ hasText: 'Trams stopped again.' }).waitFor()
  })

  browserTest('a memory that an assistant replaced says so, and is restored', async () => {
    const { client, ...user } = await newUser(server.current)
    const { memory_id } = await client.call(remember, { body: { content: 'I park in lot 4.' } })
    await client.call(remember, {
      body: { content: 'I park in lot 9.', author: 'assistant', supersedes: memory_id },
    })
    const page = await open(user, `/memories/${memory_id}`)
    await page.getByText('The newer one: An assistant wrote this.').waitFor()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByRole('button', { name: 'Edit' }).waitFor()
    const restored = await client.call(getMemory, { params: { memory_id } })
    expect(restored.superseded_by).toBeNull()
  })

  browserTest(
    'a memory is edited by keyboard, and the field shows what the API refuses',
    async () => {
      const { client, ...user } = await newUser(server.current)
      await client.call(remember, { body: { content: 'Taken text.' } })
      const { memory_id } = await client.call(remember, {
        body: { content: 'Free text.', tags: ['a'] },
      })
      const page = await open(user, `/memories/${memory_id}`)
      await page.getByRole('button', { name: 'Edit' }).focus()
      await page.keyboard.press('Enter')
      const text = page.getByLabel('Text')
      await text.fill('x'.repeat(32_001))
      await page.keyboard.press('Control+Enter')
      await page.locator('.field-error').filter({ hasText: '32000' }).waitFor()
      await page.reload()
      await text.fill('Taken text.')
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText('The same content is remembered already').waitFor()
      await text.fill('Better text.')
      await page.getByRole('textbox', { name: 'Tags' }).focus()
      await page.keyboard.type('b,')
      await expectAccessible(page)
      await page.getByRole('button', { name: 'Save' }).focus()
      await page.keyboard.press('Enter')
      await page.locator('.memory-content').filter({ hasText: 'Better text.' }).waitFor()
      const memory = await client.call(getMemory, { params: { memory_id } })
      expect([memory.content_text, memory.tags]).toEqual(['Better text.', ['a', 'b']])
    },
  )

  browserTest('an edit keeps what another program changed after the form was opened', async () => {
    const { client, ...user } = await newUser(server.current)
    const ids: string[] = []
    for (const content of ['Edited text.', 'Forgotten text.'])
      ids.push((await client.call(remember, { body: { content } })).memory_id)
    const [memory_id = '', forgotten] = ids
    const page = await open(user, `/memories/${forgotten}`)
    await page.getByRole('button', { name: 'Forget' }).click()
    await page.getByRole('link', { name: 'Edited text.' }).click()
    await page.getByRole('button', { name: 'Edit' }).click()
    await client.call(updateMemory, { params: { memory_id }, body: { tags: ['theirs'] } })
    // Undo requests all memories again that are shown.
    const refreshed = page.waitForResponse((response) => response.url().endsWith(memory_id))
    await page.getByRole('button', { name: 'Undo' }).click()
    await (await refreshed).finished()
    await page.getByText('Restored 1 memory').waitFor()
    await page.getByLabel('Text').fill('My text.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.memory-content').filter({ hasText: 'My text.' }).waitFor()
    expect((await client.call(getMemory, { params: { memory_id } })).tags).toEqual(['theirs'])
  })

  browserTest(
    'a memory is replaced by a new text, forgotten with undo, and deleted permanently',
    async () => {
      const { client, ...user } = await newUser(server.current)
      const { memory_id } = await client.call(remember, {
        body: { content: 'Old text.', tags: ['t'] },
      })
      const page = await open(user, `/memories/${memory_id}`)
      await page.getByRole('button', { name: 'Replace' }).click()
      await page.getByLabel('New text').fill('New text here.')
      const writes: string[] = []
      const held = Promise.withResolvers<void>()
      await page.route('**/api/remember', async (route) => {
        writes.push(route.request().url())
        await held.promise
        await route.continue()
      })
      await page.keyboard.press('Control+Enter')
      await page.locator('[data-pending]').waitFor()
      await page.keyboard.press('Control+Enter')
      held.resolve()
      await page.locator('.memory-content').filter({ hasText: 'New text here.' }).waitFor()
      const [newest] = (await client.call(listMemories)).memories
      expect([newest?.supersedes, newest?.tags]).toEqual([memory_id, ['t']])
      expect(writes.length).toBe(1)

      await page.getByRole('button', { name: 'Forget' }).click()
      await heading(page, 'Memories')
      await page
        .getByRole('row')
        .filter({ hasText: 'New text here.' })
        .waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByRole('link', { name: 'New text here.' }).click()

      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Delete permanently' }).click()
      await page
        .getByRole('alertdialog')
        .getByRole('button', { name: 'Delete permanently' })
        .click()
      await heading(page, 'Memories')
      await page.getByText('Deleted the memory permanently').waitFor()

      await page.goto(`${server.current.baseUrl}/app/memories/no-memory`)
      await page.getByRole('heading', { name: 'There is no such memory' }).waitFor()
      await expectAccessible(page)
      expectProblems(/404|422/)
    },
  )
})

describe('the form for a new memory', () => {
  browserTest('a memory is written with its type, tags and thread by keyboard alone', async () => {
    const { client, ...user } = await newUser(server.current)
    const page = await open(user, '/memories/new')
    const type = page.getByRole('button', { name: 'Type' })
    await focused(page.getByLabel('Text'))
    await page.keyboard.type('Ada likes figs.')
    await page.keyboard.press('Tab')
    await focused(type)
    await page.keyboard.press('ArrowDown')
    await focused(page.getByRole('option'))
    await page.keyboard.press('End')
    await focused(page.getByRole('option', { name: 'Preference' }))
    await page.keyboard.press('Enter')
    await focused(type)
    await page.keyboard.press('Tab')
    await focused(page.getByLabel('Tags'))
    await page.keyboard.type('food,fruit')
    await page.keyboard.press('Tab')
    await focused(page.getByLabel('Thread'))
    await page.keyboard.type('tastes')
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    await page.locator('.memory-content').filter({ hasText: 'Ada likes figs.' }).waitFor()
    const [memory] = (await client.call(listMemories)).memories
    expect(memory).toMatchObject({
      memory_type: 'preference',
      tags: ['food', 'fruit'],
      thread: 'tastes',
    })
  })
})
