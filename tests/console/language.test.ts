import { describe, expect } from 'bun:test'
import { remember } from '../../shared/contract/memories.ts'
import { browserTest, heading } from '../browser/support.ts'
import { newUser, request, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open } = useConsole(server)

/** The areas of the console, with their headings. */
const AREAS = [
  ['/', 'Startseite'],
  ['/activity', 'Aktivität'],
  ['/memories', 'Erinnerungen'],
  ['/memories/new', 'Neue Erinnerung'],
  ['/graph', 'Graph'],
  ['/connect', 'Assistenten'],
  ['/automation', 'Reflexe'],
  ['/people', 'Organisationen'],
  ['/usage', 'Nutzung'],
  ['/settings/preferences', 'Allgemein'],
] as const

const store = async (user: { key: string }, body: object) => {
  const stored = await request(server.current, remember.method, remember.path, {
    token: user.key,
    body,
  })
  expect(stored.status).toBe(201)
  return stored.body
}

describe('German', () => {
  browserTest('every area is German and accessible in a German browser', async () => {
    const page = await open(await newUser(server.current), '/', { locale: 'de-DE' })
    for (const [path, title] of AREAS) {
      await page.goto(`${server.current.baseUrl}/app${path === '/' ? '' : path}`)
      await heading(page, title)
      expect(await page.locator('html').getAttribute('lang')).toBe('de')
      await expectAccessible(page).catch((error) => {
        throw new Error(`${path}: ${error.message}`)
      })
    }
  })

  browserTest('numbers, times and plurals have the forms of the language and region', async () => {
    const user = await newUser(server.current)
    await store(user, {
      content: 'Der Schlüssel liegt im Topf.',
      occurred_at: '2024-03-09T12:00:00Z',
    })
    const page = await open(user, '/memories', { locale: 'de-DE', timezoneId: 'Europe/Berlin' })
    await page.getByText('1 Erinnerung', { exact: true }).first().waitFor()
    await store(user, { content: 'Das Fahrrad steht im Keller.' })
    await page.reload()
    await page.getByText('2 Erinnerungen', { exact: true }).first().waitFor()
    await page.getByRole('link', { name: /Der Schlüssel/ }).click()
    const time = page.locator('time[datetime="2024-03-09T12:00:00.000Z"]')
    expect(await time.first().getAttribute('title')).toBe('09.03.2024, 13:00')
  })

  browserTest('an error of the API is shown in German', async () => {
    const page = await open(await newUser(server.current), '/settings/password', {
      locale: 'de-DE',
    })
    await page.getByRole('textbox', { name: 'Aktuelles Passwort' }).fill('not the password')
    for (const field of await page.locator('input[autocomplete=new-password]').all())
      await field.fill('a long new password')
    await page.keyboard.press('Enter')
    await page.getByText('Das aktuelle Passwort ist falsch').waitFor()
  })
})

describe('language and region', () => {
  browserTest('a person chooses a language, a region and a time zone by keyboard', async () => {
    const user = await newUser(server.current)
    const { memory_id } = await store(user, {
      content: 'The train leaves from platform 3.',
      occurred_at: '2024-07-01T22:30:00Z',
    })
    const page = await open(user, '/settings/preferences', {
      locale: 'en-US',
      timezoneId: 'America/New_York',
    })
    const choose = async (label: RegExp, name: string) => {
      const loaded = page.waitForEvent('load')
      await page.getByRole('button', { name: label }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('option', { name, exact: true }).press('Enter')
      await loaded
    }
    await choose(/Language/, 'Deutsch')
    await heading(page, 'Allgemein')
    await choose(/Zeitzone/, 'Asia/Tokyo')
    await heading(page, 'Allgemein')
    await choose(/Zahlen/, 'Schweiz')
    await page.getByText(/12[’']345\.6/).waitFor()

    await page.goto(`${server.current.baseUrl}/app/memories/${memory_id}`)
    const time = page.locator('time[datetime="2024-07-01T22:30:00.000Z"]').first()
    expect(await time.getAttribute('title')).toBe('02.07.2024, 07:30')

    // The fields of forms are in the time zone too.
    await page.getByRole('button', { name: 'Bearbeiten' }).first().click()
    expect(await page.locator('input[type=datetime-local]').inputValue()).toBe('2024-07-02T07:30')
    await expectAccessible(page)
  })

  browserTest('a stored region or time zone that does not exist is ignored', async () => {
    const page = await open(await newUser(server.current), '/', undefined, async (empty) => {
      await empty.addInitScript(`
        localStorage.setItem('svc-region', '"><script>')
        localStorage.setItem('svc-time-zone', 'Mars/Olympus')`)
    })
    await heading(page, 'Home')
  })
})
