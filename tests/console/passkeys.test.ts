import { describe, expect } from 'bun:test'
import type { CDPSession, Page } from 'playwright-core'
import { enableMfa } from '../api/prepare.ts'
import { addAuthenticator } from '../browser/authenticator.ts'
import { browserTest, heading, signIn } from '../browser/support.ts'
import { newUser, PASSWORD, request, type TestUser, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open, visit, expectProblems } = useConsole(server)

interface Device {
  session: CDPSession
  authenticatorId: string
}

const credentialsOf = async ({ session, authenticatorId }: Device) =>
  (await session.send('WebAuthn.getCredentials', { authenticatorId })).credentials

/** Adds a passkey in the console. @returns the device with it. */
const addPasskey = async (user: TestUser, name = 'phone') => {
  const page = await open(user, '/settings/passkeys')
  const device = await addAuthenticator(page)
  await page.getByRole('button', { name: 'Add passkey' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill(name)
  await page.keyboard.press('Enter')
  await page.getByText(`Added the passkey ${name}`).waitFor()
  return { page, device }
}

/** A page of another browser with the credentials of a device, at the sign-in page. */
const atSignIn = async (device: Device, signCount?: number) => {
  const page = await visit()
  const copy = await addAuthenticator(page)
  for (const credential of await credentialsOf(device))
    await copy.session.send('WebAuthn.addCredential', {
      authenticatorId: copy.authenticatorId,
      credential: { ...credential, ...(signCount !== undefined && { signCount }) },
    })
  return { page, device: copy }
}

const senderFor = ({ accessToken: token }: TestUser) => ({
  send: async (method: string, path: string, body?: unknown) =>
    (await request(server.current, method, path, { token, body })).body,
})

const setPresence = ({ session, authenticatorId }: Device, enabled: boolean) =>
  session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })

const toSignIn = (page: Page) => page.goto(`${server.current.baseUrl}/signin`)
/** Opens the sign-in page, where autofill uses the passkey, which the server refuses. */
const refusedBySignIn = async (page: Page, device: Device) => {
  const refused = page.waitForResponse((response) => response.status() === 401)
  await toSignIn(page)
  await refused
  // Otherwise the autofill of the next page uses it again.
  await setPresence(device, false)
}
const usePasskey = (page: Page) => page.getByRole('button', { name: 'Use a passkey' }).click()
const signedIn = (page: Page) => page.waitForURL(/\/app(?:\/|\?|$)/)

describe('passkeys in the console', () => {
  browserTest('a passkey is added, renamed and removed', async () => {
    const user = await newUser(server.current)
    const { page, device } = await addPasskey(user)
    const [credential] = await credentialsOf(device)
    expect(credential).toMatchObject({ isResidentCredential: true, rpId: 'localhost' })
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('again')
    await page.keyboard.press('Enter')
    await page.getByText('This device has a passkey of your account already').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()

    await page.getByRole('button', { name: 'Rename phone' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Name' }).fill('my phone')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove my phone' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog', { name: 'Remove the passkey my phone?' }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Removed the passkey my phone').waitFor()
    await page.getByText('No passkeys').waitFor()
  })
})

describe('the password', () => {
  browserTest('the password is removed once a passkey and recovery codes exist', async () => {
    const user = await newUser(server.current)
    const remove = async (page: Page) => {
      await page.goto(`${server.current.baseUrl}/app/settings/password`)
      await page.getByRole('textbox', { name: 'Password to remove' }).fill(PASSWORD)
      await page.keyboard.press('Enter')
    }
    const { page } = await addPasskey(user)
    await remove(page)
    await page.getByText('Add a passkey and turn on the second factor first').waitFor()
    await expectAccessible(page)
    await enableMfa(senderFor(user))
    await remove(page)
    await page.getByText('Password removed').waitFor()
  })
})

describe('the sign-in page', () => {
  browserTest('autofill offers a passkey, which signs in without an address', async () => {
    const user = await newUser(server.current)
    const { device } = await addPasskey(user)
    const { page } = await atSignIn(device)
    await toSignIn(page)
    await signedIn(page)
  })

  browserTest('the button signs in with a passkey in a browser without autofill', async () => {
    const user = await newUser(server.current)
    const { device } = await addPasskey(user)
    const { page } = await atSignIn(device)
    await page.addInitScript(
      'PublicKeyCredential.isConditionalMediationAvailable = async () => false',
    )
    await toSignIn(page)
    await usePasskey(page)
    await signedIn(page)
  })

  browserTest('a passkey completes a sign-in with a password and a second factor', async () => {
    const user = await newUser(server.current)
    await enableMfa(senderFor(user))
    const { device } = await addPasskey(user)
    const { page, device: copy } = await atSignIn(device)
    await setPresence(copy, false)
    await toSignIn(page)
    await signIn(page, user.email)
    await heading(page, 'Enter your code')
    await setPresence(copy, true)
    await usePasskey(page)
    await signedIn(page)
  })

  browserTest(
    'a copied passkey with an older counter is refused, and a password still signs in',
    async () => {
      expectProblems(/401/)
      const user = await newUser(server.current)
      const { device } = await addPasskey(user)
      const first = await atSignIn(device, 1_000)
      const second = await atSignIn(device)
      await toSignIn(first.page)
      await signedIn(first.page)
      await refusedBySignIn(second.page, second.device)
      await second.page.getByText('A copy of this passkey may exist').waitFor()
      await signIn(second.page, user.email)
      await signedIn(second.page)
    },
  )

  browserTest('a removed passkey is refused', async () => {
    expectProblems(/401/)
    const user = await newUser(server.current)
    const { page: settings, device } = await addPasskey(user)
    await settings.getByRole('button', { name: 'Remove phone' }).click()
    await settings
      .getByRole('alertdialog', { name: 'Remove the passkey phone?' })
      .getByRole('button', { name: 'Remove' })
      .click()
    await settings.getByText('Removed the passkey phone').waitFor()
    const { page, device: copy } = await atSignIn(device)
    await refusedBySignIn(page, copy)
    await page.getByText('The passkey was not accepted').waitFor()
  })
})
