import { describe, expect } from 'bun:test'
import { newUser, PASSWORD, request, uniqueEmail, useSharedServer } from '../harness/server.ts'
import {
  browserTest,
  expectGoodPage,
  heading,
  pollLogin,
  signIn,
  startLogin,
  typeIn,
  useBrowser,
} from './support.ts'

const server = useSharedServer()
const { visit } = useBrowser(server)

describe('authorizing a device login in a browser', () => {
  browserTest('a new user signs up and approves, and the client receives its key', async () => {
    const login = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await heading(page, 'Sign in')
    await page.getByRole('link', { name: 'Create an account' }).click()
    await heading(page, 'Create an account')
    const email = uniqueEmail()
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await heading(page, 'Allow My app to use your account?')
    expect(await page.getByText(login.user_code).count()).toBe(1)
    expect(await page.getByText(email).count()).toBe(1)
    await page.getByRole('button', { name: 'Allow' }).click()
    await heading(page, 'Connected')

    const answer = await pollLogin(server.current, login.device_code)
    expect(answer).toMatchObject({ status: 'approved', user: { email } })
    const me = await request(server.current, 'GET', '/api/me', { token: answer.api_key })
    expect(me.body.email).toBe(email)
  })

  browserTest('a wrong password shows an error, and the correct one continues', async () => {
    const { email } = await newUser(server.current)
    const login = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await signIn(page, email, 'not the password')
    expect(await page.getByRole('alert').textContent()).toBe('Invalid email or password')
    expect(await page.getByLabel('Email').inputValue()).toBe(email)
    await typeIn(page, PASSWORD)
    await heading(page, 'Allow My app to use your account?')
  })

  browserTest('a denied login delivers nothing', async () => {
    const { email } = await newUser(server.current)
    const login = await startLogin(server.current)
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await signIn(page, email)
    await page.getByRole('button', { name: 'Deny' }).click()
    await heading(page, 'Denied')
    expect(await pollLogin(server.current, login.device_code)).toEqual({ status: 'denied' })
  })

  browserTest('the user enters the code; a wrong one shows an error', async () => {
    const { email } = await newUser(server.current)
    const { user_code } = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit()
    await page.goto(`${server.current.baseUrl}/device`)
    await signIn(page, email)
    await page.getByLabel('Code').fill('bbbb-bbbb')
    await page.getByRole('button', { name: 'Continue' }).click()
    expect(await page.getByRole('alert').textContent()).toBe(
      'No device login is waiting for this code',
    )
    await page.getByLabel('Code').fill(user_code.toLowerCase().replace('-', ''))
    await page.getByRole('button', { name: 'Continue' }).click()
    await heading(page, 'Allow My app to use your account?')
  })

  browserTest('the pages work with the keyboard only', async () => {
    const { email } = await newUser(server.current)
    const login = await startLogin(server.current, { client_name: 'My app' })
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await typeIn(page, email, PASSWORD)
    await heading(page, 'Allow My app to use your account?')
    // The first stop is the link to the console in the header.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    expect(await page.locator(':focus').textContent()).toBe('Allow')
    await page.keyboard.press('Enter')
    await heading(page, 'Connected')
    expect(await pollLogin(server.current, login.device_code)).toMatchObject({ status: 'approved' })
  })

  browserTest('signing out keeps the code', async () => {
    const [ada, bob] = await Promise.all([newUser(server.current), newUser(server.current)])
    const login = await startLogin(server.current)
    const page = await visit()
    await page.goto(login.verification_uri_complete)
    await signIn(page, ada.email)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await heading(page, 'Sign in')
    await signIn(page, bob.email)
    await page.getByRole('button', { name: 'Allow' }).click()
    await heading(page, 'Connected')
    expect(await pollLogin(server.current, login.device_code)).toMatchObject({
      user: { id: bob.id },
    })
  })

  browserTest('the next login needs no second sign-in', async () => {
    const { email } = await newUser(server.current)
    const page = await visit()
    for (const client_name of ['First', 'Second']) {
      await page.goto((await startLogin(server.current, { client_name })).verification_uri_complete)
      if (client_name === 'First') await signIn(page, email)
      await heading(page, `Allow ${client_name} to use your account?`)
    }
  })
})

browserTest('the pages are accessible on all screens, with any client name', async () => {
  const { email } = await newUser(server.current)
  const login = await startLogin(server.current, { client_name: 'W'.repeat(60), session: true })
  const page = await visit()
  await page.goto(login.verification_uri_complete)
  await expectGoodPage(page)
  await signIn(page, email, 'not the password')
  await page.getByRole('alert').waitFor()
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Create an account' }).click()
  await heading(page, 'Create an account')
  await expectGoodPage(page)
  await page.getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, email)
  await page.getByRole('button', { name: 'Allow' }).waitFor()
  await expectGoodPage(page)
  await page.goto(`${server.current.baseUrl}/device`)
  await heading(page, 'Authorize an app')
  await expectGoodPage(page)
  await page.goto(login.verification_uri_complete)
  await page.getByRole('button', { name: 'Allow' }).click()
  await heading(page, 'Connected')
  await expectGoodPage(page)
})
