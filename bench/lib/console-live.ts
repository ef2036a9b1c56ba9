import type { Browser, Page } from 'playwright-core'
import { listActivity } from '../../shared/contract/activity.ts'
import { asStream } from '../../shared/contract/endpoint.ts'
import { recall } from '../../shared/contract/index.ts'
import { openSession } from './browser.ts'
import type { Account, BenchServer } from './server.ts'

/** Runs in the page: sums the layout shifts without input (Layout Instability API). */
const SUM_SHIFTS = `(() => {
  window.svcBenchShift = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries())
      if (!hadRecentInput) window.svcBenchShift += value
  }).observe({ type: 'layout-shift', buffered: true })
})()`

/** Time for responses and charts. */
const SETTLE_MS = 1_500

/** The sum of the layout shifts of each screen while it loads, with a cold cache of its data. */
export const measureShifts = async (
  browser: Browser,
  server: BenchServer,
  account: Account,
  paths: readonly string[],
): Promise<Map<string, number>> => {
  const page = await openSession(browser, server, account)
  const shifts = new Map<string, number>()
  try {
    await page.addInitScript(SUM_SHIFTS)
    for (const path of paths) {
      await page.goto(`${server.url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForTimeout(SETTLE_MS)
      shifts.set(path, await page.evaluate<number>('window.svcBenchShift'))
    }
    return shifts
  } finally {
    await page.context().close()
  }
}

const openLive = async (page: Page, { url }: BenchServer): Promise<void> => {
  await page.goto(`${url}/app/activity`)
  await page.getByRole('status').getByText('Live', { exact: true }).waitFor()
}

/** The requests of a console that is open and at which nothing happens, beside its stream of events. */
export const countIdleRequests = async (
  browser: Browser,
  server: BenchServer,
  account: Account,
  seconds: number,
): Promise<number> => {
  const page = await openSession(browser, server, account)
  try {
    await page.goto(`${server.url}/app`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForTimeout(SETTLE_MS)
    let requests = 0
    page.on('request', () => requests++)
    await page.waitForTimeout(seconds * 1_000)
    return requests
  } finally {
    await page.context().close()
  }
}

/** Opens the stream of events of a console, until `signal`. */
const openStream = async ({ client }: Account, signal: AbortSignal): Promise<void> => {
  const ready = Promise.withResolvers<void>()
  const read = async () => {
    for await (const _ of await client.call(asStream(listActivity), { signal })) ready.resolve()
  }
  read().catch(ready.reject)
  await ready.promise
}

/**
 * From a recall's response until its row is on the screen of one console, while other consoles of the same
 * account follow its events.
 * @returns milliseconds, one for each event.
 */
export const measureEvents = async (
  browser: Browser,
  server: BenchServer,
  account: Account,
  { consoles, events }: { consoles: number; events: number },
): Promise<number[]> => {
  const closing = new AbortController()
  const page = await openSession(browser, server, account)
  const times: number[] = []
  try {
    await openLive(page, server)
    await Promise.all(
      Array.from({ length: consoles - 1 }, () => openStream(account, closing.signal)),
    )
    for (let index = 0; index < events; index++) {
      const query = `Question ${index} of ${events}?`
      await account.client.call(recall, { body: { query } })
      const start = performance.now()
      await page.getByText(query, { exact: true }).waitFor()
      times.push(performance.now() - start)
    }
    return times
  } finally {
    closing.abort()
    await page.context().close()
  }
}
