import { describe, expect } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { getMemory, listFeedback, listMemories } from '../../shared/contract/index.ts'
import { browserTest } from '../browser/support.ts'
import { cardOf, contents, frameOf, useAppHost } from './app-host/support.ts'
import { TOOL_NAMES } from './client.ts'

const { showRecall, withMemories } = useAppHost()

describe('the page of a recall', () => {
  browserTest('the page shows the memories with scores, and explains one on demand', async () => {
    const { user } = await withMemories()
    const { page, app } = await showRecall(user)
    await app.getByRole('heading', { name: '3 memories for “What does Ada drink?”' }).waitFor()
    const tea = cardOf(app, contents[0])
    await tea.getByText('#drinks').waitFor()
    await tea.getByRole('img', { name: /^Score [\d.]+ of 1$/ }).waitFor()
    await tea.getByText('Why this memory?').click()
    await tea.getByText(/^Words of the question: [\d.]+$/).waitFor()
    expect(await page.evaluate<string[]>('host.modelTools')).toEqual(TOOL_NAMES)
  })

  browserTest('a memory is forgotten and brought back, and the model is informed', async () => {
    const { user, ids } = await withMemories()
    const { page, app } = await showRecall(user)
    const tea = cardOf(app, contents[0])
    await tea.getByRole('button', { name: 'Forget' }).click()
    await tea.getByText('Forgotten.').waitFor()
    const countMemories = async () =>
      (await user.client.call(listMemories, { query: {} })).memories.length
    expect(await countMemories()).toBe(2)
    expect(await page.evaluate<string[]>('host.modelContext')).toEqual([
      `The user changed recalled memories:\n${ids[0]}: Forgotten`,
    ])
    await tea.getByRole('button', { name: 'Undo' }).click()
    await tea.getByRole('button', { name: 'Forget' }).waitFor()
    expect(await countMemories()).toBe(3)
  })

  browserTest('a memory is marked as not relevant to the question, and unmarked', async () => {
    const { user, ids } = await withMemories()
    const { app } = await showRecall(user)
    const water = cardOf(app, contents[2])
    const params = { memory_id: ids[2] ?? '' }
    const marks = async () =>
      (await user.client.call(listFeedback, { params })).feedback.map(({ question }) => question)
    await water.getByRole('button', { name: 'Not relevant here' }).click()
    await water.getByText('Marked as not relevant here.').waitFor()
    expect(await marks()).toEqual(['What does Ada drink?'])
    await water.getByRole('button', { name: 'Undo' }).click()
    await water.getByRole('button', { name: 'Not relevant here' }).waitFor()
    expect(await marks()).toEqual([])
  })

  browserTest(
    'a memory is corrected with the keyboard alone, and the correction undone',
    async () => {
      const { user, ids } = await withMemories()
      const { page, app } = await showRecall(user)
      const memory = async () =>
        user.client.call(getMemory, { params: { memory_id: ids[0] ?? '' } })
      const tea = cardOf(app, contents[0])
      await tea.getByRole('button', { name: 'Replace…' }).focus()
      await page.keyboard.press('Enter')
      await tea.getByLabel('New text').and(app.locator(':focus')).waitFor()
      await page.keyboard.press('ControlOrMeta+A')
      await page.keyboard.type('Ada drinks green tea.')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await tea.getByText('Replaced.').waitFor()
      expect((await memory()).content_text).toBe('Ada drinks green tea.')
      await tea.getByRole('button', { name: 'Undo' }).and(app.locator(':focus')).waitFor()
      await page.keyboard.press('Enter')
      await tea.getByText(contents[0], { exact: true }).waitFor()
      expect((await memory()).content_text).toBe(contents[0])
    },
  )

  browserTest('a memory that has changed is superseded, and undoing makes it current', async () => {
    const { user, ids } = await withMemories()
    const { app } = await showRecall(user)
    const tea = cardOf(app, contents[0])
    await tea.getByRole('button', { name: 'Replace…' }).click()
    await tea.getByLabel('New text').fill('Ada drinks cocoa.')
    await tea.getByLabel('was true, and has changed').check()
    await tea.getByRole('button', { name: 'Save' }).click()
    await tea.getByText('Replaced.').waitFor()
    const texts = async () => {
      const { memories } = await user.client.call(listMemories, { query: {} })
      return memories.flatMap((each) => (each.superseded_by ? [] : each.content_text)).sort()
    }
    expect(await texts()).toEqual(['Ada drinks cocoa.', contents[1], contents[2]])
    await tea.getByRole('button', { name: 'Undo' }).click()
    await tea.getByRole('button', { name: 'Replace…' }).waitFor()
    expect(await texts()).toEqual([contents[1], contents[0], contents[2]].sort())
    const params = { memory_id: ids[0] ?? '' }
    expect((await user.client.call(getMemory, { params })).superseded_by).toBeNull()
  })

  browserTest('a compact answer is listed, and a read-only connection has no buttons', async () => {
    const { user } = await withMemories()
    const { app } = await showRecall(user, { query: '?readonly=true', format: 'text' })
    await cardOf(app, contents[0]).waitFor()
    expect(await app.getByRole('button').count()).toBe(0)
  })

  for (const theme of ['light', 'dark'] as const) {
    browserTest(`the page is accessible and fits a phone, ${theme}`, async () => {
      const { user } = await withMemories()
      const { page, app } = await showRecall(user, { theme })
      const tea = cardOf(app, contents[0])
      await tea.getByText('Why this memory?').click()
      await tea.getByText(/^Words of the question/).waitFor()
      await cardOf(app, contents[1]).getByRole('button', { name: 'Replace…' }).click()
      await cardOf(app, contents[2]).getByRole('button', { name: 'Forget' }).click()
      await app.getByText('Forgotten.').waitFor()
      const frame = frameOf(page)
      await frame?.evaluate(`(() => { ${axe.source} })()`)
      const violations = await frame?.evaluate<unknown[]>(
        "axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))",
      )
      expect(violations).toEqual([])
      const background = await frame?.evaluate<string>(
        'getComputedStyle(document.body).backgroundColor',
      )
      expect(Number(/\d+/.exec(background ?? '')?.[0]) < 128).toBe(theme === 'dark')
      if (process.env.TEST_SCREENSHOTS) {
        mkdirSync(process.env.TEST_SCREENSHOTS, { recursive: true })
        const path = join(process.env.TEST_SCREENSHOTS, `mcp-app-${theme}.png`)
        await page.screenshot({ path, fullPage: true })
      }
      await page.setViewportSize({ width: 320, height: 700 })
      const width = await frame?.evaluate<number>('document.documentElement.scrollWidth')
      expect(width).toBeLessThanOrEqual(320)
    })
  }

  browserTest('the page follows the host when its theme changes', async () => {
    const { user } = await withMemories()
    const { page, app } = await showRecall(user)
    await page.evaluate("changeTheme('dark')")
    await app.locator(':root[data-theme="dark"]').waitFor()
  })
})
