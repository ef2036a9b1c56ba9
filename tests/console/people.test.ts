import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, heading } from '../browser/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, type TestUser, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open, expectProblems } = useConsole(server)

const HOSTILE = '<script>alert(1)</script> שלום'

const api = async (user: TestUser, method: string, path: string, body?: unknown) => {
  const options = { token: user.accessToken, ...(body !== undefined && { body }) }
  const answer = await request(server.current, method, path, options)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

/** Presses Enter on a focused control, as a keyboard user does. */
const press = async (page: Page, role: 'button' | 'link' | 'menuitem', name: string | RegExp) => {
  await page.getByRole(role, { name }).focus()
  await page.keyboard.press('Enter')
}

describe('organizations', () => {
  browserTest('an organization is created, filled and deleted by keyboard alone', async () => {
    const page = await open(await newVerifiedUser(server.current), '/people')
    await page.getByText('No organizations').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create organization' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    await page.keyboard.type(HOSTILE)
    await page.keyboard.press('Enter')
    await heading(page, HOSTILE)

    for (const email of ['ben@example.com', 'cy@example.com', 'dee@example.com']) {
      await page.getByRole('textbox', { name: 'Email' }).focus()
      await page.keyboard.type(email)
      await page.keyboard.press('Enter')
      if (email.startsWith('dee')) break
      await page.getByRole('cell', { name: email, exact: true }).waitFor()
    }
    await page.getByText('All seats of the organization are taken').waitFor()
    await page.getByRole('link', { name: 'See tiers' }).waitFor()
    await expectAccessible(page)

    await press(page, 'button', 'Send again to ben@example.com')
    await page.getByText('Sent the invite to ben@example.com again').waitFor()
    await press(page, 'button', 'Withdraw the invite to cy@example.com')
    await page.locator('.modal').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page
      .getByRole('cell', { name: 'cy@example.com', exact: true })
      .waitFor({ state: 'detached' })
    await page.locator('h1:focus').waitFor()

    await press(page, 'button', /^More actions/)
    await press(page, 'menuitem', 'Leave')
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.locator('.modal').getByRole('alert').waitFor()
    await page.keyboard.press('Escape')

    await press(page, 'button', /^More actions/)
    await press(page, 'menuitem', 'Delete organization')
    const remove = page.getByRole('dialog').getByRole('button', { name: 'Delete organization' })
    expect(await remove.isDisabled()).toBe(true)
    await page.keyboard.type(HOSTILE)
    await page.keyboard.press('Enter')
    await page.getByText('No organizations').waitFor()
  })

  browserTest('a tab keeps its workspace until the membership ends', async () => {
    const [owner, member] = [
      await newVerifiedUser(server.current),
      await newVerifiedUser(server.current),
    ]
    const org = await api(owner, 'POST', '/api/orgs', { name: 'Analytics' })
    const invite = await api(owner, 'POST', `/api/orgs/${org.id}/invites`, { email: member.email })
    await api(member, 'POST', '/api/invites/accept', {
      token: new URL(invite.invite_url).searchParams.get('token'),
    })
    const page = await open(member, `/people/organizations/${org.id}`)
    await page.getByText('Admins invite and remove members').waitFor()
    expect(await page.getByRole('heading', { name: 'Invites' }).count()).toBe(0)
    await press(page, 'button', /^Workspace/)
    await press(page, 'menuitem', 'Analytics')
    await page.getByRole('button', { name: 'Workspace: Analytics' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Workspace: Analytics' }).waitFor()
    await heading(page, 'Analytics')

    await api(owner, 'DELETE', `/api/orgs/${org.id}/members/${member.id}`)
    await page.reload()
    await page.getByText('You are no longer a member of that organization').waitFor()
    await page.getByRole('button', { name: 'Workspace: Personal' }).waitFor()
  })
})

browserTest('an owner creates and revokes a SCIM token by keyboard alone', async () => {
  const owner = await newVerifiedUser(server.current)
  const org = await api(owner, 'POST', '/api/orgs', { name: 'Analytics' })
  const page = await open(owner, `/people/organizations/${org.id}`)
  await page.getByRole('heading', { name: 'Provisioning' }).waitFor()
  await page.getByText(`${server.current.baseUrl}/api/scim/v2`).waitFor()
  await page.getByText('No SCIM tokens.').waitFor()
  await press(page, 'button', 'Create SCIM token')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Okta')
  await page.keyboard.press('Enter')
  const shown = dialog.getByText(/^svc_scim_/)
  const token = ((await shown.textContent()) ?? '').trim()
  const provisioned = await request(server.current, 'POST', '/api/scim/v2/Users', {
    token,
    body: { userName: 'ben@example.com' },
  })
  expect(provisioned.status).toBe(201)
  await dialog.getByRole('button', { name: 'Done' }).press('Enter')
  await page.reload()
  await page.getByText('Provisioned: 1 user, 0 groups').waitFor()
  expect(await page.getByText(/svc_scim_/).count()).toBe(0)
  await expectAccessible(page)
  await press(page, 'button', 'Revoke Okta')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).press('Enter')
  await page.getByText('No SCIM tokens.').waitFor()
  const refused = await request(server.current, 'GET', '/api/scim/v2/Users', { token })
  expect(refused.status).toBe(401)
})

browserTest('a member who leaves the current workspace reads one message about it', async () => {
  const [owner, member] = [
    await newVerifiedUser(server.current),
    await newVerifiedUser(server.current),
  ]
  const org = await api(owner, 'POST', '/api/orgs', { name: 'Analytics' })
  const invite = await api(owner, 'POST', `/api/orgs/${org.id}/invites`, { email: member.email })
  await api(member, 'POST', '/api/invites/accept', {
    token: new URL(invite.invite_url).searchParams.get('token'),
  })
  const page = await open(member, `/people/organizations/${org.id}`)
  await press(page, 'button', 'Work here')
  await page.getByRole('button', { name: 'Workspace: Analytics' }).waitFor()
  await press(page, 'button', /^More actions/)
  await press(page, 'menuitem', 'Leave')
  // The next screen loads later than the user is requested again.
  const loaded = Promise.withResolvers<void>()
  await page.route('**/*.js', async (route) => {
    await loaded.promise
    await route.continue()
  })
  const requested = page.waitForResponse('**/api/me')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Leave' }).press('Enter')
  expect((await requested).status()).toBe(200)
  loaded.resolve()
  await page.getByText('You left Analytics').waitFor()
  await page.getByRole('button', { name: 'Workspace: Personal' }).waitFor()
  await page.getByText('No organizations').waitFor()
  expect(await page.getByText('You are no longer a member').count()).toBe(0)
})

browserTest('Personal ends the default organization of the user and says so', async () => {
  const user = await newVerifiedUser(server.current)
  const org = await api(user, 'POST', '/api/orgs', { name: 'Analytics' })
  await api(user, 'POST', `/api/orgs/${org.id}/activate`)
  const page = await open(user, '/people/organizations')
  await press(page, 'button', 'Workspace: Analytics')
  await press(page, 'menuitem', 'Personal')
  await page.getByText('Analytics is no longer the default of your tabs and apps').waitFor()
  await page.getByRole('button', { name: 'Workspace: Personal' }).waitFor()
  expect((await api(user, 'GET', `/api/orgs/${org.id}`)).is_active).toBe(false)
})

const usernameOf = async (user: TestUser): Promise<string> =>
  (await api(user, 'GET', '/api/profile')).username

describe('direct messages', () => {
  browserTest('messages are sent, answered and shown as they arrive', async () => {
    const [ada, ben] = [
      await newVerifiedUser(server.current),
      await newVerifiedUser(server.current),
    ]
    const page = await open(ada, '/people/messages')
    await page.getByRole('button', { name: 'New message' }).first().focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Username').waitFor()
    await page.keyboard.type('unknown-user')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByLabel('Username').fill(await usernameOf(ben))
    await page.keyboard.press('Enter')
    const field = page.getByRole('textbox', { name: 'Message' })
    await field.focus()
    await page.keyboard.type(HOSTILE)
    await page.keyboard.press('Enter')
    await page.getByRole('listitem').getByText(HOSTILE, { exact: true }).last().waitFor()
    expect(await field.inputValue()).toBe('')

    const [thread] = await api(ben, 'GET', '/api/dm/threads')
    await api(ben, 'POST', `/api/dm/threads/${thread.thread_id}/messages`, { content: 'On Friday' })
    const received = page.locator('.dm-message', { hasText: 'On Friday' })
    await received.waitFor()
    await received.getByRole('button', { name: /^Reply/ }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Replying to').waitFor()
    await expectAccessible(page)
    await page.locator('textarea:focus').waitFor()
    await page.keyboard.type('See you then')
    await page.keyboard.press('Enter')
    await page.locator('.dm-message.own', { hasText: 'See you then' }).waitFor()
    const messages = await api(ada, 'GET', `/api/dm/threads/${thread.thread_id}/messages`)
    expect(messages.at(-1).reply_to_message_id).toBe(messages.at(-2).id)

    await page.reload()
    await page.locator('.dm-message.own', { hasText: 'See you then' }).waitFor()
    await page.getByRole('button', { name: 'Archive' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Archive' }).waitFor()
  })

  browserTest('an unverified user learns why and can request the link again', async () => {
    const page = await open(await newUser(server.current), '/people/messages')
    await page.getByText('Verify your email address first').waitFor()
    await page.getByRole('button', { name: 'Write the link to the outbox' }).click()
    await page.getByRole('status').getByText('This server sends no mail.').waitFor()
    await expectAccessible(page)
  })
})

describe('shared links and email', () => {
  browserTest('a shared link is listed and revoked', async () => {
    const user = await newVerifiedUser(server.current)
    const { session_id } = await api(user, 'POST', '/api/chat', { message: HOSTILE })
    const { url } = await api(user, 'POST', '/api/shares', { session_id })
    const page = await open(user, '/people/shares')
    await page.getByRole('table').waitFor()
    await expectAccessible(page)
    await press(page, 'button', /^Revoke/)
    await page.locator('.modal').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('No shared links').waitFor()
    expect((await fetch(url)).status).toBeGreaterThanOrEqual(404)
  })

  browserTest(
    'an email names invalid addresses, is sent, and is listed with its state',
    async () => {
      const page = await open(await newVerifiedUser(server.current), '/people/email')
      await page.getByText('No emails').waitFor()
      await page.getByRole('link', { name: 'New email' }).first().focus()
      await page.keyboard.press('Enter')
      await page.getByLabel('To').waitFor()
      await page.keyboard.type('grace@example.com, bob')
      await page.keyboard.press('Tab')
      await page.keyboard.type(HOSTILE)
      await page.keyboard.press('Tab')
      await page.keyboard.type('Here are the notes.')
      await page.keyboard.press('Tab')
      await page.keyboard.press('Enter')
      await page.getByText('Not an email address: bob').waitFor()
      await expectAccessible(page)
      await page.getByLabel('To').fill('grace@example.com')
      await page.route('**/api/email/send', (route) => route.abort())
      expectProblems(/email\/send/)
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('The server does not answer').waitFor()
      await page.unroute('**/api/email/send')
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('link', { name: HOSTILE }).click()
      await heading(page, HOSTILE)
      await page.getByRole('cell', { name: 'grace@example.com' }).waitFor()
      await page.reload()
      await page.getByRole('cell', { name: /^Sent/ }).waitFor()
      await expectAccessible(page)
      await page.getByRole('link', { name: 'Continue thread' }).click()
      await page.getByLabel('To').waitFor()
      expect(await page.getByLabel('To').inputValue()).toBe('grace@example.com')
      await page.goto(
        `${server.current.baseUrl}/app/people/email/new?thread=${crypto.randomUUID()}`,
      )
      await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor()
    },
  )
})
