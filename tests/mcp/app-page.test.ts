import { describe, expect } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { FrameLocator, Page } from 'playwright-core'
import {
  deleteMemory,
  getMemory,
  listFeedback,
  listMemories,
  remember,
  rememberBatch,
  restoreMemory,
} from '../../shared/contract/index.ts'
import { browserTest, useBrowser } from '../browser/support.ts'
import { newUser, type TestUser, useServer } from '../harness/server.ts'
import { TOOL_NAMES } from './client.ts'

const server = useServer()
const browser = useBrowser(server)

const HOSTILE = `<img src=x onerror="document.title='owned'"></p><script>document.title='owned'</script> tea "'>`

/** Bundled once. */
let script: Promise<string> | undefined
const hostScript = async (): Promise<string> => {
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, 'app-host/host.ts')],
    target: 'browser',
  })
  return (await built.outputs[0]?.text()) ?? ''
}

/** The sandbox of hosts: scripts run, in an origin of their own. */
const HOST_PAGE =
  '<!doctype html><html lang="en"><title>Host</title><body style="margin:0"><iframe id="app" title="svc" sandbox="allow-scripts" style="width:100%;border:0"></iframe>'

interface Options {
  theme?: 'light' | 'dark'
  query?: string
  format?: string
}

/** Recalls in a host, and opens the page of the result. */
const showRecall = async (
  user: TestUser,
  { theme = 'light', query = '', ...more }: Options = {},
): Promise<{ page: Page; app: FrameLocator }> => {
  const page = await browser.visit({ viewport: { width: 520, height: 700 } })
  const address = `${server.current.baseUrl}/host-of-the-test`
  await page.route(address, (route) => route.fulfill({ contentType: 'text/html', body: HOST_PAGE }))
  await page.goto(address)
  script ??= hostScript()
  await page.evaluate(await script)
  const input = { query: 'What does Ada drink?', ...more }
  await page.evaluate(`showRecall(${JSON.stringify({ key: user.key, theme, query, input })})`)
  const app = page.frameLocator('#app')
  await app.getByRole('heading', { level: 1 }).waitFor()
  return { page, app }
}

const contents = ['Ada drinks tea.', 'Ada drinks no coffee.', 'Bob drinks water.'] as const

const withMemories = async (): Promise<{ user: TestUser; ids: string[] }> => {
  const user = await newUser(server.current)
  const { memories } = await user.client.call(rememberBatch, {
    body: { memories: contents.map((content) => ({ content, tags: ['drinks'] })) },
  })
  return { user, ids: memories.map(({ memory_id }) => memory_id) }
}

const cardOf = (app: FrameLocator, name: string) => app.getByRole('article', { name })

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
    const frame = page.frames().find((each) => each !== page.mainFrame())
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
    const frame = page.frames().find((each) => each !== page.mainFrame())
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
    const frame = page.frames().find((each) => each !== page.mainFrame())
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
        ...{ content, thread: `https://example.com/${'langer-pfad/'.repeat(30)}` },
        tags: ['rindfleischetikettierungsueberwachungsaufgabenuebertragungsgesetz'],
      },
    })
    const { page, app } = await showRecall(user)
    await page.setViewportSize({ width: 320, height: 700 })
    await app.getByRole('button', { name: 'Show all' }).click()
    await app.getByText(content, { exact: true }).waitFor()
    const frame = page.frames().find((each) => each !== page.mainFrame())
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
      const frame = page.frames().find((each) => each !== page.mainFrame())
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
