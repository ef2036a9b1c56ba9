import { describe, expect } from 'bun:test'
import { browserTest, heading } from '../browser/support.ts'
import { newVerifiedUser, runSql } from '../harness/http.ts'
import { request, type TestUser, useServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useServer()
const { open, expectProblems } = useConsole(server)

const api = async (user: TestUser, method: string, path: string, body?: unknown) => {
  const options = { token: user.accessToken, ...(body !== undefined && { body }) }
  const answer = await request(server.current, method, `/api/${path}`, options)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.status} ${answer.text}`)
  return answer.body
}

const newTeam = async () => {
  const owner = await newVerifiedUser(server.current)
  const member = await newVerifiedUser(server.current)
  const org = await api(owner, 'POST', 'orgs', { name: 'Herons' })
  const { invite_url } = await api(owner, 'POST', `orgs/${org.id}/invites`, { email: member.email })
  const token = new URL(invite_url).searchParams.get('token')
  await api(member, 'POST', 'invites/accept', { token })
  return { owner, member, org, path: `/people/organizations/${org.id}` }
}

describe('policies of an organization', () => {
  browserTest('an owner sets them by keyboard, and members see them', async () => {
    const { owner, member, org, path } = await newTeam()
    const page = await open(owner, path)
    await heading(page, 'Herons')
    await page.getByLabel('Hours after the sign-in').fill('72')
    await page.getByLabel('Passkey', { exact: true }).focus()
    await page.keyboard.press('Space')
    await page.getByLabel('The server, for admins').focus()
    await page.keyboard.press('Space')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('Saved the policies').waitFor()
    expect(await api(owner, 'GET', `orgs/${org.id}/policies`)).toMatchObject({
      second_factor: 'none',
      providers: ['password', 'email_code'],
      session_hours: 72,
      key_scopes: ['memory:read', 'memory:write', 'chat', 'account:read', 'account'],
    })

    const seen = await open(member, path)
    await seen.getByText('Sign-in methods: Password, Code or link by email').waitFor()
    await seen.getByText('Hours after the sign-in: 72').waitFor()
    expect(await seen.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await expectAccessible(seen)
  })

  browserTest('a change that would lock the owner out is refused in words', async () => {
    const { owner, path } = await newTeam()
    expectProblems(/409/)
    const page = await open(owner, path)
    await page.getByLabel('Password', { exact: true }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This change would lock you out of the organization.').waitFor()
  })

  browserTest('a member who falls short sees what to do, and the account still works', async () => {
    const { owner, member, org, path } = await newTeam()
    await api(owner, 'PATCH', `orgs/${org.id}/policies`, { session_hours: 2 })
    await api(member, 'POST', `orgs/${org.id}/activate`)
    await runSql(
      server.current.database,
      `update sessions set created_at = now() - interval '3 hours' where user_id = '${member.id}'`,
    )
    expectProblems(/403/)
    const page = await open(member, path)
    await page.getByText('“Herons” requires more of your sign-in').waitFor()
    await page.getByText('Sign in again: your last sign-in was too long ago.').first().waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('heading', { name: 'Policies' }).count()).toBe(0)

    const memories = await open(member, '/memories')
    const alert = memories.getByRole('alert').first()
    await alert.getByText('Sign in again: your last sign-in was too long ago.').waitFor()
    await expectAccessible(memories)
    const profile = await open(member, '/settings/profile')
    await heading(profile, 'Profile')
    await alert.getByRole('button', { name: 'Sign in again' }).focus()
    await memories.keyboard.press('Enter')
    await memories.waitForURL(/\/api\/auth\/app/)
  })
})

describe('email domains', () => {
  browserTest('an owner adds a domain, sees its record, and removes it by keyboard', async () => {
    const { owner, member, org, path } = await newTeam()
    expectProblems(/409|422|502/)
    const page = await open(owner, path)
    await page.getByLabel('Domain', { exact: true }).focus()
    await page.keyboard.type('gmail.com')
    await page.keyboard.press('Enter')
    await page.getByText('Everyone can get an address at this domain').waitFor()
    await page.getByLabel('Domain', { exact: true }).fill('acme.test')
    await page.keyboard.press('Enter')
    await page.getByRole('cell', { name: 'acme.test', exact: true }).waitFor()
    const [domain] = await api(owner, 'GET', `orgs/${org.id}/domains`)
    await page.getByText(domain.record.value).waitFor()
    await page.getByText('Not verified').waitFor()
    await expectAccessible(page)
    await page.getByRole('switch', { name: 'Users at acme.test join by themselves' }).focus()
    await page.keyboard.press('Space')
    await page.locator('[role=switch][aria-checked=true], input[role=switch]:checked').waitFor()
    await page.getByRole('button', { name: 'Remove acme.test' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.modal').waitFor()
    await page.locator('.modal').getByRole('button', { name: 'Remove' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('No domains').waitFor()
    const seen = await open(member, path)
    await seen.getByRole('heading', { name: 'Policies' }).waitFor()
    expect(await seen.getByRole('heading', { name: 'Email domains' }).count()).toBe(0)
  })
})
