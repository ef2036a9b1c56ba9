import { describe, expect } from 'bun:test'
import { registerApp, signInTo } from '../account/openid-provider-support.ts'
import { claimAdmin } from '../admin/support.ts'
import { browserTest, heading } from '../browser/support.ts'
import { newUser, PASSWORD, request, useServer } from '../harness/server.ts'
import { letIn, opens, register } from '../mcp/oauth-support.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useServer()
const { open } = useConsole(server)

const meStatus = async (token: string) =>
  (await request(server.current, 'GET', '/api/me', { token })).status

describe('connecting an assistant', () => {
  browserTest('Cursor gets a link, and settings with a new key, by keyboard alone', async () => {
    const page = await open(await newUser(server.current), '/connect')
    await page.getByText('claude mcp add --transport http svc').waitFor()
    await page.getByRole('link', { name: 'Cursor', exact: true }).focus()
    await page.keyboard.press('Enter')
    const href = await page.getByRole('link', { name: 'Add to Cursor' }).getAttribute('href')
    const config = new URL(href ?? '').searchParams.get('config') ?? ''
    expect(JSON.parse(atob(config))).toEqual({ url: `${server.current.baseUrl}/api/mcp` })
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Local process' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('svc connect cursor').waitFor()
    await page.getByRole('button', { name: 'Create a key for this' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('It cannot be shown again').waitFor()
    const settings = await page.locator('pre', { hasText: 'mcpServers' }).textContent()
    const { env } = JSON.parse(settings ?? '').mcpServers.svc
    expect(env.SVC_URL).toBe(server.current.baseUrl)
    expect(await meStatus(env.SVC_API_KEY)).toBe(200)
    await expectAccessible(page)

    await page.reload()
    await page.getByRole('heading', { level: 2, name: 'Cursor' }).waitFor()
    await page.locator('pre', { hasText: 'svc_…' }).waitFor()
  })

  browserTest('each assistant has its own steps', async () => {
    const page = await open(await newUser(server.current), '/connect?client=codex')
    const steps = [
      ['Codex', 'codex mcp login svc'],
      ['VS Code', 'Add to VS Code'],
      ['Windsurf', '"serverUrl"'],
      ['Zed', '"context_servers"'],
      ['ChatGPT', 'turn on Developer mode'],
      ['Claude Desktop', 'Add custom connector'],
      ['Other clients', 'Bearer svc_…'],
    ] as const
    for (const [title, text] of steps) {
      await page.getByRole('link', { name: title, exact: true }).click()
      await page.getByRole('heading', { level: 2, name: title }).waitFor()
      await page.getByText(text).first().waitFor()
    }
    expect(new URL(page.url()).search).toBe('?client=other')
    await page.goBack()
    await page.getByRole('heading', { level: 2, name: 'Claude Desktop' }).waitFor()
  })
})

browserTest('a connected app is shown with its name as text and revoked by keyboard', async () => {
  const user = await newUser(server.current)
  const name = `<b>Heron</b> ${'x'.repeat(60)}`
  const clientId = await register(server.current, { client_name: name })
  const granted = await letIn(server.current, user, { clientId })
  const page = await open(user, '/connect/apps')
  await page.getByText(name).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revoke <b>Heron' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('alertdialog').waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'No connected apps' }).waitFor()
  expect(await opens(server.current, granted.access)).toBe(false)
  await page.locator('h1:focus').waitFor()
  await page.getByRole('link', { name: 'Connect an assistant' }).click()
  await heading(page, 'Assistants')
})

browserTest('an app that the user signs in to is shown with its scopes and revoked', async () => {
  const admin = await newUser(server.current)
  await claimAdmin(server.current, admin)
  const app = await registerApp(server.current, admin)
  const user = await newUser(server.current)
  const scope = 'openid offline_access memory:read'
  const tokens = await signInTo(server.current, app, user, { scope })
  const page = await open(user, '/connect/apps')
  await page
    .getByText('knows who you are, keeps access while you are signed out, reads memories')
    .waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Revoke Planner' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('Planner', { exact: true }).waitFor({ state: 'detached' })
  const recalled = await request(server.current, 'POST', '/api/recall', {
    token: tokens.access_token,
    body: { query: 'heron' },
  })
  expect(recalled.status).toBe(401)
})

browserTest('sessions end one by one, all others at once, and all with this one', async () => {
  const user = await newUser(server.current)
  const signInAs = async (agent: string) => {
    const body = { email: user.email, password: PASSWORD }
    const headers = { 'user-agent': agent }
    const answer = await request(server.current, 'POST', '/api/auth/signin', { body, headers })
    return answer.body.access_token as string
  }
  const phone = await signInAs('Mozilla/5.0 (Android 15) Firefox/140.0')
  const terminal = await signInAs('svc/1.0')
  const page = await open(user, '/connect/sessions')
  const rows = page.getByRole('main').getByRole('listitem')
  await rows.nth(2).waitFor()
  expect(await rows.first().textContent()).toContain('This session')
  await expectAccessible(page)

  const confirm = async (action: string) =>
    page.getByRole('alertdialog').getByRole('button', { name: action }).click()
  await page.getByRole('button', { name: 'End session of Firefox on Android' }).click()
  await confirm('End session')
  await page.getByText('Ended the session of Firefox on Android').waitFor()
  expect([await meStatus(phone), await meStatus(terminal)]).toEqual([401, 200])

  await page.getByRole('button', { name: 'Sign out everywhere else' }).click()
  await confirm('Sign out')
  await page.getByText('Signed out everywhere else').waitFor()
  expect([await meStatus(terminal), await meStatus(user.accessToken)]).toEqual([401, 200])

  await page.getByRole('button', { name: 'Sign out everywhere', exact: true }).click()
  await confirm('Sign out')
  await heading(page, 'Sign in')
  expect(await meStatus(user.accessToken)).toBe(401)
})
