import { describe, expect } from 'bun:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { deleteMemory, getMemory, remember, restoreMemory } from '../../shared/contract/index.ts'
import { browserTest } from '../browser/support.ts'
import { newUser } from '../harness/server.ts'
import { cardOf, contents, frameOf, useAppHost } from './app-host/support.ts'

const { server, browser, showRecall, withMemories } = useAppHost()

const HOSTILE = `<img src=x onerror="document.title='owned'"></p><script>document.title='owned'</script> tea "'>`

describe('the page of a recall with faults around it', () => {
  browserTest('hostile text is inert, and the page reaches no network', async () => {
    const user = await newUser(server.current)
    await user.client.call(remember, {
      body: {
        content: `Ada drinks ${HOSTILE}`,
        author: HOSTILE.slice(0, 150),
        tags: [HOSTILE.slice(0, 90)],
      },
    })
    browser.expectProblems(/Content Security Policy|violates the following/)
    const { page, app } = await showRecall(user)
    await app.getByText(HOSTILE, { exact: false }).first().waitFor()
    expect(await app.locator('img').count()).toBe(0)
    const frame = frameOf(page)
    expect(await frame?.title()).toBe('Recalled memories')
    const reached = `fetch('${server.current.baseUrl}/api/health').then(() => true, () => false)`
    expect(await frame?.evaluate<boolean>(reached)).toBe(false)
    expect(await frame?.evaluate<string>('origin')).toBe('null')
  })

  browserTest('an action that fails is explained, and works again later', async () => {
    const { user, ids } = await withMemories()
    const { app } = await showRecall(user)
    const params = { memory_id: ids[0] ?? '' }
    await user.client.call(deleteMemory, { params })
    const tea = cardOf(app, contents[0])
    await tea.getByRole('button', { name: 'Forget' }).click()
    await tea.getByRole('alert').filter({ hasText: 'Memory not found.' }).waitFor()
    await user.client.call(restoreMemory, { params })
    await tea.getByRole('button', { name: 'Forget' }).click()
    await tea.getByText('Forgotten.').waitFor()
  })

  const callsOf = async (page: Page, name: string) =>
    (await page.evaluate<string[]>('host.calls')).filter((called) => called === name)

  browserTest('keys that are pressed again during an action do nothing', async () => {
    const { user } = await withMemories()
    const { page, app } = await showRecall(user)
    const tea = cardOf(app, contents[0])
    await tea.getByRole('button', { name: 'Replace…' }).click()
    await tea.getByLabel('New text').fill('Ada drinks cocoa.')
    const frame = frameOf(page)
    await frame?.evaluate(`(() => {
      const press = (key) =>
        document.querySelector('textarea').dispatchEvent(
          new KeyboardEvent('keydown', { key, ctrlKey: key === 'Enter', bubbles: true }))
      for (const key of ['Enter', 'Enter', 'Escape', 'Enter']) press(key)
    })()`)
    await tea.getByText('Replaced.').waitFor()
    expect(await callsOf(page, 'update')).toHaveLength(1)
    expect(await tea.getByRole('alert').textContent()).toBe('')
  })

  browserTest('undoing that failed half way is continued, and keeps the focus', async () => {
    const { user, ids } = await withMemories()
    const { page, app } = await showRecall(user)
    const tea = cardOf(app, contents[0])
    await tea.getByRole('button', { name: 'Replace…' }).click()
    await tea.getByLabel('New text').fill('Ada drinks cocoa.')
    await tea.getByLabel('was true, and has changed').check()
    await tea.getByRole('button', { name: 'Save' }).click()
    await tea.getByText('Replaced.').waitFor()
    await page.evaluate("host.failNext.push('restore')")
    const undo = tea.getByRole('button', { name: 'Undo' })
    await undo.press('Enter')
    await tea.getByRole('alert').filter({ hasText: 'The network is down' }).waitFor()
    await undo.and(app.locator(':focus')).waitFor()
    await page.keyboard.press('Enter')
    await tea.getByRole('button', { name: 'Replace…' }).waitFor()
    const params = { memory_id: ids[0] ?? '' }
    expect((await user.client.call(getMemory, { params })).superseded_by).toBeNull()
  })

  browserTest('messages of a wrong form, or of another frame, change nothing', async () => {
    const { user } = await withMemories()
    const { page, app } = await showRecall(user)
    await cardOf(app, contents[0]).waitFor()
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.evaluate(`(() => {
      const send = (message) =>
        document.getElementById('app').contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*')
      for (const method of ['tool-input', 'tool-result', 'host-context-changed', 'x'])
        for (const params of [null, 5, 'x']) send({ method: 'ui/notifications/' + method, params })
      send({ method: 5 })
      send({ method: {}, id: 7 })
      send({ id: {}, result: null })
      send({ id: null, error: 'x' })
    })()`)
    const frame = frameOf(page)
    // A message of the frame itself, as of any frame but the host.
    await frame?.evaluate(
      "window.postMessage({ jsonrpc: '2.0', method: 'ui/notifications/tool-cancelled' }, '*')",
    )
    await page.evaluate("changeTheme('dark')")
    await app.locator(':root[data-theme="dark"]').waitFor()
    expect(await app.getByRole('article').count()).toBe(3)
    expect(problems).toEqual([])
  })

  browserTest('a result of a wrong form shows a message, and no broken memory', async () => {
    const { user } = await withMemories()
    const { page, app } = await showRecall(user)
    const show = (params: object) =>
      page.evaluate(`document.getElementById('app').contentWindow.postMessage(
        ${JSON.stringify({ jsonrpc: '2.0', method: 'ui/notifications/tool-result', params })}, '*')`)
    await show({ structuredContent: { memories: [null, 5, { memory_id: 1 }] } })
    await app.getByText('No memories found.').waitFor()
    await show({ isError: true, content: [null, { type: 'text', text: 'The recall failed.' }] })
    await app.getByText('The recall failed.').waitFor()
    const memory = { memory_id: 'x', content_text: 'Odd.', created_at: 'never', score: 'high' }
    await show({ structuredContent: { memories: [{ ...memory, tags: 'x', explanation: 5 }] } })
    await cardOf(app, 'Odd.').waitFor()
    expect(await app.getByText('NaN').count()).toBe(0)
  })

  browserTest('a long memory with long labels leaves room for the others at 320 px', async () => {
    const user = await newUser(server.current)
    const content = 'Ada trinkt morgens Tee. '.repeat(1_300).trim()
    await user.client.call(remember, {
      body: {
        content,
        thread: `https://example.com/${'langer-pfad/'.repeat(30)}`,
        tags: ['rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz'],
      },
    })
    const { page, app } = await showRecall(user)
    await page.setViewportSize({ width: 320, height: 700 })
    await app.getByRole('button', { name: 'Show all' }).click()
    await app.getByText(content, { exact: true }).waitFor()
    const frame = frameOf(page)
    const size = await frame?.evaluate<{ width: number; height: number }>(
      '({ width: document.documentElement.scrollWidth, height: document.documentElement.getBoundingClientRect().height })',
    )
    expect(size?.width).toBe(320)
    expect(size?.height).toBeLessThan(700)
    await frame?.evaluate(`(() => { ${axe.source} })()`)
    expect(
      await frame?.evaluate<unknown>('axe.run().then(({ violations }) => violations)'),
    ).toEqual([])
  })

  browserTest('text of another direction changes no label beside it', async () => {
    const user = await newUser(server.current)
    await user.client.call(remember, {
      body: { content: 'Ada drinks tea.', author: '\u202eBob', tags: ['drinks'] },
    })
    const { app } = await showRecall(user)
    const tags = app.getByText('#drinks')
    const author = app.getByText('Bob')
    const [left, right] = [await author.boundingBox(), await tags.boundingBox()]
    expect(right?.x).toBeGreaterThan(left?.x ?? Number.POSITIVE_INFINITY)
  })
})
