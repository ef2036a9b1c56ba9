import { afterEach, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { existsSync } from 'node:fs'
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { newAddress, PASSWORD, request, type TestServer } from '../harness/server.ts'

/** The headless shell takes half the processor time of the whole browser. */
const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]
const BROWSER_ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-background-networking',
  '--no-first-run',
  '--in-process-gpu',
  // A page of a test ends before optimized code is worth the time to compile it.
  '--js-flags=--no-opt --no-maglev',
]
/** Playwright's timeout for one step. */
const WAIT_MS = 40_000

const executablePath = [process.env.TEST_CHROMIUM ?? '', ...CHROMIUM].find(
  (path) => path && existsSync(path),
)
const INSTALL_HINT =
  'no Chromium was found: install it (Debian: apt-get install chromium-headless-shell), or name it in TEST_CHROMIUM'
const isSkipped = !executablePath && !process.env.CI
if (isSkipped) process.stderr.write(`browser tests are skipped: ${INSTALL_HINT}\n`)

/** A test in a browser. It is skipped on a machine without one, unless CI is set. */
export const browserTest = isSkipped ? test.skip : test

/** One for all files of a test process. It ends with the process. */
let browser: Browser | undefined
/** Errors, warnings and requests to other hosts. */
const problems: string[] = []

export interface Browsers {
  /**
   * Opens a page in a new browser context, with its own cookies and client address.
   * @param elsewhere other origins that the page may request.
   */
  visit(options?: BrowserContextOptions, elsewhere?: string[]): Promise<Page>
  /** Accepts problems that match, such as failed requests, until the end of the test. */
  expectProblems(pattern: RegExp): void
}

/**
 * A browser for the tests of a file. A test fails for an error on the console, a policy violation,
 * a failed request, and a request to another host.
 */
export const useBrowser = (server: { readonly current: TestServer }): Browsers => {
  setDefaultTimeout(120_000)
  let expected: RegExp[] = []
  beforeAll(async () => {
    if (isSkipped) return
    if (!executablePath) throw new Error(INSTALL_HINT)
    if (!browser?.isConnected())
      browser = await chromium.launch({ executablePath, args: BROWSER_ARGUMENTS })
  }, 120_000)
  afterEach(async () => {
    for (const context of browser?.contexts() ?? []) await context.close()
    const unexpected = problems
      .splice(0)
      .filter((text) => !expected.some((each) => each.test(text)))
    expected = []
    expect(unexpected).toEqual([])
  })

  return {
    async visit(options = {}, elsewhere = []) {
      const context = await browser?.newContext({
        extraHTTPHeaders: { 'x-forwarded-for': newAddress() },
        // Animations cost time on a machine without a graphics processor.
        reducedMotion: 'reduce',
        // It loads all scripts of the console.
        serviceWorkers: 'block',
        ...options,
      })
      if (!context) throw new Error('useBrowser must be called before the tests run')
      context.setDefaultTimeout(WAIT_MS)
      const page = await context.newPage()
      recordProblems(page, [new URL(server.current.baseUrl).origin, ...elsewhere])
      return page
    },
    expectProblems(pattern) {
      expected.push(pattern)
    },
  }
}

const recordProblems = (page: Page, origins: string[]): void => {
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // The browser reports each response outside 2xx. The tests check those themselves.
    if (message.text().startsWith('Failed to load resource')) return
    if (message.text().startsWith('Service Worker registration blocked')) return
    if (['error', 'warning'].includes(message.type())) problems.push(message.text())
  })
  page.on('request', (request) => {
    if (!origins.includes(new URL(request.url()).origin))
      problems.push(`request to ${request.url()}`)
  })
  page.on('requestfailed', (request) => {
    // The page itself ends a request whose response it does not need any more.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return
    problems.push(`${request.url()}: ${request.failure()?.errorText}`)
  })
}

/** Fills in the sign-in form of a page. */
export const signIn = async (page: Page, email: string, password = PASSWORD): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Waits for the heading of a page. */
export const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { level: 1, name }).waitFor()

/** Waits until an element has the focus, which React moves some frames after a key. */
export const focused = (element: Locator): Promise<void> =>
  element.and(element.page().locator(':focus')).waitFor()

/** Types into the fields with the keyboard only, from the focused one. */
export const typeIn = async (page: Page, ...fields: string[]): Promise<void> => {
  await page.locator(':focus').waitFor()
  for (const [i, field] of fields.entries()) {
    if (i > 0) await page.keyboard.press('Tab')
    await page.keyboard.type(field)
  }
  await page.keyboard.press('Enter')
}

/** Starts a device login. */
export const startLogin = async (
  server: TestServer,
  body: { client_name?: string; session?: boolean } = {},
): Promise<{ device_code: string; user_code: string; verification_uri_complete: string }> =>
  (await request(server, 'POST', '/api/auth/mcp/start', { body })).body

/** Polls a device login. */
export const pollLogin = async (server: TestServer, device_code: string) =>
  (await request(server, 'POST', '/api/auth/mcp/poll', { body: { device_code } })).body

/**
 * Checks what holds for every page: contrast in light and dark mode (WCAG 2.2, 1.4.3), the width of
 * a small phone, and a label for every field.
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

/** Runs in the page. @returns the texts with a contrast below 4.5. */
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
