import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { claimAdmin } from '../admin/support.ts'
import { quietPort } from '../harness/ports.ts'
import { newUser, request, type TestUser } from '../harness/server.ts'
import { createNewcomer } from './newcomer.ts'
import { ROOT, readPages, WALKED_GUIDES, WALKED_PAGES } from './page.ts'
import { EXAMPLE_EMAIL } from './shell.ts'

// The packages are installed, from the cache of npm or the network.
setDefaultTimeout(300_000)

const port = await quietPort()
const url = `http://localhost:${port}`
const newcomer = createNewcomer(port)
const pages = new Map((await readPages()).map((page) => [page.path, page.commands]))

let server: ReturnType<typeof newcomer.start>
/** The newcomer in the browser. */
let user: TestUser

let output = ''
let look = () => {}

/** Waits until the server has printed this. */
const printed = (pattern: RegExp): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>()
  look = () => {
    const [found] = pattern.exec(output) ?? []
    if (found) resolve(found)
  }
  look()
  return promise
}

const readOutput = async () => {
  for await (const text of server.stdout.pipeThrough(new TextDecoderStream())) {
    output += text
    look()
  }
}

beforeAll(async () => {
  server = newcomer.start('exec npm start', newcomer.clone)
  void readOutput()
  const ended = server.exited.then(() => Promise.reject(new Error(`npm start ended: ${output}`)))
  ended.catch(() => {})
  const claimLink = await Promise.race([printed(/http:\S+claim\?token=\S+(?=\s)/), ended])
  user = await newUser({ url }, EXAMPLE_EMAIL)
  await claimAdmin({ url, baseUrl: url, claimLink }, user)
})
afterAll(async () => {
  server.kill('SIGTERM')
  const code = await server.exited
  newcomer[Symbol.dispose]()
  expect(code).toBe(0)
})

const approve = (code: string) =>
  request({ url }, 'POST', '/api/auth/mcp/authorize', {
    token: user.accessToken,
    body: { user_code: code, approve: true },
  })

/** Another user, who opens the link that the server prints instead of an email. */
const newColleague = async () => {
  const colleague = await newUser({ url })
  const mail = await printed(
    new RegExp(`Mail to ${colleague.email} [^]*/verify\\?token=[\\w-]+(?=\\s)`),
  )
  const token = mail.slice(mail.lastIndexOf('=') + 1)
  const { status } = await request({ url }, 'POST', '/api/auth/verify-email', { body: { token } })
  expect(status).toBe(200)
  return colleague
}

/** Runs the commands of a page, and approves the terminal in the browser. */
const runPage = async (path: string, folder: string, variables = '') => {
  // The server runs in another terminal.
  const commands = pages.get(path)?.filter((block) => block !== 'npm start\n') ?? []
  const approved = new Set<string>()
  const ended = await newcomer.run(`${variables}\n${commands.join('\n')}`, folder, async (text) => {
    for (const [, code = ''] of text.matchAll(/^Code {3}(\S+)$/gm))
      if (!approved.has(code)) await approve(approved.add(code) && code)
  })
  expect([path, ended.output, ended.code]).toEqual([path, ended.output, 0])
}

test('npm start in a new clone prints one line for the packages and creates the database in ./data', () => {
  const shown = output.replace(/^ {2}… \d+ MB\n/gm, '').replaceAll(newcomer.clone, '/clone')
  expect(
    shown,
  ).toContain(`Installing the packages of svc (about 220 MB to download, only this time) …

> svc@0.1.0 start
> exec bun cli/main.ts serve

Creating the database in /clone/data …

svc is running.
`)
  expect(shown).not.toMatch(/Blocked|postinstall|packages installed/)
  expect(existsSync(join(newcomer.clone, 'data/postgres/PG_VERSION'))).toBe(true)
})

test('a newcomer with Node alone runs the README, the tutorial and the guides', async () => {
  for (const page of WALKED_PAGES) await runPage(page, newcomer.clone)
  const colleague = await newColleague()
  const variables = `COLLEAGUE_TOKEN=${colleague.accessToken} COLLEAGUE_EMAIL=${colleague.email}`
  for (const guide of WALKED_GUIDES) await runPage(guide, newcomer.elsewhere, variables)
})

test('the packages of a new clone have the size that the installation guide states, to a tenth', () => {
  const guide = readFileSync(join(ROOT, 'docs/how-to/install.md'), 'utf8')
  const [, stated = ''] = /installs (\d+) MB of packages/.exec(guide) ?? []
  const { stdout } = spawnSync('du', ['-sm', join(newcomer.clone, 'node_modules')])
  expect(Math.abs(Number.parseInt(`${stdout}`, 10) / Number(stated) - 1)).toBeLessThan(0.1)
})

test('the console of a production installation is built and served', async () => {
  const response = await fetch(`${url}/app`)
  expect([response.status, await response.text()]).toEqual([
    200,
    expect.stringContaining('<script'),
  ])
})
