import { beforeAll, expect } from 'bun:test'
import { claimAdmin } from '../admin/support.ts'
import { browserTest } from '../browser/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  cookieValue,
  newUser,
  PASSWORD,
  request,
  type TestUser,
  useServer,
} from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const CALLBACK = 'https://planner.example.com/callback'
const server = useServer()
const { open } = useConsole(server)
let admin: TestUser
beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
}, 120_000)

const openAsAdmin = async (path = '/admin/apps') => {
  const { cookie } = await request(server.current, 'POST', '/api/auth/signin', {
    body: { email: admin.email, password: PASSWORD },
  })
  return open({ refreshToken: cookieValue(cookie) }, path)
}

const clients = async () =>
  (await request(server.current, 'GET', '/api/admin/clients', { token: admin.accessToken })).body

browserTest(
  'an app is registered, changed and deleted by keyboard alone, and a second tab sees it',
  async () => {
    const page = await openAsAdmin()
    await page.getByRole('heading', { name: 'No apps yet' }).waitFor()
    await expectAccessible(page)
    const second = await openAsAdmin()
    const { keyboard } = page
    await page.getByRole('button', { name: 'Register an app' }).first().focus()
    await keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await eventually(() => page.evaluate(`document.activeElement?.name === 'name'`))
    await keyboard.type('Planner')
    await keyboard.press('Tab')
    await keyboard.type('smb://a/b')
    await dialog.getByRole('button', { name: 'Register an app' }).focus()
    await keyboard.press('Enter')
    const field = dialog.getByLabel('Redirect URIs', { exact: true })
    await dialog.getByText(/^This URI is not allowed: smb:/).waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await field.fill(CALLBACK)
    await dialog.getByRole('button', { name: 'Register an app' }).focus()
    await keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Copy the client secret' }).waitFor()
    await expectAccessible(page)
    const [created] = await clients()
    await dialog.getByText(created.client_id).waitFor()
    await keyboard.press('Escape')
    expect(await page.content()).not.toContain(created.client_id)
    await second.getByText(CALLBACK).waitFor()

    const menu = page.getByRole('button', { name: 'Actions: Planner' })
    await menu.focus()
    await keyboard.press('Enter')
    await keyboard.press('Enter')
    const name = dialog.getByLabel('Name')
    await name.fill('Team planner')
    await name.press('Enter')
    await page.getByRole('button', { name: 'Actions: Team planner' }).focus()
    expect((await clients())[0].redirect_uris).toEqual([CALLBACK])
    await keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Replace the secret' }).press('Enter')
    const confirm = page.getByRole('alertdialog')
    await confirm.getByRole('button', { name: 'Replace the secret' }).press('Enter')
    await dialog.getByRole('button', { name: 'Copy the client secret' }).waitFor()
    await keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions: Team planner' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Delete' }).press('Enter')
    await confirm.getByRole('button', { name: 'Delete' }).press('Enter')
    await second.getByRole('heading', { name: 'No apps yet' }).waitFor()
    expect(await clients()).toEqual([])
  },
)

browserTest('long and right-to-left names do not break the layout', async () => {
  for (const name of ['W'.repeat(100), 'مخطط الفريق']) {
    const { status } = await request(server.current, 'POST', '/api/admin/clients', {
      token: admin.accessToken,
      body: { name, redirect_uris: [`${CALLBACK}/${'x'.repeat(200)}`] },
    })
    expect(status).toBe(201)
  }
  const page = await openAsAdmin()
  await page.getByText('مخطط الفريق').waitFor()
  await expectAccessible(page)
  const shots = process.env.SHOTS
  if (shots) {
    await page.screenshot({ path: `${shots}/apps-wide.png` })
    await page.setViewportSize({ width: 360, height: 700 })
    await page.screenshot({ path: `${shots}/apps-narrow.png` })
  }
  for (const { client_id } of await clients())
    await request(server.current, 'DELETE', `/api/admin/clients/${client_id}`, {
      token: admin.accessToken,
    })
})

browserTest('a user who is no admin sees no apps', async () => {
  const page = await open(await newUser(server.current), '/admin/apps')
  await page.getByRole('heading', { name: 'Only for admins' }).waitFor()
  expect(await page.getByRole('button', { name: 'Register an app' }).count()).toBe(0)
})

browserTest('an owner limits the apps of an organization by keyboard', async () => {
  const owner = await newVerifiedUser(server.current)
  const call = (method: string, path: string, body?: object) =>
    request(server.current, method, path, { token: owner.accessToken, ...(body && { body }) })
  const app = await request(server.current, 'POST', '/api/admin/clients', {
    token: admin.accessToken,
    body: { name: 'Kingfisher مرحبا', redirect_uris: [CALLBACK], scopes: ['openid'] },
  })
  const org = await call('POST', '/api/orgs', { name: 'Herons' })
  const path = `/api/orgs/${org.body.id}/allowed-clients`
  const { cookie } = await request(server.current, 'POST', '/api/auth/signin', {
    body: { email: owner.email, password: PASSWORD },
  })
  const page = await open(
    { refreshToken: cookieValue(cookie) },
    `/people/organizations/${org.body.id}`,
  )
  const section = page.getByRole('region', { name: 'Apps' })
  await section.getByRole('button', { name: /^All apps/ }).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await section.getByRole('checkbox', { name: /^Kingfisher/ }).focus()
  await page.keyboard.press('Space')
  await expectAccessible(page)
  await section.getByRole('button', { name: 'Set allowed apps' }).focus()
  await page.keyboard.press('Enter')
  await page.getByText('Allowed apps saved').first().waitFor()
  expect((await call('GET', path)).body.client_ids).toEqual([app.body.client_id])
  await page.reload()
  const chosen = section.getByRole('checkbox', { name: /^Kingfisher/ })
  await chosen.waitFor()
  expect(await chosen.isChecked()).toBe(true)
})
