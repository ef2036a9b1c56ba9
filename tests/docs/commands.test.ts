import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import pLimit from 'p-limit'
import manifest from '../../package.json'
import { claimAdmin } from '../admin/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'
import { readPage, readPages, WALKED_GUIDES, WALKED_PAGES } from './page.ts'
import { runPage } from './shell.ts'

// Pages wait for each other.
setDefaultTimeout(300_000)

const pages = await readPages()
const withCommands = pages.filter(({ commands }) => commands.length)

let server: TestServer
let admin: TestUser
let web: Web
beforeAll(async () => {
  web = await startWeb()
  web.secureSite(
    () => new Response('<h1>Example</h1>', { headers: { 'content-type': 'text/html' } }),
  )
  server = await startServer({}, undefined, { fetching: web.fetching })
  admin = await newVerifiedUser(server)
  await claimAdmin(server, admin)
})
afterAll(async () => {
  await server.stop()
  await web[Symbol.asyncDispose]()
})

const withTestServers = (commands: string) =>
  commands
    .replaceAll('http://localhost:3000', server.url)
    .replaceAll('https://example.com', 'https://secure.test')

/** Another test runs these as a newcomer. */
const walked = new Set([...WALKED_PAGES, ...WALKED_GUIDES])

describe('the commands of every page run in order:', () => {
  // A sign-in waits for seconds, so several pages run at once.
  const inTurn = pLimit(4)
  for (const page of withCommands.filter(({ path }) => !walked.has(path)))
    test.concurrent(page.path, () =>
      inTurn(async () => {
        const { code, output } = await runPage(page, { server, admin }, withTestServers)
        expect([output, code]).toEqual([output, 0])
      }),
    )
})

test('a wrong command fails its page', async () => {
  for (const command of [
    'svc recal x',
    'curl -s http://localhost:3000/api/nothing',
    'false | true',
  ]) {
    const page = readPage('page.md', `\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`sh\necho later\n\`\`\``)
    const { code, output } = await runPage(page, { server, admin }, withTestServers)
    expect(code).not.toBe(0)
    expect(output).toContain(`FAILED: `)
    expect(output).not.toContain('later')
  }
})

test('npm start runs what the pages start', () => {
  expect(manifest.scripts.start).toBe('exec bun cli/main.ts serve')
})

test('every shell block has the language sh, and few are not run', () => {
  expect(withCommands.length).toBeGreaterThan(10)
  for (const { path, text } of pages) {
    const fences = [...text.matchAll(/^ *```(\w+)/gm)].map(([fence]) => fence)
    expect([path, fences.filter((fence) => /bash|shell|zsh|^ +```sh/.test(fence))]).toEqual([
      path,
      [],
    ])
  }
  const blocks = pages.flatMap(({ text }) => text.match(/^```sh$/gm) ?? [])
  expect(pages.flatMap(({ notRun }) => notRun).length).toBeLessThan(blocks.length / 4)
})
