import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { newAddress, PASSWORD, request, type TestServer } from '../harness/server.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
]
/** A page that does not show what a test waits for by then never will. */
const WAIT_MS = 40_000

const executablePath = [process.env.TEST_CHROMIUM ?? '', ...CHROMIUM].find(
  (path) => path && existsSync(path),
)
const HOW_TO_INSTALL =
  'no Chromium was found: install it (Debian: apt-get install chromium), or name it in TEST_CHROMIUM'
const isLeftOut = !executablePath && !process.env.CI
if (isLeftOut) process.stderr.write(`the tests in a browser are left out: ${HOW_TO_INSTALL}\n`)

/** A test in a browser: left out on a machine that has none, but not where CI is set. */
export const browserTest = isLeftOut ? test.skip : test

/** Where a page went beyond itself, and what the browser did not like in it. */
const complaints: string[] = []

export interface Visitors {
  /**
   * Somebody new at a browser of their own, without cookies, from an address of their own.
   * `elsewhere`: the origins beside ours that they are to be sent to.
   */
  visit(options?: BrowserContextOptions, elsewhere?: string[]): Promise<Page>
}

/**
 * One browser for all tests of a file. After each of them nothing may have been complained of: no
 * error on the console, no broken policy, no failed request, and none to another host.
 */
export const useBrowser = (server: { readonly current: TestServer }): Visitors => {
  setDefaultTimeout(120_000)
  let browser: Browser | undefined
  beforeAll(async () => {
    if (isLeftOut) return
    if (!executablePath) throw new Error(HOW_TO_INSTALL)
    browser = await chromium.launch({ executablePath, args: ARGUMENTS })
  }, 120_000)
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(() => browser?.close())

  return {
    async visit(options = {}, elsewhere = []) {
      const context = await browser?.newContext({
        extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
        ...options,
      })
      if (!context) throw new Error('the browser starts before the tests')
      context.setDefaultTimeout(WAIT_MS)
      const page = await context.newPage()
      listen(page, [new URL(server.current.baseUrl).origin, ...elsewhere])
      return page
    },
  }
}

const listen = (page: Page, origins: string[]): void => {
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser tells of every answer outside 2xx; which those are is what a test is about.
    if (message.text().startsWith('Failed to load resource')) return
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (!origins.includes(new URL(request.url()).origin))
      complaints.push(`asked for ${request.url()}`)
  })
  page.on('requestfailed', (request) => {
    complaints.push(`${request.url()}: ${request.failure()?.errorText}`)
  })
}

/** Fills in the sign-in form of a page. */
export const signIn = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Waits until a page says what it is. */
export const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()

/** What somebody without a mouse does: types into the fields, from the one that has the focus. */
export const typeIn = async (page: Page, ...fields: string[]): Promise<void> => {
  await page.locator(':focus').waitFor()
  for (const [i, field] of fields.entries()) {
    if (i > 0) await page.keyboard.press('Tab')
    await page.keyboard.type(field)
  }
  await page.keyboard.press('Enter')
}

/** What a program gets when it asks to be let in. */
export const startLogin = async (
  server: TestServer,
  body: { client_name?: string; session?: boolean } = {},
): Promise<{ device_code: string; user_code: string; verification_uri_complete: string }> =>
  (await request(server, 'POST', '/api/auth/mcp/start', { body })).body

/** What the program learns when it asks how things stand. */
export const pollLogin = async (server: TestServer, device_code: string) =>
  (await request(server, 'POST', '/api/auth/mcp/poll', { body: { device_code } })).body

/**
 * Holds what every page promises: it can be read in the light and in the dark (WCAG 2.2, 1.4.3), fits
 * a small telephone, and every field of it has a name.
 */
export const expectGoodPage = async (page: Page): Promise<void> => {
  const size = page.viewportSize()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const { faint, paper } = await page.evaluate<{ faint: string[]; paper: string }>(READ_COLOURS)
    expect(faint).toEqual([])
    expect(Number(/\d+/.exec(paper)?.[0]) < 128).toBe(colorScheme === 'dark')
  }
  await page.setViewportSize({ width: 320, height: 568 })
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  expect(width).toBeLessThanOrEqual(320)
  expect(await page.locator('input:visible').count()).toBe(
    await page.locator('label > input:visible').count(),
  )
  if (size) await page.setViewportSize(size)
}

/** Runs in the page: the texts that do not stand out by 4.5 from what is painted behind them. */
const READ_COLOURS = `(() => {
  const paperOf = (element) => {
    const paper = getComputedStyle(element).backgroundColor
    return paper === 'rgba(0, 0, 0, 0)' ? paperOf(element.parentElement) : paper
  }
  const channel = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  const luminance = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map((part) => channel(part / 255))
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const contrast = (element) => {
    const pair = [getComputedStyle(element).color, paperOf(element)].map(luminance)
    return (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05)
  }
  const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
  const shown = [...document.querySelectorAll('main *')].filter((element) => hasText(element) || element.matches('input:not([type=hidden])'))
  return {
    faint: shown.filter((element) => contrast(element) < 4.5).map((element) => element.outerHTML),
    paper: getComputedStyle(document.body).backgroundColor,
  }
})()`
