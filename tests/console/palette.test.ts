import { describe, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { rememberBatch } from '../../shared/contract/index.ts'
import { browserTest, heading } from '../browser/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import { dmUserOf, threadOf } from '../people/dm-support.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open } = useConsole(server)

const palette = (page: Page) => page.getByRole('dialog', { name: 'Command menu' })
const openPalette = async (page: Page): Promise<void> => {
  await page.keyboard.press('Control+k')
  await palette(page).getByRole('combobox').and(page.locator(':focus')).waitFor()
}

describe('the palette', () => {
  browserTest('goes to screens, and finds what the user has, by keyboard', async () => {
    const user = await newVerifiedUser(server.current)
    const [ada, ben] = [
      await dmUserOf(server.current, user),
      await dmUserOf(server.current, await newVerifiedUser(server.current)),
    ]
    await threadOf(server.current, ada, ben)
    const { memories } = await user.client.call(rememberBatch, {
      body: {
        memories: [
          { content: 'The boiler <b>code</b> is 4711.', tags: ['heating-notes'], thread: 'house' },
        ],
      },
    })
    await request(server.current, 'POST', '/api/sessions', {
      token: user.key,
      body: { title: 'Boiler repairs' },
    })
    await request(server.current, 'POST', '/api/talk', {
      token: user.key,
      body: { message: 'Hello', agent_slug: 'boilermaker' },
    })
    const page = await open(user, '/')
    await openPalette(page)
    await page.keyboard.type('boiler')
    const item = (name: string | RegExp) => palette(page).getByRole('option', { name })
    await item('The boiler <b>code</b> is 4711.').waitFor()
    await item('Boiler repairs').waitFor()
    await item('boilermaker').waitFor()
    await item('Search memories for “boiler”').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/memories/${memories[0]?.memory_id}`)
    expect(await palette(page).count()).toBe(0)

    for (const [words, entry, url] of [
      ['heating', 'Tag: heating-notes', '**/memories?tag=heating-notes'],
      ['hous', 'Thread: house', '**/memories?thread=house'],
      ['securi', 'Security log', '**/settings/activity'],
      [ben.username.slice(0, 16), /^user-/, '**/people/messages/*'],
    ] as const) {
      await openPalette(page)
      await page.keyboard.type(words)
      await item(entry).first().click()
      await page.waitForURL(url)
    }
    await openPalette(page)
    await page.keyboard.type('theme dark')
    await item('Theme: Dark').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('html[data-theme=dark]').waitFor()
    await openPalette(page)
    await page.keyboard.press('Escape')
    await palette(page).waitFor({ state: 'detached' })
  })

  browserTest('words of a query are text, of any kind and length', async () => {
    const page = await open(await newUser(server.current), '/memories')
    await openPalette(page)
    const field = palette(page).getByRole('combobox')
    await field.fill('<img src=x onerror=alert(1)> שלום')
    await palette(page).getByRole('option', { name: 'Search memories for' }).click()
    await page.waitForURL(/q=/)
    await openPalette(page)
    await field.fill('x'.repeat(32_000))
    await palette(page).getByRole('option', { name: 'Search memories for' }).waitFor()
    await expectAccessible(page)
  })

  browserTest('memories of the query before are gone while the next one is answered', async () => {
    const user = await newUser(server.current)
    await user.client.call(rememberBatch, { body: { memories: [{ content: 'Pears are ripe.' }] } })
    const page = await open(user, '/')
    await openPalette(page)
    const field = palette(page).getByRole('combobox')
    const memory = palette(page).getByRole('option', { name: 'Pears are ripe.' })
    await field.fill('pears')
    await memory.waitFor()
    const held = page.waitForRequest('**/api/recall')
    await page.route('**/api/recall', () => {})
    await field.fill('xyzzy')
    await held
    await memory.waitFor({ state: 'detached' })
  })

  browserTest('a button opens it on a narrow screen', async () => {
    const page = await open(await newUser(server.current), '/', {
      viewport: { width: 375, height: 700 },
    })
    await page.getByRole('button', { name: 'Command menu' }).click()
    await palette(page).getByRole('option', { name: 'Remember something' }).click()
    await page.waitForURL('**/memories/new')
  })
})

describe('shortcuts', () => {
  browserTest('letters go to screens and act, but not in fields, lists and dialogs', async () => {
    const page = await open(await newUser(server.current), '/')
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.waitForURL('**/memories')
    await heading(page, 'Memories')
    await page.keyboard.press('/')
    await page
      .getByRole('searchbox', { name: 'Search memories' })
      .and(page.locator(':focus'))
      .waitFor()
    await page.keyboard.type('g?nc')
    expect(await page.getByRole('searchbox').inputValue()).toBe('g?nc')
    await page.getByRole('link', { name: 'Home' }).focus()
    await page.keyboard.press('n')
    await page.waitForURL('**/memories/new')
    // The form takes the focus when it is there, which may be after the address has changed.
    await page.getByRole('textbox').and(page.locator(':focus')).waitFor()
    await page.getByRole('link', { name: 'Home' }).focus()
    await page.keyboard.press('c')
    await page.waitForURL('**/chat')
    await page.getByRole('textbox').and(page.locator(':focus')).waitFor()
    await page.getByRole('link', { name: 'Home' }).focus()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await sheet.waitFor()
    await expectAccessible(page)
    await page.keyboard.press('n')
    await sheet.getByText('Shortcuts of a single key').click()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/app/chat')

    await page.reload()
    await page.getByRole('link', { name: 'Home' }).focus()
    await page.keyboard.press('g')
    await page.keyboard.press('m')
    await page.keyboard.press('n')
    await openPalette(page)
    expect(new URL(page.url()).pathname).toBe('/app/chat')
  })
})
