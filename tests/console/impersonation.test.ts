import { beforeAll, expect } from 'bun:test'
import { claimAdmin } from '../admin/support.ts'
import { browserTest } from '../browser/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { request, type TestUser, useServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useServer()
const { open } = useConsole(server)
let admin: TestUser

beforeAll(async () => {
  admin = await newVerifiedUser(server.current)
  await claimAdmin(server.current, admin)
})

browserTest('an admin sees the server as a user, and returns to the own account', async () => {
  const user = await newVerifiedUser(server.current)
  for (const [owner, content] of [
    [admin, 'The admin plants garlic'],
    [user, 'The user keeps bees'],
  ] as const)
    await request(server.current, 'POST', '/api/remember', {
      token: owner.accessToken,
      body: { content },
    })
  const page = await open(admin, `/admin/users/${user.id}`)
  await page.getByRole('button', { name: 'See as this user' }).click()
  await page.getByLabel('Reason').fill('Ticket 4711')
  await page.getByRole('dialog').getByRole('button', { name: 'See as this user' }).click()
  await page.getByText(/^You see this account as/).waitFor()
  await page.getByRole('link', { name: 'Admin' }).waitFor({ state: 'detached' })
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Activity', exact: true }).click()
  await page.getByText('The user keeps bees').first().waitFor()
  await page.getByRole('link', { name: 'Memories', exact: true }).click()
  await page.getByText('The user keeps bees').first().waitFor()
  expect(await page.getByText('The admin plants garlic').count()).toBe(0)
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByRole('button', { name: 'See as this user' }).waitFor()
  await page.getByText('An admin ended the use of the account').first().waitFor()
  await page.getByRole('link', { name: 'Memories', exact: true }).click()
  await page.getByText('The admin plants garlic').first().waitFor()
  expect(await page.getByText('The user keeps bees').count()).toBe(0)
})
