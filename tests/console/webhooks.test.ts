import { afterAll, beforeAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { claimAdmin } from '../admin/support.ts'
import { browserTest } from '../browser/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import {
  cookieValue,
  PASSWORD,
  request,
  startServer,
  type TestServer,
  type TestUser,
} from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = {} as { current: TestServer }
const { open, expectProblems } = useConsole(server)
let web: Web
let admin: TestUser

beforeAll(async () => {
  web = await startWeb()
  server.current = await startServer({}, undefined, { fetching: web.fetching })
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
}, 120_000)
afterAll(async () => {
  await server.current.stop()
  await web[Symbol.asyncDispose]()
})

/** Opens a place with a new session: a refresh cookie that is used again later ends its session. */
const openAs = async ({ email }: TestUser, path: string): Promise<Page> => {
  const { cookie } = await request(server.current, 'POST', '/api/auth/signin', {
    body: { email, password: PASSWORD },
  })
  return open({ refreshToken: cookieValue(cookie) }, path)
}

/** The address of a program that responds with these statuses in turn; the last one repeats. */
const newReceiver = (...statuses: number[]): string => {
  const host = web.site(
    () =>
      new Response(null, { status: (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 204 }),
  )
  return `http://${host}/events`
}

const add = async (page: Page, url: string): Promise<void> => {
  await page.getByRole('button', { name: 'Add webhook' }).first().focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('Address').and(page.locator(':focus')).waitFor()
  await page.keyboard.type(url)
  await page.keyboard.press('Enter')
}

const act = async (page: Page, action: string): Promise<void> => {
  await page.getByRole('button', { name: 'More actions of the webhook' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: action }).focus()
  await page.keyboard.press('Enter')
}

describe('webhooks of the server', () => {
  browserTest('one is added, tried, limited, paused and deleted by keyboard', async () => {
    const page = await openAs(admin, '/admin/webhooks')
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor()
    await expectAccessible(page)

    await add(page, 'http://127.0.0.1/private')
    await page.getByRole('dialog').getByText('no public web server').waitFor()
    await page.getByLabel('Address').fill(newReceiver(204))
    await page.keyboard.press('Enter')
    await page.getByText(/^whsec_/).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Enter')
    const link = page.getByRole('link', { name: '/events' })
    await link.focus()
    await page.keyboard.press('Enter')

    await page.getByText('Nothing was sent in the last 30 days.').waitFor()
    await page.getByRole('button', { name: 'Send a test' }).focus()
    await page.keyboard.press('Enter')
    const delivery = page.getByRole('listitem').filter({ hasText: 'webhook.test' })
    await delivery.getByText('delivered').waitFor()
    await delivery.getByText('Status 204').waitFor()
    await delivery.getByText('Request', { exact: true }).focus()
    await page.keyboard.press('Enter')
    await delivery.getByText('"type": "webhook.test"').waitFor()
    await expectAccessible(page)
    await delivery.getByRole('button', { name: 'Send again: webhook.test' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('1 event is sent again').first().waitFor()
    await page.getByRole('button', { name: 'Send failed ones again' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('No delivery has failed').first().waitFor()

    await act(page, 'Edit')
    await page.getByRole('button', { name: /^All events/ }).focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const save = page.getByRole('button', { name: 'Save' })
    expect(await save.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'user.created' }).focus()
    await page.keyboard.press('Space')
    await expectAccessible(page)
    await save.focus()
    await page.keyboard.press('Enter')
    await page.getByText('1 event', { exact: true }).waitFor()

    await act(page, 'Pause')
    await page.getByText('It gets no events while it is paused').waitFor()
    await page.getByRole('button', { name: 'Turn on' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('It gets no events while it is paused').waitFor({ state: 'detached' })

    await act(page, 'New secret')
    await page.getByRole('alertdialog').getByRole('button', { name: 'New secret' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^whsec_/).waitFor()
    await page.keyboard.press('Escape')

    await act(page, 'Delete')
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'No webhook yet' }).waitFor()
  })

  browserTest('one that the server turned off says why, in each tab', async () => {
    const page = await openAs(admin, '/admin/webhooks')
    const other = await openAs(admin, '/admin/webhooks')
    await add(page, newReceiver(410))
    await page.getByText(/^whsec_/).waitFor()
    await page.keyboard.press('Enter')
    await other.getByRole('link', { name: '/events' }).click()
    await other.getByRole('button', { name: 'Send a test' }).click()
    await other.getByText('failed', { exact: true }).waitFor()
    await other.getByText('Turned off').waitFor()
    await page.getByText('Turned off').waitFor()
    await page.getByRole('link', { name: '/events' }).click()
    await page.getByText('The webhook responded with status 410 Gone').first().waitFor()
    await expectAccessible(page)
  })

  browserTest('an unknown webhook leads back to the list', async () => {
    const page = await openAs(admin, `/admin/webhooks/${crypto.randomUUID()}`)
    await page.getByRole('heading', { name: 'This webhook does not exist' }).waitFor()
  })
})

describe('webhooks of an organization', () => {
  browserTest('an owner manages them, and a member does not see them', async () => {
    const owner = await newVerifiedUser(server.current)
    const created = await request(server.current, 'POST', '/api/orgs', {
      token: owner.accessToken,
      body: { name: 'Acme مرحبا' },
    })
    const path = `/people/organizations/${created.body.id}`
    const page = await openAs(owner, path)
    await page.getByRole('link', { name: 'Manage webhooks' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('who joins and leaves Acme').waitFor()
    const url = `${newReceiver(204)}?${'a'.repeat(200)}`
    await add(page, url)
    await page.getByText(/^whsec_/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: '/events' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: '/events' }).click()
    await act(page, 'Edit')
    await page.getByRole('button', { name: /^All events/ }).click()
    await page.getByRole('option', { name: 'Only chosen events' }).click()
    await page.getByRole('checkbox', { name: 'member.joined' }).waitFor()
    expect(await page.getByRole('checkbox', { name: 'user.created' }).count()).toBe(0)

    const member = await newVerifiedUser(server.current)
    const invited = await request(server.current, 'POST', `/api/orgs/${created.body.id}/invites`, {
      token: owner.accessToken,
      body: { email: member.email, role: 'member' },
    })
    const token = new URL(invited.body.invite_url).searchParams.get('token')
    const accepted = await request(server.current, 'POST', '/api/invites/accept', {
      token: member.accessToken,
      body: { token },
    })
    expect(accepted.status).toBe(200)
    expectProblems(/403/)
    const theirs = await openAs(member, path)
    await theirs.getByRole('heading', { name: 'Members' }).waitFor()
    expect(await theirs.getByRole('link', { name: 'Manage webhooks' }).count()).toBe(0)
    const refused = await openAs(member, `${path}/webhooks`)
    await refused.getByRole('alert').waitFor()
    expect(await refused.getByRole('link', { name: '/events' }).count()).toBe(0)
  })
})

browserTest('the audit trail is limited to days and exported', async () => {
  const page = await openAs(admin, '/admin/audit?from=2020-01-01&until=2020-01-02')
  await page.getByRole('heading', { name: 'No events found' }).waitFor()
  expect(await page.getByLabel('Until').inputValue()).toBe('2020-01-02')
  await page.getByLabel('Until').fill('')
  await page.getByRole('cell', { name: 'Signed in' }).first().waitFor()
  await expectAccessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).focus()
  await page.keyboard.press('Enter')
  const stream = await (await download).createReadStream()
  const lines = (await new Response(stream as unknown as ReadableStream).text()).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).action)).toContain('session.started')
  const broken = await openAs(admin, '/admin/audit?from=yesterday&until=2026-13-41')
  await broken.getByRole('cell', { name: 'Signed in' }).first().waitFor()
})
