import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type Browsers, useBrowser } from '../browser/support.ts'
import type { TestServer, TestUser } from '../harness/server.ts'

export interface ConsoleBrowsers extends Browsers {
  /**
   * Opens a place of the console (`/memories`) in a new browser context, signed in.
   * @param prepare is called with the empty page.
   */
  open(
    user: Pick<TestUser, 'refreshToken'>,
    path: string,
    options?: BrowserContextOptions,
    prepare?: (page: Page) => Promise<unknown>,
  ): Promise<Page>
}

/** A browser, as `useBrowser`, with signed-in pages of the console. */
export const useConsole = (server: { readonly current: TestServer }): ConsoleBrowsers => {
  const browsers = useBrowser(server)
  return {
    ...browsers,
    async open(user, path, options, prepare) {
      const page = await browsers.visit(options)
      await prepare?.(page)
      await signInTab(page, server.current, user)
      await page.goto(consoleUrl(server.current, path))
      await page.getByRole('heading', { level: 1 }).waitFor()
      return page
    },
  }
}

export const consoleUrl = (server: Pick<TestServer, 'baseUrl'>, path: string): string =>
  `${server.baseUrl}/app${path === '/' ? '' : path}`

/** Gives the browser context of a page the refresh cookie of a user. */
export const signInTab = async (
  page: Page,
  server: Pick<TestServer, 'baseUrl'>,
  { refreshToken }: Pick<TestUser, 'refreshToken'>,
): Promise<void> => {
  const { hostname } = new URL(server.baseUrl)
  const attributes = { httpOnly: true, secure: true, sameSite: 'Lax' as const }
  await page.context().addCookies([
    {
      name: 'refresh_token',
      value: refreshToken,
      domain: hostname,
      path: '/api/auth',
      ...attributes,
    },
  ])
}

/** Lets a test move the time of a page forward. */
export const withClock = (page: Page): Promise<void> => page.clock.install()

/** A scheme changes colors only, so that in dark mode the rules that depend on colors suffice. */
const SCHEMES = [
  { colorScheme: 'light', rules: undefined },
  { colorScheme: 'dark', rules: ['color-contrast', 'link-in-text-block'] },
] as const
/** The width of a small phone. */
const MIN_WIDTH = 320

/**
 * Checks what holds for every screen: axe-core finds no violation in light mode, none of contrast in dark
 * mode, and there is no horizontal scroll at the smallest width.
 */
export const expectAccessible = async (page: Page): Promise<void> => {
  const size = page.viewportSize()
  const violations: string[] = []
  for (const { colorScheme, rules } of SCHEMES) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    for (const found of await findViolations(page, rules))
      violations.push(`${colorScheme}: ${found}`)
  }
  await page.setViewportSize({ width: MIN_WIDTH, height: 568 })
  const width = await page.evaluate<number>('document.documentElement.scrollWidth')
  if (size) await page.setViewportSize(size)
  expect(violations).toEqual([])
  expect(width).toBeLessThanOrEqual(MIN_WIDTH)
}

/** A page compiles the minified source in two thirds of the time. */
const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The live region of react-aria: for some seconds it refers to a control that is gone. */
const ANNOUNCER = [['[data-live-announcer]']]

interface Violation {
  id: string
  nodes: { html: string; failureSummary?: string }[]
}

/** `evaluate` is not subject to the content security policy of the page. */
const findViolations = async (
  page: Page,
  rules: readonly string[] | undefined,
): Promise<string[]> => {
  const isLoaded = await page.evaluate<boolean>('window.axe !== undefined')
  if (!isLoaded) await page.evaluate(`(() => { ${AXE} })()`)
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) }
  const { violations } = await page.evaluate<{ violations: Violation[] }>(
    `axe.run({ exclude: ${JSON.stringify(ANNOUNCER)} }, ${JSON.stringify(options)})`,
  )
  return violations.map(
    ({ id, nodes }) =>
      `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
  )
}
