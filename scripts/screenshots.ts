/**
 * Takes screenshots of every screen of the console and of the pages, light and dark, wide and narrow, of a
 * new account and of one with data: `bun scripts/screenshots.ts DIRECTORY`. The documentation uses some.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { openSession, startBrowser } from '../bench/lib/browser.ts'
import { createDatabase } from '../bench/lib/database.ts'
import { untilEnginesAreDone, verify } from '../bench/lib/pending.ts'
import { type Account, newAccount, startServer } from '../bench/lib/server.ts'
import { fillAccount } from './screenshots/account.ts'
import { adminScreens, looks, pages, placeOf, screens } from './screenshots/screens.ts'
import { writeSheet } from './screenshots/sheet.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    look: { type: 'string', multiple: true, default: looks.map(({ name }) => name) },
  },
})
const [directory] = positionals
if (!directory) {
  console.error(
    'Usage: bun scripts/screenshots.ts DIRECTORY [--only NAME ...] [--look LOOK ...]\n\n' +
      'NAME is a part of the name of a picture without its look, such as full-app-chat.\n' +
      `LOOK is one of ${looks.map(({ name }) => name).join(', ')}.`,
  )
  process.exit(2)
}
mkdirSync(directory, { recursive: true })

/** Time for charts, the graph and streamed parts to be drawn. */
const SETTLE_MS = 900
/** The same for a change of the size or the theme. */
const CHANGE_MS = 450

const shoot = async (page: Page, base: string, kind: string, paths: readonly string[]) => {
  for (const path of paths) {
    const name = `${kind}${placeOf(path)}`
    if (!options.only.some((part) => name.includes(part))) continue
    await page.goto(`${base}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.waitForTimeout(SETTLE_MS)
    for (const look of looks.filter((each) => options.look.includes(each.name))) {
      await page.setViewportSize({ width: look.width, height: look.height })
      await page.emulateMedia({ colorScheme: look.colorScheme })
      await page.waitForTimeout(CHANGE_MS)
      await page.screenshot({ path: join(directory, `${name}-${look.name}.png`) })
    }
  }
  await page.context().close()
}

const ADMIN_EMAIL = 'ada@example.com'

const openAs = (browser: Browser, base: string, account: Account): Promise<Page> =>
  openSession(browser, { url: base }, account)

await using database = await createDatabase('embedded')
await using server = await startServer(database, { SVC_ADMIN_EMAILS: ADMIN_EMAIL })
const base = server.url.replace('127.0.0.1', 'localhost')
await using browser = await startBrowser()
const [empty, full, peer] = [
  await newAccount(server),
  await newAccount(server, ADMIN_EMAIL),
  await newAccount(server, 'ben@example.com'),
]
for (const account of [full, peer]) await verify(account, database.dataDir)
const { places, shared } = await fillAccount(full, peer)
await untilEnginesAreDone(full)
const visitor = await (await browser.newContext()).newPage()
await shoot(visitor, base, 'visitor', [...pages, shared])
await shoot(await openAs(browser, base, empty), base, 'empty', screens)
await shoot(await openAs(browser, base, full), base, 'full', [
  ...screens,
  ...places,
  ...adminScreens,
])
for (const theme of ['light', 'dark'] as const) await writeSheet(directory, theme)
