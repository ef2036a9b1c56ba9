import { describe, expect } from 'bun:test'
import sharp from 'sharp'
import { remember } from '../../shared/contract/memories.ts'
import { browserTest, heading } from '../browser/support.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, PASSWORD, request, uniqueEmail, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open, expectProblems } = useConsole(server)

const get = async (path: string, token: string) =>
  (await request(server.current, 'GET', path, { token })).body

/** A white square, and a black one beside it. */
const newPicture = () =>
  sharp({ create: { width: 600, height: 300, channels: 3, background: 'black' } })
    .composite([
      {
        input: { create: { width: 300, height: 300, channels: 3, background: 'white' } },
        left: 0,
        top: 0,
      },
    ])
    .png()
    .toBuffer()

/** The lowest and the highest brightness in a picture. */
const brightnessOf = async (url: string): Promise<[number, number]> => {
  const content = await (await fetch(new URL(url, server.current.url))).arrayBuffer()
  const [channel] = (await sharp(content).flatten().stats()).channels
  return [channel?.min ?? 0, channel?.max ?? 255]
}

describe('profile', () => {
  browserTest('the name and a cropped picture are changed by keyboard alone', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/settings')
    await heading(page, 'Profile')
    await page.getByLabel('Display name').focus()
    await page.keyboard.press('Control+A')
    await page.keyboard.type('<script>alert(1)</script>')
    await page.keyboard.press('Enter')
    await page.getByText('Profile saved').waitFor()
    expect((await get('/api/profile', user.key)).display_name).toBe('<script>alert(1)</script>')
    await expectAccessible(page)

    const file = page.locator('input[type=file]')
    await file.setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('x') })
    await page.getByText('The picture must be a JPEG, PNG or WebP.').waitFor()
    await file.setInputFiles({
      name: 'a.png',
      mimeType: 'image/png',
      buffer: await newPicture(),
    })
    const area = page.getByRole('application', { name: 'Picture to crop' })
    const picture = page.locator('.reactEasyCrop_Image')
    await picture.waitFor()
    await expectAccessible(page)
    await area.focus()
    const before = await picture.getAttribute('style')
    const isChanged = `document.querySelector('.reactEasyCrop_Image').getAttribute('style') !== `
    await page.getByRole('slider', { name: 'Zoom' }).focus()
    await page.keyboard.press('End')
    await eventually(() => page.evaluate(`${isChanged}${JSON.stringify(before)}`))
    const zoomed = await picture.getAttribute('style')
    await area.focus()
    // To the white half, which then fills the circle.
    for (let step = 0; step < 300; step++) await page.keyboard.press('ArrowRight')
    await eventually(() => page.evaluate(`${isChanged}${JSON.stringify(zoomed)}`))
    await page.getByRole('button', { name: 'Use picture' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'Your picture' }).waitFor()
    const { avatar_url } = await get('/api/profile', user.key)
    expect(avatar_url).toMatch(/\.webp$/)
    const [darkest, brightest] = await brightnessOf(avatar_url)
    expect([darkest > 200, brightest > 200]).toEqual([true, true])
  })
})

describe('preferences and instructions', () => {
  browserTest('choices and instructions are kept after a reload', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/settings/preferences')
    await page.getByRole('radio', { name: 'Dark' }).focus()
    await page.keyboard.press('Space')
    // The contract says that the change affects this response.
    const again = page.waitForResponse((response) => response.url().endsWith('/api/preferences'))
    await page.getByRole('radio', { name: 'Do not read the page' }).focus()
    await page.keyboard.press('Space')
    await page.getByText('Preference saved').waitFor()
    await again
    await page.getByRole('radio', { name: 'Do not read the page', checked: true }).waitFor()
    await expectAccessible(page)
    const keeps = page.getByRole('switch', { name: /^Keep the questions/ })
    expect(await keeps.isChecked()).toBe(true)
    await keeps.focus()
    await page.keyboard.press('Space')
    await eventually(async () => !(await get('/api/events/settings', user.key)).keeps_questions)
    await page.reload()
    await heading(page, 'Preferences')
    await page.getByRole('switch', { name: /^Keep the questions/, checked: false }).waitFor()
    expect(await page.getByRole('radio', { name: 'Dark' }).isChecked()).toBe(true)
    await page.getByRole('radio', { name: 'Do not read the page', checked: true }).waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')

    await page.getByRole('button', { name: user.email }).press('Enter')
    await page.getByRole('menuitemradio', { name: 'Dark', checked: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('menuitemradio', { name: 'Light' }).press('Enter')
    await page.locator('html[data-theme=light]').waitFor()

    await page.getByRole('link', { name: 'Instructions' }).click()
    await heading(page, 'Instructions')
    await page.getByLabel('Custom instructions').fill('x'.repeat(2001))
    await page.getByText('2 characters too many').waitFor()
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
    await page.getByLabel('Custom instructions').fill('Call me Ada. 👩‍💻 שלום')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Instructions saved').waitFor()
    await expectAccessible(page)
    expect((await get('/api/auth/instructions', user.key)).instructions).toBe(
      'Call me Ada. 👩‍💻 שלום',
    )

    expectProblems(/ERR_FAILED/)
    await page.route('**/api/auth/instructions', (route) => route.abort())
    await page.getByLabel('Custom instructions').fill('Call me Bob.')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The server does not answer.').waitFor()
  })
})

describe('email address', () => {
  browserTest('an unverified address is shown with its next steps and their refusals', async () => {
    const [user, other] = [await newUser(server.current), await newUser(server.current)]
    const page = await open(user, '/settings/email')
    await page.getByText('Not verified').waitFor()
    await page.getByLabel('New address').fill(other.email)
    await page.keyboard.press('Enter')
    await page.getByText('Email already registered').waitFor()
    const address = uniqueEmail()
    await page.getByLabel('New address').fill(address)
    await page.keyboard.press('Enter')
    await page.getByText(`The link for ${address} is a file`).waitFor()
    await expectAccessible(page)
    const resend = page.getByRole('button', { name: 'Write the link to the outbox' })
    await resend.focus()
    // The limit is 5 requests per minute and client address.
    for (let attempt = 0; attempt < 6; attempt++) {
      let isAnswered = false
      const answered = page
        .waitForResponse('**/api/auth/resend-verification')
        .then(() => (isAnswered = true))
      // One at once is the second click of a double one.
      await eventually(async () => {
        if (!isAnswered) await page.keyboard.press('Enter')
        return isAnswered
      })
      await answered
      await page.locator('button[data-pending]').waitFor({ state: 'detached' })
    }
    await page.getByText('Too many requests.').waitFor()
  })
})

describe('password', () => {
  browserTest('a wrong and a common password are refused in words, a good one is set', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/settings/password')
    const change = async (current: string, next: string) => {
      await page.getByLabel('Current password', { exact: true }).fill(current)
      await page.getByLabel('New password', { exact: true }).fill(next)
      await page.keyboard.press('Enter')
    }
    await change('wrong password', 'another good password')
    await page.getByText('Current password is wrong').waitFor()
    await change(PASSWORD, 'password1')
    await page.getByText('This password is among the 10,000 most common').waitFor()
    await page.getByRole('button', { name: 'Show: New password' }).click()
    await page.getByRole('button', { name: 'Hide: New password' }).waitFor()
    await expectAccessible(page)
    await change(PASSWORD, 'another good password')
    await page.getByText('Password changed.').waitFor()
    const signedIn = await request(server.current, 'POST', '/api/auth/signin', {
      body: { email: user.email, password: 'another good password' },
    })
    expect(signedIn.status).toBe(200)

    await page.getByRole('link', { name: 'Security log' }).click()
    await page.getByRole('cell', { name: 'Password changed' }).waitFor()
    await expectAccessible(page)
  })
})

describe('your data', () => {
  browserTest('files are listed, downloaded and deleted', async () => {
    const user = await newUser(server.current)
    const name = `${'a long name '.repeat(10)}.txt`
    for (const [file, text] of [
      ['notes.txt', 'My notes.'],
      [name, 'Other notes.'],
    ] as const) {
      const form = new FormData()
      form.set('file', new File([text], file))
      await fetch(new URL('/api/files', server.current.url), {
        method: 'POST',
        headers: { authorization: `Bearer ${user.key}` },
        body: form,
      })
    }
    const page = await open(user, '/settings/files')
    await page.getByRole('row').filter({ hasText: 'notes.txt' }).getByText('1 KB').waitFor()
    await expectAccessible(page)
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download notes.txt' }).press('Enter')
    expect((await download).suggestedFilename()).toBe('notes.txt')
    await page.getByRole('button', { name: 'Delete notes.txt' }).press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Delete “notes.txt”?' })
    await dialog.getByRole('button', { name: 'Delete' }).press('Enter')
    await page.getByText('Deleted notes.txt').waitFor()
    await page.getByRole('button', { name: 'Delete notes.txt' }).waitFor({ state: 'detached' })
    expect(await get('/api/files', user.key)).toHaveLength(1)
    await expectAccessible(page)
  })

  browserTest('memories, conversations and the account are downloaded', async () => {
    const user = await newVerifiedUser(server.current)
    await user.client.call(remember, {
      body: { content: 'Ada likes tea.' },
    })
    await request(server.current, 'POST', '/api/chat', {
      token: user.key,
      body: { message: 'What does Ada like?' },
    })
    const page = await open(user, '/settings/data')
    await expectAccessible(page)
    for (const [name, file, ...contents] of [
      ['memories', 'svc-memories.ndjson', 'Ada likes tea.'],
      ['conversations', 'svc-conversations.json', '"role": "user"', 'What does Ada like?'],
      ['account', 'svc-account.json', user.email, '"display_name"', 'user.signed_up'],
    ] as const) {
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: `Download ${name}` }).click()
      const saved = await download
      expect(saved.suggestedFilename()).toBe(file)
      const text = await Bun.file(await saved.path()).text()
      for (const content of contents) expect(text).toContain(content)
    }
  })

  browserTest('the export of memories names the organization that they are of', async () => {
    const user = await newUser(server.current)
    const { body: org } = await request(server.current, 'POST', '/api/orgs', {
      token: user.key,
      body: { name: 'Analytics' },
    })
    const page = await open(user, '/settings/data')
    await page.getByRole('button', { name: /^Workspace/ }).press('Enter')
    await page.getByRole('menuitem', { name: org.name }).press('Enter')
    await page.getByText('The memories of Analytics, your current workspace.').waitFor()
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^Workspace/ }).press('Enter')
    await page.getByRole('menuitem', { name: 'Personal' }).press('Enter')
    await page.getByText('The memories of Analytics').waitFor({ state: 'detached' })
  })

  browserTest('the account is deleted after its address and password are typed', async () => {
    const user = await newUser(server.current)
    const page = await open(user, '/settings/data')
    await page.getByRole('button', { name: 'Delete account' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
    await page.getByLabel('Your email address').fill('someone@example.com')
    await page.keyboard.press('Enter')
    await page.getByText('This is not the address of your account.').waitFor()
    await page.getByLabel('Your email address').fill(user.email)
    await page.getByLabel('Password', { exact: true }).fill('wrong password')
    await page.keyboard.press('Enter')
    await page.getByText('Password is wrong').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await heading(page, 'Sign in')
    const me = await request(server.current, 'GET', '/api/me', { token: user.key })
    expect(me.status).toBe(401)
  })
})
