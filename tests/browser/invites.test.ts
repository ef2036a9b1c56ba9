import { beforeAll, describe, expect } from 'bun:test'
import { createOrgClient } from '../account/organization-support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, PASSWORD, type TestUser, uniqueEmail, useServer } from '../harness/server.ts'
import { browserTest, expectGoodPage, heading, signIn, typeIn, useBrowser } from './support.ts'

const server = useServer({ SVC_DEFAULT_TIER: 'conscious' })
const { visit } = useBrowser(server)
const { call, createOrg, invite, members } = createOrgClient(server)

let ada: TestUser
beforeAll(async () => {
  ada = await newVerifiedUser(server.current)
})

/** Invites an address. @returns the link of the email. */
const mailTo = async (org: { id: string }, email: string): Promise<string> => {
  const { token } = await invite(ada, org, email)
  const mail = await server.current.noticed(new RegExp(`token=${token}`))
  return /http\S+token=\S+/.exec(mail)?.[0] ?? ''
}

describe('opening an invitation', () => {
  browserTest('a new user signs up and joins; the emailed link verifies the address', async () => {
    const org = await createOrg(ada, 'Analytics')
    const email = uniqueEmail()
    const page = await visit()
    await page.goto(await mailTo(org, email))
    await heading(page, 'Join Analytics?')
    expect(await page.getByText(ada.email).count()).toBe(1)
    await expectGoodPage(page)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await heading(page, 'Create an account')
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await heading(page, 'Join Analytics?')
    await expectGoodPage(page)
    await page.getByRole('button', { name: 'Accept' }).click()
    await heading(page, 'Welcome to Analytics')
    await expectGoodPage(page)
    expect((await members(ada, org)).map((member) => member.email)).toEqual([ada.email, email])
  })

  browserTest(
    'a user signs in and joins by keyboard; the link then shows the membership',
    async () => {
      const org = await createOrg(ada, 'Analytics')
      const ben = await newVerifiedUser(server.current)
      const link = await mailTo(org, ben.email)
      const page = await visit()
      await page.goto(link)
      await heading(page, 'Join Analytics?')
      expect(await page.locator(':focus').textContent()).toBe('Sign in')
      await page.keyboard.press('Enter')
      await heading(page, 'Sign in')
      expect(await page.getByLabel('Email').inputValue()).toBe(ben.email)
      await typeIn(page, PASSWORD)
      await heading(page, 'Join Analytics?')
      await page.locator(':focus').press('Enter')
      await heading(page, 'Welcome to Analytics')
      await page.goto(link)
      await heading(page, 'You are a member of Analytics')
      await expectGoodPage(page)
    },
  )

  browserTest('declining needs no account and ends the link', async () => {
    const org = await createOrg(ada, 'Analytics')
    const link = await mailTo(org, uniqueEmail())
    const page = await visit()
    await page.goto(link)
    await page.getByRole('button', { name: 'Decline' }).click()
    await heading(page, 'Declined')
    await page.goto(link)
    await heading(page, 'This invitation is not valid')
    await expectGoodPage(page)
    expect((await call(ada, 'GET', `orgs/${org.id}/invites`)).body).toEqual([])
  })

  browserTest('another account sees the invited address and can switch accounts', async () => {
    const org = await createOrg(ada, 'Analytics')
    const [ben, eve] = await Promise.all([
      newVerifiedUser(server.current),
      newVerifiedUser(server.current),
    ])
    const page = await visit()
    await page.goto(await mailTo(org, ben.email))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signIn(page, eve.email)
    await heading(page, 'This invitation is for another address')
    expect(await page.getByText(ben.email).count()).toBe(1)
    await expectGoodPage(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Join Analytics?')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signIn(page, ben.email)
    await page.getByRole('button', { name: 'Accept' }).click()
    await heading(page, 'Welcome to Analytics')
  })

  browserTest('a link that was passed on requires a verified address', async () => {
    const org = await createOrg(ada, 'Analytics')
    const ben = await newUser(server.current)
    const { invite_url } = await invite(ada, org, ben.email)
    const page = await visit()
    await page.goto(invite_url)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signIn(page, ben.email)
    await heading(page, 'Confirm your address first')
    await expectGoodPage(page)
    await page.getByRole('button', { name: 'Send the link again' }).click()
    await heading(page, 'Check your email')
    await expectGoodPage(page)
    await page.getByRole('link', { name: 'Back to the invitation' }).click()
    const mail = await server.current.noticed(new RegExp(`^Mail to ${ben.email} [^]*/verify\\?`))
    const there = await page.context().newPage()
    await there.goto(/http\S+\/verify\S+/.exec(mail)?.[0] ?? '')
    await there.getByRole('button', { name: 'Confirm' }).click()
    await heading(there, 'Address confirmed')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Accept' }).click()
    await heading(page, 'Welcome to Analytics')
  })

  browserTest('a withdrawn or unknown invitation is not valid', async () => {
    const org = await createOrg(ada, 'Analytics')
    const { id, invite_url } = await invite(ada, org, uniqueEmail())
    await call(ada, 'DELETE', `orgs/${org.id}/invites/${id}`)
    const page = await visit()
    for (const url of [invite_url, `${server.current.baseUrl}/invite`]) {
      expect((await page.goto(url))?.status()).toBe(410)
      await heading(page, 'This invitation is not valid')
    }
  })

  browserTest('the names on the page of an invitation are escaped', async () => {
    const org = await createOrg(ada, '<img src=x onerror=alert(1)>')
    const page = await visit()
    await page.goto(await mailTo(org, uniqueEmail()))
    await heading(page, 'Join <img src=x onerror=alert(1)>?')
    await expectGoodPage(page)
  })
})

browserTest('an error while accepting appears on the page', async () => {
  const org = await createOrg(ada, 'Analytics')
  const ben = await newVerifiedUser(server.current)
  const page = await visit()
  const { id, invite_url } = await invite(ada, org, ben.email)
  await page.goto(invite_url)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await signIn(page, ben.email)
  await heading(page, 'Join Analytics?')
  for (let i = 0; i < 100; i++) await call(ben, 'POST', 'orgs', { name: `Org ${i}` })
  await page.getByRole('button', { name: 'Accept' }).click()
  expect(await page.getByRole('alert').textContent()).toBe('There can be 100 organizations at most')
  await expectGoodPage(page)
  await call(ada, 'DELETE', `orgs/${org.id}/invites/${id}`)
  await page.getByRole('button', { name: 'Accept' }).click()
  await heading(page, 'This invitation is not valid')
})
