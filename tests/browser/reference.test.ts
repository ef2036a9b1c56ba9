import { expect } from 'bun:test'
import { contract } from '../../shared/contract/index.ts'
import { newUser, useServer } from '../harness/server.ts'
import { browserTest, useBrowser } from './support.ts'

const server = useServer()
const { visit } = useBrowser(server)

browserTest('the API reference shows every endpoint, from this server alone', async () => {
  const page = await visit()
  await page.goto(`${server.current.baseUrl}/api/docs`)
  await page.locator('.opblock').first().waitFor()
  const shown = (await page.locator('.opblock-summary-path').allTextContents()).map((path) =>
    path.replaceAll('\u200b', ''),
  )
  expect(shown.toSorted()).toEqual(contract.map(({ path }) => path).toSorted())
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
