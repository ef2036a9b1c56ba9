import { describe, expect } from 'bun:test'
import { browserTest, heading } from '../browser/support.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open } = useConsole(server)

describe('API keys', () => {
  browserTest('a key is created, shown and revoked by keyboard alone', async () => {
    const page = await open(await newUser(server.current), '/connect/keys')
    await page.getByRole('button', { name: 'Create key' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Name').waitFor()
    await page.keyboard.type('script')
    await page.keyboard.press('Enter')

    const key = await page
      .getByRole('dialog')
      .getByText(/^svc_\w+/)
      .textContent()
    const me = await request(server.current, 'GET', '/api/me', { token: key ?? '' })
    expect(me.status).toBe(200)
    await page.keyboard.press('Escape')
    await page.getByRole('cell', { name: 'script', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Revoke script' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Revoked script').waitFor()
    await page.getByRole('cell', { name: 'script', exact: true }).waitFor({ state: 'detached' })
    expect((await request(server.current, 'GET', '/api/me', { token: key ?? '' })).status).toBe(401)
  })

  browserTest('a key is limited to reading, paused and resumed by keyboard', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/connect/keys')
    const choose = async (role: 'menuitem' | 'menuitemradio', name: string) => {
      await page.getByRole('button', { name: 'Limits of test' }).press('Enter')
      await page.getByRole(role, { name }).press('Enter')
    }
    const write = () =>
      request(server.current, 'POST', '/api/remember', { token: user.key, body: { content: 'x' } })
    await choose('menuitemradio', 'Only read memories')
    await page.getByText('Changed what test may do').waitFor()
    await page.getByRole('cell', { name: 'test Read-only' }).waitFor()
    expect((await write()).status).toBe(403)
    await choose('menuitem', 'Pause')
    await page.getByRole('cell', { name: 'test Paused Read-only' }).waitFor()
    await page.getByRole('button', { name: 'Create key' }).focus()
    await expectAccessible(page)
    await choose('menuitem', 'Resume')
    await choose('menuitemradio', 'Everything')
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
    expect((await write()).status).toBe(201)
    await choose('menuitem', 'Show its activity')
    await page.waitForURL('**/activity?client=test')
    await page.getByText('remembered 1 memory').waitFor()
  })

  browserTest('every state is accessible', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/connect/keys')
    await page.getByRole('cell', { name: 'test', exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await heading(page, 'API keys')
  })
})
