import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { newUser, PASSWORD, request, uniqueEmail, useServer } from '../harness/server.ts'
import { browserTest, contrastOf, pollLogin, startLogin, useBrowser } from './support.ts'

const server = useServer()
const { visit } = useBrowser(server)

const signIn = async (page: Page, email: string, password = PASSWORD) => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name }).waitFor()

describe('a person in a browser', () => {
  browserTest('makes an account on the way and lets a program in, which learns it', async () => {
    const login = await startLogin(server.current, { client_name: 'My program' })
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await heading(page, 'Sign in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create an account')
    const email = uniqueEmail()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Password, once more').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await heading(page, 'Allow My program to use your account?')
    expect(await page.getByText(login.user_code).count()).toBe(1)
    expect(await page.getByText(email).count()).toBe(1)
    await page.getByRole('button', { name: 'Allow' }).click()
    await heading(page, 'Connected')

    const answer = await pollLogin(server.current, login.device_code)
    expect(answer).toMatchObject({ status: 'approved', user: { email } })
    const me = await request(server.current, 'GET', '/api/me', { token: answer.api_key })
    expect(me.body.email).toBe(email)
  })

  browserTest('is told of a wrong password, and goes on with the right one', async () => {
    const { email } = await newUser(server.current)
    const login = await startLogin(server.current, { client_name: 'My program' })
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await signIn(page, email, 'not the password')
    expect(await page.getByRole('alert').textContent()).toBe('Invalid email or password')
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
    await signIn(page, email)
    await heading(page, 'Allow My program to use your account?')
  })

  browserTest('denies, and the program gets nothing', async () => {
    const { email } = await newUser(server.current)
    const login = await startLogin(server.current)
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await signIn(page, email)
    await page.getByRole('button', { name: 'Deny' }).click()
    await heading(page, 'Denied')
    expect(await pollLogin(server.current, login.device_code)).toEqual({ status: 'denied' })
  })

  browserTest('types the code that the program shows, and is told of a wrong one', async () => {
    const { email } = await newUser(server.current)
    const { user_code } = await startLogin(server.current, { client_name: 'My program' })
    const page = await visit()
    await page.goto(`${server.current.baseUrl}/device`)
    await signIn(page, email)
    await page.getByLabel('Code').fill('bbbb-bbbb')
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await page.getByRole('alert').textContent()).toBe('No login is waiting with this code')
    await page.getByLabel('Code').fill(user_code.toLowerCase().replace('-', ''))
    await page.getByRole('button', { name: 'Continue' }).click()
    await heading(page, 'Allow My program to use your account?')
  })

  browserTest('needs no mouse', async () => {
    const { email } = await newUser(server.current)
    const login = await startLogin(server.current, { client_name: 'My program' })
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await page.keyboard.type(email)
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Allow My program to use your account?')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Allow')
    await page.keyboard.press('Enter')
    await heading(page, 'Connected')
    expect(await pollLogin(server.current, login.device_code)).toMatchObject({ status: 'approved' })
  })

  browserTest('who is somebody else signs out, and the code is kept', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    const login = await startLogin(server.current)
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await signIn(page, ada.email)
    await page.getByRole('button', { name: 'Not you?' }).click()
    await heading(page, 'Sign in')
    await signIn(page, bob.email)
    await page.getByRole('button', { name: 'Allow' }).click()
    await heading(page, 'Connected')
    expect(await pollLogin(server.current, login.device_code)).toMatchObject({
      user: { id: bob.id },
    })
  })

  browserTest('stays signed in for the next program', async () => {
    const { email } = await newUser(server.current)
    const page = await visit()
    for (const client_name of ['First', 'Second']) {
      await page.goto((await startLogin(server.current, { client_name })).verification_uri_complete)
      if (client_name === 'First') await signIn(page, email)
      await heading(page, `Allow ${client_name} to use your account?`)
    }
  })
})

describe('the pages', () => {
  for (const colorScheme of ['light', 'dark'] as const)
    browserTest(`can be read in the ${colorScheme}`, async () => {
      const { email } = await newUser(server.current)
      const page = await visit({ colorScheme })
      await page.goto((await startLogin(server.current)).verification_uri_complete)
      await signIn(page, email, 'not the password')
      for (const text of [
        'h1',
        '.quiet',
        'a',
        'label',
        'input[type=email]',
        'button',
        '[role=alert]',
      ])
        expect(await contrastOf(page, text), text).toBeGreaterThanOrEqual(4.5)
      await signIn(page, email)
      for (const text of [
        'h1',
        'dt',
        'dd',
        '.code-shown',
        'button',
        'button.second',
        'button.link',
      ])
        expect(await contrastOf(page, text), text).toBeGreaterThanOrEqual(4.5)
      const paper = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
      expect(Number(/\d+/.exec(paper)?.[0]) < 128).toBe(colorScheme === 'dark')
    })

  browserTest('fit a small telephone, whatever a program calls itself', async () => {
    const { email } = await newUser(server.current)
    const page = await visit({ viewport: { width: 320, height: 568 } })
    const login = await startLogin(server.current, { client_name: 'W'.repeat(60) })
    await page.goto(login.verification_uri_complete)
    const overflow = () =>
      page.evaluate<number>('document.documentElement.scrollWidth - document.body.clientWidth')
    expect(await overflow()).toBeLessThanOrEqual(0)
    await signIn(page, email)
    await page.getByRole('button', { name: 'Allow' }).waitFor()
    expect(await overflow()).toBeLessThanOrEqual(0)
  })
})
