/**
 * Takes screenshots of every screen of the console and of the pages, light and dark, wide and narrow, of a
 * new account and of one with data: `bun scripts/screenshots.ts DIRECTORY`. The documentation uses some.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from 'playwright-core'
import { createDatabase } from '../bench/lib/database.ts'
import { untilEnginesAreDone, verify } from '../bench/lib/pending.ts'
import { type Account, newAccount, PASSWORD, startServer } from '../bench/lib/server.ts'
import { fillAccount } from './screenshots/account.ts'

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    browser: { type: 'string', default: '/usr/bin/chromium' },
    only: { type: 'string', default: '' },
  },
})
const [directory] = positionals
if (!directory) {
  console.error('Usage: bun scripts/screenshots.ts DIRECTORY [--only PATH] [--browser PATH]')
  process.exit(2)
}
mkdirSync(directory, { recursive: true })

const LOOKS = [
  { name: 'light', width: 1280, height: 860, colorScheme: 'light' },
  { name: 'dark', width: 1280, height: 860, colorScheme: 'dark' },
  { name: 'wide', width: 1920, height: 1080, colorScheme: 'light' },
  { name: 'narrow', width: 375, height: 760, colorScheme: 'light' },
  { name: 'narrow-dark', width: 375, height: 760, colorScheme: 'dark' },
] as const

/** Time for charts, the graph and streamed parts to be drawn. */
const SETTLE_MS = 1200

const ADMIN_EMAIL = 'ada@example.com'

const signIn = async (page: Page, base: string, { email }: Account): Promise<void> => {
  await page.goto(`${base}/signin`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1 }).waitFor()
}

const shoot = async (
  browser: Browser,
  base: string,
  account: Account,
  kind: string,
  paths: string[],
) => {
  const page = await browser.newPage()
  await signIn(page, base, account)
  for (const path of paths.filter((each) => each.includes(options.only))) {
    await page.goto(`${base}${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const { name, width, height, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height })
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(SETTLE_MS)
      const place = path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, 'one').replace(/\W+/g, '-')
      const file = `${kind}${place}-${name}.png`
      await page.screenshot({ path: join(directory, file) })
    }
  }
  await page.close()
}

await using database = await createDatabase('embedded')
await using server = await startServer(database, { SVC_ADMIN_EMAILS: ADMIN_EMAIL })
const base = server.url.replace('127.0.0.1', 'localhost')
const browser = await chromium.launch({
  executablePath: options.browser,
  args: ['--no-sandbox', '--enable-unsafe-swiftshader'],
})
const [empty, full, peer] = [
  await newAccount(server),
  await newAccount(server, ADMIN_EMAIL),
  await newAccount(server, 'ben@example.com'),
]
for (const account of [full, peer]) await verify(account, database.dataDir)
const places = await fillAccount(full, peer)
await untilEnginesAreDone(full)
/** The screens of each area, without those of one memory, chat or organization. */
const AREAS: Record<string, readonly string[]> = {
  '': [''],
  activity: [''],
  memories: ['', 'new', 'import', 'captured'],
  graph: [''],
  chat: ['', 'agents'],
  connect: ['', 'keys', 'apps', 'sessions'],
  people: ['organizations', 'messages', 'shares', 'email'],
  automation: ['reflexes', 'reflexes/new', 'devices', 'confirmations', 'inbox', 'identity'],
  usage: ['', 'credits', 'tiers'],
  settings: [
    'profile',
    'preferences',
    'instructions',
    'email',
    'password',
    'passkeys',
    'second-factor',
    'connections',
    'data',
  ],
}
const ADMIN = [
  'overview',
  'users',
  'tiers',
  'engines',
  'handlers',
  'queues',
  'health',
  'configuration',
  'audit',
]

const pathsOf = (area: string, screens: readonly string[]): string[] =>
  screens.map((screen) => ['/app', area, screen].filter(Boolean).join('/'))

const SCREENS = Object.entries(AREAS).flatMap(([area, screens]) => pathsOf(area, screens))
await shoot(browser, base, empty, 'empty', SCREENS)
await shoot(browser, base, full, 'full', [...SCREENS, ...places, ...pathsOf('admin', ADMIN)])
await browser.close()
