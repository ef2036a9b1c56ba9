import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { fallbackStyle } from '../../scripts/typeface.ts'
import { browserTest, heading } from '../browser/support.ts'
import { write } from '../harness/facts.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const server = useSharedServer()
const { open, visit } = useConsole(server)

const STYLES = `${import.meta.dir}/../../console/styles`

/** Runs in the page. @returns the files of the typeface that were loaded and are in use. */
const LOADED = `document.fonts.ready.then(() => [...document.fonts]
  .filter(({ family, status }) => family === 'Geist' && status === 'loaded').length)`

const loadedFaces = (page: Page) => page.evaluate<number>(LOADED)

describe('the typeface', () => {
  browserTest('the console loads the typeface and contacts no other host', async () => {
    const hosts = new Set<string>()
    const page = await open(await newUser(server.current), '/', undefined, async (empty) =>
      empty.on('request', (each) => hosts.add(new URL(each.url()).host)),
    )
    expect(await loadedFaces(page)).toBe(1)
    expect([...hosts]).toEqual([new URL(server.current.baseUrl).host])
  })

  browserTest('the sign-in page loads the typeface under its policy', async () => {
    const page = await visit()
    await page.goto(`${server.current.baseUrl}/signin`)
    await heading(page, 'Sign in')
    expect(await loadedFaces(page)).toBe(1)
    const policy = (await fetch(`${server.current.url}/api/auth/app`)).headers.get(
      'content-security-policy',
    )
    expect(policy).toContain("font-src 'self'")
  })

  test('the file is immutable', async () => {
    const page = await (await fetch(`${server.current.url}/api/auth/app`)).text()
    const path = /href="(\/typeface\/[^"]+)"/.exec(page)?.[1] ?? ''
    const { status, headers } = await fetch(`${server.current.url}${path}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('font/woff2')
    expect(headers.get('cache-control')).toContain('immutable')
  })

  test('the fallback has the proportions that the script computes', async () => {
    expect(await Bun.file(`${STYLES}/typeface.css`).text()).toBe(fallbackStyle())
  })
})

/** Runs in the page. */
const SIZES = `({
  text: parseFloat(getComputedStyle(document.documentElement).fontSize),
  row: document.querySelector('.memory-row').offsetHeight,
})`

describe('the density', () => {
  browserTest('compact shows more, and is kept after a reload', async () => {
    const user = await newVerifiedUser(server.current)
    await write(user.client, 'Ada likes figs.')
    const page = await open(user, '/memories')
    await page.locator('.memory-row').waitFor()
    const before = await page.evaluate<{ text: number; row: number }>(SIZES)
    await page.goto(`${server.current.baseUrl}/app/settings/preferences`)
    await page.getByRole('radio', { name: 'Compact' }).focus()
    await page.keyboard.press('Space')
    await page.locator('html[data-density=compact]').waitFor()
    await expectAccessible(page)
    await page.goto(`${server.current.baseUrl}/app/memories`)
    await page.locator('.memory-row').waitFor()
    const after = await page.evaluate<{ text: number; row: number }>(SIZES)
    expect(after.text).toBeLessThan(before.text)
    expect(after.row).toBeLessThan(before.row)
    await expectAccessible(page)
  })
})

/** Runs in the page. @returns the selectors' elements that move or fade. */
const MOVING = `[...document.querySelectorAll('*')].filter((element) => {
  const { animationName, transitionDuration } = getComputedStyle(element)
  return animationName !== 'none' || transitionDuration.split(', ').some((each) => parseFloat(each) > 0)
}).length`

const MOTION = { reducedMotion: 'no-preference' } as const

describe('reduced motion', () => {
  browserTest('nothing moves in the console', async () => {
    const page = await open(await newUser(server.current), '/', MOTION)
    expect(await page.evaluate<number>(MOVING)).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await page.evaluate<number>(MOVING)).toBe(0)
  })

  browserTest('the drawing of the sign-in page stands still', async () => {
    const page = await visit(MOTION)
    await page.goto(`${server.current.baseUrl}/signin`)
    expect(await page.evaluate<number>(MOVING)).toBeGreaterThan(0)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    expect(await page.evaluate<number>(MOVING)).toBe(0)
  })
})

describe('print', () => {
  browserTest('a printed memory has its text and no controls', async () => {
    const user = await newVerifiedUser(server.current)
    const [id] = await write(user.client, 'Ada likes figs.')
    const page = await open(user, `/memories/${id}`)
    await page.locator('.memory-content').waitFor()
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.memory-content').isVisible()).toBe(true)
    expect(await page.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
    expect(await page.getByRole('button', { includeHidden: false }).count()).toBe(0)
  })
})
