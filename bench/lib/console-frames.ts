import type { Browser, Page } from 'playwright-core'
import { framesDuring, openSession } from './browser.ts'
import type { Account, BenchServer } from './server.ts'
import { median } from './stats.ts'

export interface FrameRate {
  /** Frames a second. */
  median: number
  longestMs: number
}

const WHEEL_PIXELS = 400
const PAN_PIXELS = 150
/** Between two inputs; about two frames. */
const INPUT_MS = 32

const rateOf = (frames: number[]): FrameRate => ({
  median: 1000 / median(frames),
  longestMs: Math.max(...frames),
})

type Input = (page: Page, step: number) => Promise<void>

/** Repeats an input for some seconds and records the frames. */
const measure = async (page: Page, seconds: number, input: Input): Promise<FrameRate> => {
  const frames = await framesDuring(page, async () => {
    const end = performance.now() + seconds * 1000
    for (let step = 0; performance.now() < end; step++) {
      await input(page, step)
      await Bun.sleep(INPUT_MS)
    }
  })
  return rateOf(frames)
}

const withPage = async <T>(
  browser: Browser,
  server: BenchServer,
  account: Account,
  work: (page: Page) => Promise<T>,
): Promise<T> => {
  const page = await openSession(browser, server, account)
  try {
    return await work(page)
  } finally {
    await page.context().close()
  }
}

type Measure = (
  browser: Browser,
  server: BenchServer,
  account: Account,
  seconds: number,
) => Promise<FrameRate>

const scroll: Input = (page) => page.mouse.wheel(0, WHEEL_PIXELS)

/** The frame rate without content, which bounds the others. */
export const measureEmpty: Measure = (browser, server, account, seconds) =>
  withPage(browser, server, account, (page) => measure(page, seconds, scroll))

/** Scrolls down the list of memories. */
export const measureList: Measure = (browser, server, account, seconds) =>
  withPage(browser, server, account, async (page) => {
    await page.goto(`${server.url}/app/memories`)
    const list = page.getByRole('grid')
    await list.waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    const { width = 0, height = 0 } = page.viewportSize() ?? {}
    await page.mouse.move(width / 2, height / 2)
    return measure(page, seconds, scroll)
  })

/** Runs in the page: records tasks of more than 50 ms of the main thread (Long Tasks API). */
const RECORD_TASKS = `(() => {
  window.svcBenchTasks = []
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.svcBenchTasks.push(duration)
  }).observe({ type: 'longtask' })
})()`

/** Tasks that the browser does not report are shorter. */
export const REPORTED_TASK_MS = 50

/** How long a graph plays, and how long it takes to open a cluster. */
const PLAY_MS = 3_000
const OPEN_MS = 1_000

export interface GraphTasks {
  /** The longest task from the request of the graph until its clusters are drawn. */
  openingMs: number
  /** The longest task while a cluster is opened and the graph is played and dragged. */
  usingMs: number
  frames: FrameRate
}

/** Opens the graph from another screen and one of its clusters, plays it, and drags it to and fro. */
export const measureGraph = (
  browser: Browser,
  server: BenchServer,
  account: Account,
  seconds: number,
): Promise<GraphTasks> =>
  withPage(browser, server, account, async (page) => {
    const longest = async (): Promise<number> => {
      const tasks = await page.evaluate<number[]>('window.svcBenchTasks.splice(0)')
      return Math.max(0, ...tasks)
    }
    await page.goto(`${server.url}/app/connect`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForTimeout(PLAY_MS)
    await page.evaluate(RECORD_TASKS)
    await page.getByRole('link', { name: 'Graph', exact: true }).click()
    const cluster = page.locator('.graph-group').first()
    await cluster.waitFor()
    await page.waitForTimeout(OPEN_MS)
    const openingMs = await longest()

    await cluster.press('Enter')
    await page.waitForTimeout(OPEN_MS)
    await page.getByRole('button', { name: 'Play', exact: true }).click()
    await page.waitForTimeout(PLAY_MS)
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    const box = await page.getByRole('application').boundingBox()
    if (!box) throw new Error('the drawing is not visible')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    const frames = await measure(page, seconds, (each, step) => {
      const offset = PAN_PIXELS * Math.sin(step / 5)
      return each.mouse.move(x + offset, y + offset / 2)
    })
    return { openingMs, usingMs: await longest(), frames }
  })
