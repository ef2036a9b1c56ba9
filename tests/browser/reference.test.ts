import { expect } from 'bun:test'
import { contract, protocols } from '../../shared/contract/index.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { browserTest, useBrowser } from './support.ts'

const server = useSharedServer()
const rows = [...contract, ...protocols]
const { visit } = useBrowser(server)

const IN_SIGHT = `[...document.querySelectorAll('.opblock-summary')].map((summary) =>
  summary.querySelector('.opblock-summary-method').textContent + ' ' +
  summary.querySelector('.opblock-summary-path').dataset.path)`

browserTest(
  'the API reference shows every endpoint and loads nothing from other hosts',
  async () => {
    const page = await visit()
    await page.goto(`${server.current.baseUrl}/api/docs`)
    await page.locator('.opblock').first().waitFor()
    // The page renders only operations near the viewport.
    const shown = new Set<string>()
    const readOn = async () => {
      for (const operation of await page.evaluate<string[]>(IN_SIGHT)) shown.add(operation)
      await page.mouse.wheel(0, 400)
    }
    const isAtEnd = () =>
      page.evaluate<boolean>('scrollY + innerHeight >= document.body.scrollHeight - 1')
    // Rendering may be slow on a busy machine.
    for (let pass = 0; pass < 5 && shown.size < rows.length; pass++) {
      await page.evaluate('scrollTo(0, 0)')
      while (!(await isAtEnd())) await readOn()
      await readOn()
    }
    expect([...shown].sort()).toEqual(rows.map(({ method, path }) => `${method} ${path}`).sort())
  },
)

browserTest('the API reference finds operations by words, and follows dark mode', async () => {
  const page = await visit({ colorScheme: 'dark' })
  await page.goto(`${server.current.baseUrl}/api/docs`)
  await page.locator('.opblock').first().waitFor()
  await page.getByPlaceholder('Filter by tag').fill('revoke key')
  const found = page.locator('.opblock-summary-path')
  await page.locator('.opblock').nth(4).waitFor({ state: 'detached' })
  expect(await found.allInnerTexts()).toContain('/api/auth/api-keys/{key_id}')
  const background = () =>
    page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor')
  const dark = await background()
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html:not(.dark-mode)').waitFor()
  expect(await background()).not.toBe(dark)
})

browserTest('the API reference calls an endpoint with an API key', async () => {
  const { key, email } = await newUser(server.current)
  const page = await visit()
  await page.goto(`${server.current.baseUrl}/api/docs#/Account/me`)
  await page.getByRole('button', { name: 'Authorize', exact: true }).click()
  const bearer = page.locator('.auth-container').first()
  await bearer.getByRole('textbox').fill(key)
  await bearer.getByRole('button', { name: 'Apply credentials' }).click()
  await bearer.getByRole('button', { name: 'Close' }).click()
  const operation = page.locator('#operations-Account-me')
  await operation.getByRole('button', { name: 'Try it out' }).click()
  await operation.getByRole('button', { name: 'Execute' }).click()
  await operation.locator('.live-responses-table').getByText(email).waitFor()
})
