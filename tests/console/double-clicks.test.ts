import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, heading } from '../browser/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { request, useSharedServer } from '../harness/server.ts'
import { useConsole } from './support.ts'

const server = useSharedServer()
const { open, expectProblems } = useConsole(server)

/** The paths of the requests of a page that change something. */
const changesOf = (page: Page): string[] => {
  const paths: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET' && !pathname.startsWith('/api/auth/refresh'))
      paths.push(`${request.method()} ${pathname}`)
  })
  return paths
}

/** Submits the form of a button twice. */
const ways: Record<string, (page: Page, button: string) => Promise<void>> = {
  'a double click': (page, name) =>
    page.getByRole('button', { name, exact: true }).last().dblclick(),
  'a double Enter': async (page) => {
    await page.keyboard.press('Enter')
    await page.keyboard.press('Enter')
  },
  // Faster than React draws the button as pending.
  'two submits at once': (page, name) =>
    page
      .getByRole('button', { name, exact: true })
      .last()
      .evaluate((button: { form: { requestSubmit(): void } }) => {
        button.form.requestSubmit()
        button.form.requestSubmit()
      }),
}

describe.each(Object.entries(ways))('%s', (_, submitTwice) => {
  browserTest('creates one key', async () => {
    const user = await newVerifiedUser(server.current)
    const page = await open(user, '/connect/keys')
    const changes = changesOf(page)
    await page.getByRole('button', { name: 'Create key' }).first().click()
    await page.getByLabel('Name').fill('script')
    await submitTwice(page, 'Create key')
    await page
      .getByRole('dialog')
      .getByText(/^svc_\w+/)
      .waitFor()
    expect(changes).toEqual(['POST /api/auth/api-keys'])
  })

  browserTest('creates one organization, and invites once', async () => {
    const user = await newVerifiedUser(server.current)
    const page = await open(user, '/people')
    const changes = changesOf(page)
    await page.getByRole('button', { name: 'Create organization' }).first().click()
    await page.getByRole('dialog').getByLabel('Name').fill('Owls')
    await submitTwice(page, 'Create organization')
    await heading(page, 'Owls')
    expect(changes).toEqual(['POST /api/orgs'])
    const { body } = await request(server.current, 'GET', '/api/orgs', { token: user.accessToken })
    expect(body).toHaveLength(1)

    await page.getByRole('textbox', { name: 'Email' }).fill('ben@example.com')
    await submitTwice(page, 'Invite')
    await page.getByRole('cell', { name: 'ben@example.com', exact: true }).waitFor()
    expect(changes).toHaveLength(2)
  })

  browserTest('remembers once', async () => {
    const page = await open(await newVerifiedUser(server.current), '/memories/new')
    const changes = changesOf(page)
    await page.getByRole('textbox').first().fill('The spare key is in the shed.')
    // Enter begins a line in the field.
    await page.getByRole('button', { name: 'Remember', exact: true }).focus()
    await submitTwice(page, 'Remember')
    await page.getByText('Remembered').first().waitFor()
    expect(changes).toEqual(['POST /api/remember'])
  })
})

browserTest('a double click on “Revoke” revokes a key once', async () => {
  const page = await open(await newVerifiedUser(server.current), '/connect/keys')
  const changes = changesOf(page)
  await page.getByRole('button', { name: 'Revoke test' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).dblclick()
  await page.getByText('Revoked test').waitFor()
  expect(changes).toHaveLength(1)
})

browserTest('a form can be submitted again at once after a failure', async () => {
  const page = await open(await newVerifiedUser(server.current), '/connect/keys')
  const changes = changesOf(page)
  expectProblems(/ERR_FAILED/)
  await page.route('**/api/auth/api-keys', (route) => route.abort(), { times: 1 })
  await page.getByRole('button', { name: 'Create key' }).first().click()
  await page.getByLabel('Name').fill('script')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.keyboard.press('Enter')
  await page
    .getByRole('dialog')
    .getByText(/^svc_\w+/)
    .waitFor()
  expect(changes).toHaveLength(2)
})
