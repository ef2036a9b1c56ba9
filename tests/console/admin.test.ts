import { beforeAll, describe, expect } from 'bun:test'
import { claimAdmin } from '../admin/support.ts'
import { browserTest, heading } from '../browser/support.ts'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import {
  cookieValue,
  newUser,
  PASSWORD,
  request,
  type TestUser,
  useServer,
} from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useServer()
const { open } = useConsole(server)
let admin: TestUser

beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
})

/** Opens a place with a new session: a refresh cookie that is used again later ends its session. */
const openAsAdmin = async (path: string) => {
  const { cookie } = await request(server.current, 'POST', '/api/auth/signin', {
    body: { email: admin.email, password: PASSWORD },
  })
  return open({ refreshToken: cookieValue(cookie) }, path)
}

const HOSTILE = '<img src=x onerror=alert(1)> مرحبا'

browserTest('a user who is not an admin reads why the pages are closed', async () => {
  const page = await open(await newUser(server.current), '/admin/users')
  await page.getByRole('heading', { name: 'Only for admins' }).waitFor()
  await expectAccessible(page)
})

describe('users', () => {
  browserTest('a user is found, changed and disabled by keyboard alone', async () => {
    const user = await newUser(server.current)
    await request(server.current, 'PUT', '/api/profile', {
      token: user.key,
      body: { display_name: HOSTILE },
    })
    const page = await openAsAdmin('/admin/users')
    await page.getByLabel('Search').focus()
    await page.keyboard.type('no such user')
    await page.getByRole('heading', { name: 'No users found' }).waitFor()
    await page.getByRole('button', { name: 'Clear search' }).click()
    await page.getByLabel('Search').fill(user.email.slice(0, 30))
    await page.waitForURL(/\?q=/)
    await page.getByText(HOSTILE).waitFor()
    await page.reload()
    await page.getByText(HOSTILE).waitFor()
    await page.getByRole('cell', { name: admin.email }).waitFor({ state: 'detached' })
    await expectAccessible(page)
    await page.getByRole('link', { name: user.email }).focus()
    await page.keyboard.press('Enter')
    await heading(page, HOSTILE)

    await page.getByRole('button', { name: 'Change tier' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Reason (optional)').waitFor()
    await expectAccessible(page)
    await page.keyboard.type('Paid in cash')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: 'conscious' }).waitFor()
    await page.keyboard.type('con')
    await page.keyboard.press('Enter')
    await page.getByLabel('Reason (optional)').focus()
    await page.keyboard.press('Enter')
    await page.getByText('Tier changed').first().waitFor()
    await page.getByText('reason: Paid in cash').waitFor()

    await page.getByRole('button', { name: 'Disable' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Reason').waitFor()
    await page.keyboard.type('Too loud')
    await page.keyboard.press('Enter')
    await page.getByText('User disabled').waitFor()
    await page.getByRole('button', { name: 'Enable' }).waitFor()
    await expectAccessible(page)
    const me = await request(server.current, 'GET', '/api/me', { token: user.key })
    expect(me.status).toBe(401)
  })

  browserTest('the last admin stays one, with the reason in words', async () => {
    const page = await openAsAdmin(`/admin/users/${admin.id}`)
    await page.getByRole('button', { name: 'Remove admin rights' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Remove admin rights' }).click()
    await dialog.getByText('This is the last admin; make another user an admin first').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Remove admin rights' }).click()
    await dialog.getByLabel('Reason').waitFor()
    expect(await dialog.getByRole('alert').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.goto(`${server.current.baseUrl}/app/admin/users/${crypto.randomUUID()}`)
    await page.getByText('User not found').waitFor()
  })
})

describe('operation', () => {
  browserTest('the overview shows charts, and a table that a reload keeps', async () => {
    const page = await openAsAdmin('/admin')
    await heading(page, 'Overview')
    const chart = page.getByRole('img', { name: /^New users by day: \d+ in 30 days/ })
    await chart.locator('canvas').waitFor()
    await expectAccessible(page)
    await page.getByRole('switch', { name: 'Show as table' }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('columnheader', { name: 'Sign-ins' }).waitFor()
    await page.reload()
    await page.getByRole('columnheader', { name: 'Sign-ins' }).waitFor()
    await expectAccessible(page)
  })

  browserTest('an engine and a handler are turned off with a reason', async () => {
    const page = await openAsAdmin('/admin/engines')
    await page.getByRole('button', { name: 'Turn off graph' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Reason').waitFor()
    await page.keyboard.press('Enter')
    await page.getByLabel('Reason').fill('Maintenance')
    await page.keyboard.press('Enter')
    await page.getByText('graph is off').waitFor()
    await page.getByText('Maintenance').waitFor()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Handlers' }).click()
    await page.getByRole('button', { name: 'Turn off webhook' }).click()
    await page.getByLabel('Reason').fill('Blocked by the firewall')
    await page.keyboard.press('Enter')
    await page.getByText('webhook is off').waitFor()
    await page.getByRole('button', { name: 'Turn on webhook' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Reasons are in the audit trail' }).click()
    await heading(page, 'Audit trail')
    await page.getByText('Blocked by the firewall').waitFor()
    await page.reload()
    await page.getByText('Blocked by the firewall').waitFor()
    expect(await page.getByText('Maintenance').count()).toBe(0)
    await expectAccessible(page)
  })

  browserTest(
    'queues show failed jobs, and health, configuration and tiers their state',
    async () => {
      await runSql(
        server.current.database,
        `insert into jobs.job (name, data, state, completed_on, output)
        values ('mail', '{}', 'failed', now(), '{"message": "Connection refused"}')`,
      )
      const page = await openAsAdmin('/admin/queues')
      await page.getByRole('cell', { name: 'Connection refused' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Health' }).click()
      await page.getByRole('rowheader', { name: 'database' }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Configuration' }).click()
      const mail = page.getByRole('listitem').filter({ hasText: 'Mail server' })
      await mail.getByText('Not configured').waitFor()
      await mail.getByText('SVC_SMTP_URL').waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Tiers' }).click()
      await page.getByRole('rowheader', { name: 'conscious' }).waitFor()
      await expectAccessible(page)
    },
  )
})
