import { expect, setDefaultTimeout, test } from 'bun:test'
import { browserTest, heading } from '../browser/support.ts'
import { consoleUrl, expectAccessible, signInTab, useConsole } from '../console/support.ts'
import { startMailbox } from '../harness/mail.ts'
import { newUser, request, startServer, type TestServer, useServer } from '../harness/server.ts'

setDefaultTimeout(60_000)

const shared = useServer()
const { visit } = useConsole(shared)

const send = (server: TestServer, token: string, method: string, path: string) =>
  request(server, method, `/api/auth/${path}`, { token })
const status = async (server: TestServer, token: string) =>
  (await send(server, token, 'GET', 'verification')).body
const NEEDS_LINK = {
  status: 403,
  body: { detail: expect.stringContaining('is verified by a link') },
}

test('the first account of a local server without mail verifies itself, and no other', async () => {
  await using server = await startServer()
  const [first, second] = [await newUser(server), await newUser(server)]
  expect(await status(server, second.accessToken)).toEqual({
    verified: false,
    delivery: 'outbox',
    can_verify_here: false,
  })
  expect(await send(server, second.accessToken, 'POST', 'verification/here')).toMatchObject(
    NEEDS_LINK,
  )
  expect((await send(server, first.key, 'POST', 'verification/here')).status).toBe(403)
  expect((await status(server, first.accessToken)).can_verify_here).toBe(true)
  const both = await Promise.all(
    [1, 2].map(() => send(server, first.accessToken, 'POST', 'verification/here')),
  )
  expect(both.map(({ status }) => status)).toContain(200)
  expect(await status(server, first.accessToken)).toMatchObject({
    verified: true,
    can_verify_here: false,
  })
  const again = await send(server, first.accessToken, 'POST', 'verification/here')
  expect(again.status).toBe(400)
})

test('with mail, a public address, or addresses of admins, a link is needed', async () => {
  await using mailbox = await startMailbox()
  for (const env of [
    { SVC_SMTP_URL: mailbox.url },
    { SVC_BASE_URL: 'https://svc.example.com' },
    { SVC_ADMIN_EMAILS: 'ada@example.com' },
  ]) {
    await using server = await startServer(env)
    const { accessToken } = await newUser(server)
    expect((await status(server, accessToken)).can_verify_here).toBe(false)
    expect(await send(server, accessToken, 'POST', 'verification/here')).toMatchObject(NEEDS_LINK)
  }
})

browserTest(
  'the console says where a link is, and verifies the first account in place',
  async () => {
    await using server = await startServer()
    const [first, second] = [await newUser(server), await newUser(server)]
    const openAs = async (user: typeof first, path: string) => {
      const page = await visit({}, [new URL(server.baseUrl).origin])
      await signInTab(page, server, user)
      await page.goto(consoleUrl(server, path))
      return page
    }
    const other = await openAs(second, '/settings/email')
    await other.getByText('a link is a file in the outbox folder').waitFor()
    expect(await other.getByRole('button', { name: 'Verify it now' }).count()).toBe(0)
    await other.getByRole('button', { name: 'Write the link to the outbox' }).press('Enter')
    await other.getByText('This server sends no mail.').last().waitFor()
    await expectAccessible(other)

    const page = await openAs(first, '/')
    await page.getByRole('button', { name: 'Verify it now' }).press('Enter')
    await page.getByText('Verify your email address').waitFor({ state: 'detached' })
    await page.goto(consoleUrl(server, '/settings/email'))
    await heading(page, 'Email')
    await page.getByText('Verified', { exact: true }).waitFor()
    // Before the server stops: pages would ask again for its events.
    for (const each of [other, page]) await each.context().close()
  },
)
