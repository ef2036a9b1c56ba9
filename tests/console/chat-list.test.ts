import { afterAll, describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTest, heading } from '../browser/support.ts'
import { useConversation } from '../conversation/support.ts'
import { eventually } from '../harness/eventually.ts'
import { echoes } from '../harness/model-server.ts'
import { startTranscriptionServer } from '../harness/transcription-server.ts'
import { expectAccessible, useConsole } from './support.ts'

const transcription = startTranscriptionServer()
afterAll(() => transcription[Symbol.asyncDispose]())
const suite = useConversation({ SVC_TRANSCRIBE_URL: transcription.url })
const { open, expectProblems } = useConsole({
  get current() {
    return suite.server
  },
})

const HOSTILE = '<script>alert(1)</script> ‮טקסט'

/** Replaces the microphone, which the browser of the tests does not have. */
const USE_SILENT_MICROPHONE = `navigator.mediaDevices.getUserMedia = () =>
  Promise.resolve(new AudioContext().createMediaStreamDestination().stream)`

/** Opens the menu of a chat and chooses an action, with the keyboard. */
const choose = async (page: Page, title: string, action: string): Promise<void> => {
  const list = page.getByRole('navigation', { name: 'Chats' })
  await list.getByRole('button', { name: `Actions for ${title}` }).press('Enter')
  await page.getByRole('menuitem', { name: action }).press('Enter')
}

describe('the list of chats', () => {
  browserTest('chats are searched, pinned, renamed, sorted, archived and deleted', async () => {
    const user = await suite.newUser()
    for (const message of ['Boats', HOSTILE])
      await suite.post('/api/chat', { message, provider: 'local' }, user)
    const page = await open(user, '/chat')
    const list = page.getByRole('navigation', { name: 'Chats' })
    await list.getByRole('link', { name: '<script>alert(1)</script>' }).waitFor()
    await list.getByRole('searchbox').fill('boats')
    await page.waitForURL(/\?q=boats$/)
    await list.getByRole('link', { name: 'script' }).waitFor({ state: 'detached' })
    await page.reload()
    expect(await list.getByRole('searchbox').inputValue()).toBe('boats')

    await choose(page, 'Boats', 'Pin')
    await list.getByRole('heading', { name: 'Pinned' }).waitFor()
    await choose(page, 'Boats', 'Rename')
    await page.getByLabel('Title').fill('Ships')
    await page.keyboard.press('Enter')
    await choose(page, 'Ships', 'Archive')
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await list.getByRole('button', { name: 'Actions for Ships' }).waitFor()

    await list.getByRole('button', { name: 'Edit categories' }).press('Enter')
    await page.getByLabel('Name').fill('Water')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Edit Water' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    // The closing dialog returns the focus, which would close a menu.
    await page.locator('button[aria-label="Edit categories"]:focus').waitFor()
    await choose(page, 'Ships', 'Move to category')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /No category/ })
      .press('Enter')
    await page.getByRole('option', { name: 'Water' }).press('Enter')
    await list.getByRole('link', { name: /Ships.*Water/ }).waitFor()

    await choose(page, 'Ships', 'Delete')
    await page.getByRole('alertdialog', { name: /^Delete/ }).waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Chat deleted').waitFor()
    await page.getByText('No chat has these words.').waitFor()
    await list.getByRole('link', { name: 'Show all chats' }).press('Enter')
    await list.getByRole('link', { name: 'script' }).waitFor()
    expect(await list.getByRole('searchbox').inputValue()).toBe('')
    await page.locator(':focus').waitFor()
  })

  browserTest(
    'an action reports at once, also where its row goes before all is reloaded',
    async () => {
      const user = await suite.newUser()
      await suite.post('/api/chat', { message: 'Boats', provider: 'local' }, user)
      const page = await open(user, '/chat')
      const list = page.getByRole('navigation', { name: 'Chats' })
      await list.getByRole('link', { name: 'Boats' }).press('Enter')
      await heading(page, 'Boats')
      const held = Promise.withResolvers<void>()
      await page.route('**/api/chat/sessions/*', async (route) => {
        if (route.request().method() === 'GET') await held.promise
        await route.continue()
      })
      await choose(page, 'Boats', 'Archive')
      await list.getByRole('button', { name: 'Actions for Boats' }).waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Undo' }).waitFor()
      held.resolve()
      await page.getByRole('button', { name: 'Undo' }).press('Enter')
      await list.getByRole('button', { name: 'Actions for Boats' }).waitFor()
    },
  )

  browserTest('a narrow screen opens a chat in a drawer', async () => {
    const user = await suite.newUser()
    await suite.post('/api/chat', { message: 'Boats', provider: 'local' }, user)
    const page = await open(user, '/chat', { viewport: { width: 375, height: 700 } })
    await page.getByRole('button', { name: 'Open the list of chats' }).press('Enter')
    await page.getByRole('dialog').getByRole('link', { name: 'Boats' }).press('Enter')
    await heading(page, 'Boats')
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})

/** Keeps a permission prompt open until `window.allow()`, and then records `window.track`. */
const PROMPT_FOR_MICROPHONE = `navigator.mediaDevices.getUserMedia = () =>
  new Promise((resolve) => {
    window.allow = () => {
      const { stream } = new AudioContext().createMediaStreamDestination()
      window.track = stream.getTracks()[0]
      resolve(stream)
    }
  })`

describe('a message', () => {
  browserTest('a recording does not start after the screen was left', async () => {
    const page = await open(await suite.newUser(), '/chat')
    await page.evaluate(PROMPT_FOR_MICROPHONE)
    const record = page.getByRole('button', { name: 'Record a voice message' })
    await record.press('Enter')
    await page.getByRole('link', { name: 'Agents' }).press('Enter')
    await heading(page, 'Agents')
    await page.evaluate('window.allow()')
    await eventually(async () => (await page.evaluate('window.track.readyState')) === 'ended')
  })

  browserTest('a message has files, a web page and a transcription, or the reason', async () => {
    expectProblems(/Permission|NotAllowed/)
    const page = await open(await suite.newUser(), '/chat')
    const record = page.getByRole('button', { name: 'Record a voice message' })
    await record.press('Enter')
    await page.getByText(/does not allow the microphone|No microphone was found/).waitFor()
    await page.evaluate(USE_SILENT_MICROPHONE)
    await record.press('Enter')
    await page.getByRole('button', { name: 'Stop recording' }).press('Enter')
    await page.getByRole('button', { name: 'Send', disabled: false }).waitFor()
    const message = page.getByRole('textbox', { name: 'Message' })
    expect(await message.inputValue()).toMatch(/^I heard \d+ bytes\.$/)

    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Attach files' }).press('Enter')
    const notes = { name: 'notes <b>.txt', mimeType: 'text/plain', buffer: Buffer.from('Tea') }
    const broken = { name: 'x.bin', mimeType: 'x/x', buffer: Buffer.from([0, 1, 2, 255, 254]) }
    await (await chooser).setFiles([notes, broken])
    await page.getByText('The file must be text, a PDF').waitFor()
    await page.getByRole('button', { name: 'Remove x.bin' }).press('Enter')

    const host = suite.web.site(
      () =>
        new Response('<title>On boats</title><p>Boats float on water.</p>', {
          headers: { 'content-type': 'text/html' },
        }),
    )
    await page.getByRole('button', { name: 'Attach a web page' }).press('Enter')
    await page.getByLabel('Address').fill('http://10.0.0.1/')
    await page.keyboard.press('Enter')
    await page.getByText('There is no public web server at this address').waitFor()
    await page.getByLabel('Address').fill(`http://${host}/`)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove On boats' }).waitFor()
    await message.focus()
    await expectAccessible(page)

    suite.model.next(echoes)
    await message.fill('Read these')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Download notes <b>.txt' }).waitFor()
    await page.getByText('A web page was attached').waitFor()
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download notes <b>.txt' }).press('Enter')
    expect(await Bun.file(await (await download).path()).text()).toBe('Tea')
  })
})

describe('a shared link', () => {
  browserTest('a shared link is created for a chat, listed and revoked', async () => {
    const user = await suite.newUser()
    const sent = await suite.post('/api/chat', { message: 'Boats', provider: 'local' }, user)
    const page = await open(user, `/chat/${sent.body.session_id}`)
    await page.getByRole('button', { name: 'Share', exact: true }).press('Enter')
    await page.getByRole('dialog').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Create link' }).press('Enter')
    const url = await page.getByRole('dialog').locator('pre').first().textContent()
    expect((await fetch(url ?? '')).status).toBe(200)
    await page.getByRole('link', { name: 'All shared links' }).press('Enter')
    await heading(page, 'Shared links')
    await page.getByRole('cell', { name: 'Boats', exact: true }).waitFor()
    await page.getByRole('button', { name: /Revoke.*Boats/ }).press('Enter')
    await page
      .getByRole('alertdialog', { name: /^Revoke/ })
      .getByRole('button', { name: 'Revoke' })
      .press('Enter')
    await page.getByRole('heading', { name: 'No shared links' }).waitFor()
    expect((await fetch(url ?? '')).status).toBe(410)
  })
})
