import { beforeAll, describe, expect } from 'bun:test'
import { newUser, PASSWORD, type TestUser, uniqueEmail, useServer } from '../harness/server.ts'
import { speaking } from '../http/orgs-support.ts'
import { newVerifiedUser } from '../http/support.ts'
import { browserTest, expectGoodPage, heading, signIn, typeIn, useBrowser } from './support.ts'

const server = useServer({ SVC_DEFAULT_TIER: 'conscious' })
const { visit } = useBrowser(server)
const { call, found, invite, members } = speaking(server)

let ada: TestUser
beforeAll(async () => {
  ada = await newVerifiedUser(server.current)
})

/** Invites an address, and gives the link of the mail. */
const mailTo = async (org: { id: string }, email: string): Promise<string> => {
  const { token } = await invite(ada, org, email)
  const mail = await server.current.noticed(new RegExp(`token=${token}`))
  return /http\S+token=\S+/.exec(mail)?.[0] ?? ''
}

describe('whoever opens an invitation', () => {
  browserTest(
    'makes an account on the way and joins: the mail has proved the address',
    async () => {
      const org = await found(ada, 'Analytics')
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
      await page.getByLabel('Password, once more').fill(PASSWORD)
      await page.getByRole('button', { name: 'Create account' }).click()
      await heading(page, 'Join Analytics?')
      await expectGoodPage(page)
      await page.getByRole('button', { name: 'Accept' }).click()
      await heading(page, 'Welcome to Analytics')
      await expectGoodPage(page)
      expect((await members(ada, org)).map((member) => member.email)).toEqual([ada.email, email])
    },
  )

  browserTest('signs in, needs no mouse, and finds out later that all is done', async () => {
    const org = await found(ada, 'Analytics')
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
  })

  browserTest('declines without an account, and the link is over for all', async () => {
    const org = await found(ada, 'Analytics')
    const link = await mailTo(org, uniqueEmail())
    const page = await visit()
    await page.goto(link)
    await page.getByRole('button', { name: 'Decline' }).click()
    await heading(page, 'Declined')
    await page.goto(link)
    await heading(page, 'This invitation is over')
    await expectGoodPage(page)
    expect((await call(ada, 'GET', `orgs/${org.id}/invites`)).body).toEqual([])
  })

  browserTest(
    'with another account is told which one it is for, and signs in with it',
    async () => {
      const org = await found(ada, 'Analytics')
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
      await page.getByRole('button', { name: 'Not you?' }).click()
      await heading(page, 'Join Analytics?')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await signIn(page, ben.email)
      await page.getByRole('button', { name: 'Accept' }).click()
      await heading(page, 'Welcome to Analytics')
    },
  )

  browserTest('from a link that was passed on proves the address first', async () => {
    const org = await found(ada, 'Analytics')
    const ben = await newUser(server.current)
    const { invite_url } = await invite(ada, org, ben.email)
    const page = await visit()
    await page.goto(invite_url)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await signIn(page, ben.email)
    await heading(page, 'Confirm your address first')
    await expectGoodPage(page)
    const mail = await server.current.noticed(new RegExp(`^Mail to ${ben.email} [^]*/verify\\?`))
    const there = await page.context().newPage()
    await there.goto(/http\S+\/verify\S+/.exec(mail)?.[0] ?? '')
    await there.getByRole('button', { name: 'Confirm' }).click()
    await heading(there, 'Address confirmed')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('button', { name: 'Accept' }).click()
    await heading(page, 'Welcome to Analytics')
  })

  browserTest('after it was withdrawn or never sent is told so', async () => {
    const org = await found(ada, 'Analytics')
    const { id, invite_url } = await invite(ada, org, uniqueEmail())
    await call(ada, 'DELETE', `orgs/${org.id}/invites/${id}`)
    const page = await visit()
    for (const url of [invite_url, `${server.current.baseUrl}/invite`]) {
      expect((await page.goto(url))?.status()).toBe(410)
      await heading(page, 'This invitation is over')
    }
  })

  browserTest('is shown names as they are written, not as what they would do', async () => {
    const org = await found(ada, '<img src=x onerror=alert(1)>')
    const page = await visit()
    await page.goto(await mailTo(org, uniqueEmail()))
    await heading(page, 'Join <img src=x onerror=alert(1)>?')
    await expectGoodPage(page)
  })
})

browserTest('a press on Accept is told what is in its way', async () => {
  const org = await found(ada, 'Analytics')
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
  await heading(page, 'This invitation is over')
})
