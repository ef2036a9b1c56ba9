import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { Secret, TOTP } from 'otpauth'
import type { Page, Request } from 'playwright-core'
import { eventually } from '../harness/eventually.ts'
import { linkIn, type Mailbox, startMailbox } from '../harness/mail.ts'
import { hasPrograms } from '../harness/programs.ts'
import { startBelowPath } from '../harness/proxy.ts'
import { PASSWORD, startServer, type TestServer, uniqueEmail } from '../harness/server.ts'
import { browserTest, heading, pollLogin, signIn, startLogin, useBrowser } from './support.ts'

const STEP_MS = 30_000

/** Screens of each area of the console. */
const SCREENS = [
  '',
  ...[
    '/memories',
    '/memories/new',
    '/memories/import',
    '/memories/captured',
    '/memories/projects',
    '/chat',
    '/chat/agents',
  ],
  ...['/connect', '/connect/apps', '/connect/keys', '/connect/sessions', '/graph', '/activity'],
  ...[
    '/people',
    '/people/organizations',
    '/people/messages',
    '/people/shares',
    '/automation/inbox',
  ],
  ...['/automation/reflexes', '/automation/devices', '/usage', '/usage/tiers', '/settings/profile'],
  ...['/settings/preferences', '/settings/passkeys', '/settings/connections', '/settings/data'],
]

/** Collects what a page requests outside the path, and the responses that are errors. */
const watchRequests = (page: Page, baseUrl: string) => {
  const outside: string[] = []
  const failed: string[] = []
  const waiting = new Set<Request>()
  page.on('request', (request) => {
    const url = request.url()
    if (/^(data|blob):/.test(url)) return
    waiting.add(request)
    if (!url.startsWith(`${baseUrl}/`)) outside.push(url)
  })
  page.on('requestfailed', (request) => waiting.delete(request))
  page.on('response', (response) => {
    waiting.delete(response.request())
    const path = response.url().slice(baseUrl.length)
    // A page asks whether the browser is signed in.
    const isExpected = response.status() === 401 && path === '/api/auth/refresh'
    if (response.status() >= 400 && !isExpected) failed.push(`${response.status()} ${path}`)
  })
  return {
    /** Waits until each request has its response, whose body may be a stream. */
    responded: () => eventually(() => waiting.size === 0, { within: 20_000 }),
    expectOwn: () => expect({ outside, failed }).toEqual({ outside: [], failed: [] }),
  }
}

describe.each(['Caddy', 'nginx'] as const)('below a path that %s removes', (name) => {
  const isReady = hasPrograms(name.toLowerCase())
  let opened: AsyncDisposableStack | undefined
  let mailbox: Mailbox
  let server: TestServer
  beforeAll(async () => {
    if (!isReady) return
    opened = new AsyncDisposableStack()
    mailbox = opened.use(await startMailbox())
    const start = (env: Record<string, string>) =>
      startServer({ ...env, SVC_SMTP_URL: mailbox.url })
    server = opened.use(await startBelowPath(name, start)).server
  }, 120_000)
  afterAll(() => opened?.disposeAsync(), 60_000)
  const { visit } = useBrowser({
    get current() {
      return server
    },
  })
  const inBrowser = isReady ? browserTest : browserTest.skip

  /** Creates an account, and confirms its address. */
  const signUp = async (page: Page): Promise<string> => {
    const email = uniqueEmail()
    await page.goto(`${server.baseUrl}/signup`)
    await heading(page, 'Create an account')
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByLabel('Repeat password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.waitForURL(`${server.baseUrl}/app`)
    const link = linkIn(await mailbox.next(email, 'Confirm'))
    expect(link.href).toStartWith(`${server.baseUrl}/verify?`)
    await page.goto(link.href)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await heading(page, 'Address confirmed')
    return email
  }

  inBrowser('a person signs up, remembers, and signs in with a second factor', async () => {
    const page = await visit()
    const requests = watchRequests(page, server.baseUrl)
    const email = await signUp(page)

    await page.goto(`${server.baseUrl}/app/settings/second-factor`)
    await page.getByRole('button', { name: 'Set up' }).click()
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
    const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
    const app = new TOTP({ secret: Secret.fromBase32(secret) })
    await page.getByLabel('Code', { exact: true }).fill(app.generate())
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'I have saved them' }).click()

    await page.getByRole('button', { name: email }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/svc/app'))
    await page.goto(`${server.baseUrl}/app/memories`)
    await signIn(page, email)
    await heading(page, 'Enter your code')
    await page
      .getByLabel('Code', { exact: true })
      .fill(app.generate({ timestamp: Date.now() + STEP_MS }))
    await page.keyboard.press('Enter')
    await page.waitForURL(`${server.baseUrl}/app/memories`)

    await page.goto(`${server.baseUrl}/app/memories/new`)
    await page.getByRole('textbox').first().fill('The spare key is in the shed.')
    await page.getByRole('button', { name: 'Remember', exact: true }).click()
    await page.goto(`${server.baseUrl}/app/memories`)
    await page.getByText('The spare key is in the shed.').first().waitFor()
    for (const screen of SCREENS) {
      await page.goto(`${server.baseUrl}/app${screen}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await requests.responded()
    }
    await page.goto(`${server.baseUrl}/api/docs`)
    await page.locator('.opblock').first().waitFor()
    requests.expectOwn()
  })

  inBrowser('the address that `svc login` shows signs in and approves', async () => {
    const page = await visit()
    const requests = watchRequests(page, server.baseUrl)
    const email = await signUp(page)
    await page.context().clearCookies()
    const login = await startLogin(server, { client_name: 'My app' })
    expect(login.verification_uri_complete).toStartWith(`${server.baseUrl}/device?`)
    await page.goto(login.verification_uri_complete)
    await signIn(page, email)
    await page.getByRole('button', { name: 'Allow' }).click()
    await heading(page, 'Connected')
    expect(await pollLogin(server, login.device_code)).toMatchObject({ status: 'approved' })
    requests.expectOwn()
  })

  inBrowser('the console starts without the network once it was opened', async () => {
    const page = await visit({ serviceWorkers: 'allow' })
    await signUp(page)
    await page.goto(`${server.baseUrl}/app`)
    await page.evaluate('navigator.serviceWorker.ready')
    const scope = await page.evaluate<string>(
      'navigator.serviceWorker.ready.then((worker) => worker.scope)',
    )
    expect(scope).toBe(`${server.baseUrl}/app`)
  })
})
