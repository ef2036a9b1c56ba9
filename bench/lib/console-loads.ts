import type { Browser } from 'playwright-core'
import { openSession } from './browser.ts'
import type { Account, BenchServer } from './server.ts'
import { timed } from './stats.ts'

/**
 * Opens the console with an empty cache and a slowed CPU.
 * @returns the milliseconds until Home shows its data and a key moves the focus.
 */
export const measureLoad = async (
  browser: Browser,
  server: BenchServer,
  account: Account,
  slowdown: number,
): Promise<number> => {
  const page = await openSession(browser, server, account)
  try {
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const [ms] = await timed(async () => {
      await page.goto(`${server.url}/app`, { waitUntil: 'commit' })
      await page.getByRole('heading', { level: 1 }).waitFor()
      // The account menu has the address once the user is loaded.
      await page.getByRole('button', { name: account.email }).waitFor()
      await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
      await page.keyboard.press('Tab')
      await page.locator(':is(a, button, input, [tabindex]):focus').waitFor({ state: 'attached' })
    })
    return ms
  } finally {
    await page.context().close()
  }
}
