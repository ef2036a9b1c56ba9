import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { randomAddress, request, type TestServer } from '../harness/server.ts'

const CHROMIUM = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
]
/** A page that does not show what a test waits for by then never will. */
const WAIT_MS = 20_000

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
  /** Somebody new at a browser of their own, without cookies, from an address of their own. */
  visit(options?: BrowserContextOptions): Promise<Page>
}

/**
 * One browser for all tests of a file. After each of them nothing may have been complained of: no
 * error on the console, no broken policy, no failed request, and none to another host.
 */
export const useBrowser = (server: { readonly current: TestServer }): Visitors => {
  setDefaultTimeout(60_000)
  let browser: Browser | undefined
  beforeAll(async () => {
    if (isLeftOut) return
    if (!executablePath) throw new Error(HOW_TO_INSTALL)
    browser = await chromium.launch({ executablePath, args: ARGUMENTS })
  }, 60_000)
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(() => browser?.close())

  return {
    async visit(options = {}) {
      const context = await browser?.newContext({
        extraHTTPHeaders: { 'x-forwarded-for': randomAddress() },
        ...options,
      })
      if (!context) throw new Error('the browser starts before the tests')
      context.setDefaultTimeout(WAIT_MS)
      const page = await context.newPage()
      listen(page, new URL(server.current.baseUrl).origin)
      return page
    },
  }
}

const listen = (page: Page, origin: string): void => {
  page.on('pageerror', (error) => complaints.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser tells of every answer outside 2xx; which those are is what a test is about.
    if (message.text().startsWith('Failed to load resource')) return
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`asked for ${request.url()}`)
  })
  page.on('requestfailed', (request) => {
    complaints.push(`${request.url()}: ${request.failure()?.errorText}`)
  })
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

/** How many times brighter the lighter of two colours is than the other (WCAG 2.2, 1.4.3). */
export const contrastOf = async (page: Page, selector: string): Promise<number> => {
  await page.locator(selector).first().waitFor()
  const colours = await page.evaluate<string[]>(`(${COLOURS})(${JSON.stringify(selector)})`)
  const [ink = 0, paper = 0] = colours.map(luminance)
  return (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05)
}

/** Runs in the page: the colour of the text, and of the first painted thing behind it. */
const COLOURS = `(selector) => {
  const element = document.querySelector(selector)
  const colourOf = (node) => getComputedStyle(node).backgroundColor
  let behind = element
  while (behind !== document.body && colourOf(behind) === 'rgba(0, 0, 0, 0)') behind = behind.parentElement
  return [getComputedStyle(element).color, colourOf(behind)]
}`

const luminance = (colour: string): number => {
  const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
    const value = Number(part) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
