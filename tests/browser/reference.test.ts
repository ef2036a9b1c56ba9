import { expect } from 'bun:test'
import { contract, protocols } from '../../shared/contract/index.ts'
import { newUser, useServer } from '../harness/server.ts'
import { browserTest, useBrowser } from './support.ts'

const server = useServer()
const rows = [...contract, ...protocols]
const { visit } = useBrowser(server)

const IN_SIGHT = `[...document.querySelectorAll('.opblock-summary')].map((summary) =>
  summary.querySelector('.opblock-summary-method').textContent + ' ' +
  summary.querySelector('.opblock-summary-path').dataset.path)`

browserTest('the API reference shows every endpoint, from this server alone', async () => {
  const page = await visit()
  await page.goto(`${server.current.baseUrl}/api/docs`)
  await page.locator('.opblock').first().waitFor()
  // Only what is in sight, and near it, is on the page.
  const shown = new Set<string>()
  const readOn = async () => {
    for (const operation of await page.evaluate<string[]>(IN_SIGHT)) shown.add(operation)
    await page.mouse.wheel(0, 400)
  }
  const isAtEnd = () =>
    page.evaluate<boolean>('scrollY + innerHeight >= document.body.scrollHeight - 1')
  // A busy machine may be slow to show what comes into sight.
  for (let pass = 0; pass < 5 && shown.size < rows.length; pass++) {
    await page.evaluate('scrollTo(0, 0)')
    while (!(await isAtEnd())) await readOn()
    await readOn()
  }
  expect([...shown].sort()).toEqual(rows.map(({ method, path }) => `${method} ${path}`).sort())
})

browserTest('an endpoint can be tried in the API reference, with a key', async () => {
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
