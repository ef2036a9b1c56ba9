import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { type Account, type BenchServer, nextAddress, PASSWORD } from './server.ts'

const CHROMIUM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Starts a headless browser, which draws in software. `SVC_BENCH_CHROMIUM` names another one. */
export const startBrowser = (): Promise<Browser> => {
  const executablePath = [process.env.SVC_BENCH_CHROMIUM ?? '', ...CHROMIUM].find(
    (path) => path && existsSync(path),
  )
  if (!executablePath) throw new Error('no Chromium was found: name it in SVC_BENCH_CHROMIUM')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
}

/** Opens an empty page in a new browser context, with a new session of the account. */
export const openSession = async (
  browser: Browser,
  { url }: Pick<BenchServer, 'url'>,
  { email }: Pick<Account, 'email'>,
): Promise<Page> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  context.setDefaultTimeout(120_000)
  const signedIn = await context.request.post(`${url}/api/auth/signin`, {
    headers: { 'x-forwarded-for': nextAddress() },
    data: { email, password: PASSWORD },
  })
  if (!signedIn.ok()) throw new Error(`the sign-in returned status ${signedIn.status()}`)
  return context.newPage()
}

/** Runs in the page: records the time of each frame until `stop`. */
const RECORD_FRAMES = `(() => {
  const times = []
  let isRunning = true
  const record = (time) => { times.push(time); if (isRunning) requestAnimationFrame(record) }
  requestAnimationFrame(record)
  window.svcBenchFrames = () => { isRunning = false; return times }
})()`

/** The time between the frames that a page draws during `work`, in milliseconds. */
export const framesDuring = async (page: Page, work: () => Promise<void>): Promise<number[]> => {
  await page.evaluate(RECORD_FRAMES)
  await work()
  const times = await page.evaluate<number[]>('window.svcBenchFrames()')
  return times.slice(1).map((time, i) => time - (times[i] ?? time))
}
