import { afterAll, beforeAll, describe, expect } from 'bun:test'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { browserTest, useBrowser } from '../browser/support.ts'
import {
  newUser,
  PASSWORD,
  request,
  type TestUser,
  uniqueEmail,
  useServer,
} from '../harness/server.ts'
import { compileGuide, createProject } from './client-project.ts'

/** The bundled samples of the guide. */
let script = ''
const app = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) =>
    new URL(url).pathname === '/guide.js'
      ? new Response(script, { headers: { 'content-type': 'text/javascript' } })
      : new Response(
          '<!doctype html><link rel="icon" href="data:,"><script src="/guide.js"></script>',
          {
            headers: { 'content-type': 'text/html' },
          },
        ),
})
afterAll(() => app.stop(true))

const APP = `http://localhost:${app.port}`
/** For a browser this is another site than localhost. */
const OTHER_APP = `http://127.0.0.1:${app.port}`

const server = useServer({ SVC_FRONTEND_ORIGINS: `${APP},${OTHER_APP}` })
const { visit } = useBrowser(server)

beforeAll(async () => {
  await using project = await createProject(server.current)
  await compileGuide(project, 'web-clients', server.current.baseUrl)
  await project.write(
    'main.ts',
    "import * as guide from './guide'\nObject.assign(globalThis, { guide })",
  )
  const built = await Bun.build({ entrypoints: [join(project.dir, 'main.ts')], target: 'browser' })
  script = (await built.outputs[0]?.text()) ?? ''
})

/** Without the header of the other browser tests, which CORS does not allow. */
const open = async (address: string): Promise<Page> => {
  const page = await visit({ extraHTTPHeaders: {} }, [APP, OTHER_APP])
  await page.goto(address)
  return page
}

/** Calls a function of the guide in a page. */
const call = <T>(page: Page, name: string, ...values: unknown[]) =>
  page.evaluate<T>(`guide.${name}(${values.map((value) => JSON.stringify(value)).join(', ')})`)

/** @returns a recovery code. */
const enableMfa = async ({ accessToken: token }: TestUser): Promise<string> => {
  const setup = await request(server.current, 'POST', '/api/auth/mfa/setup', { token })
  const code = new TOTP({ secret: Secret.fromBase32(setup.body.secret) }).generate()
  const body = { code }
  const enabled = await request(server.current, 'POST', '/api/auth/mfa/enable', { token, body })
  return enabled.body.recovery_codes[0]
}

const verify = async (email: string): Promise<void> => {
  const mail = await server.current.noticed(new RegExp(`^Mail to ${email} [^]*/verify\\?token=`))
  const token = /\/verify\?token=([\w-]+)/.exec(mail)?.[1]
  await request(server.current, 'POST', '/api/auth/verify-email', { body: { token } })
}

describe('the samples of the guide for web clients, in a browser on another origin', () => {
  browserTest('sign up, remember, recall, stream, refresh, hand off and sign out', async () => {
    const email = uniqueEmail()
    const page = await open(APP)
    await call(page, 'signUp', email, PASSWORD)
    await verify(email)
    await call(page, 'remember', 'Ada lives in Lisbon.')
    expect(await call<string[]>(page, 'recall', 'Where does Ada live?')).toEqual([
      'Ada lives in Lisbon.',
    ])
    const [streamed, answer] = await page.evaluate<[string, { content: string }]>(
      `(async () => {
        let text = ''
        const answer = await guide.ask('Where does Ada live?', (part) => { text += part })
        return [text, answer]
      })()`,
    )
    expect(streamed).toContain('Lisbon')
    expect(answer.content).toBe(streamed)

    await page.reload()
    expect(await call<string[]>(page, 'recall', 'Where does Ada live?')).toHaveLength(1)

    const other = await open(await call<string>(page, 'handoffUrl', OTHER_APP))
    expect(await call<string>(other, 'signInFromHandoff')).toBe(email)
    await call(other, 'remember', 'Ada likes tea.')
    expect(await call<boolean>(other, 'refresh')).toBe(false)

    await call(page, 'signOut')
    expect(await call<boolean>(page, 'refresh')).toBe(false)
  })

  browserTest('errors have a text, and a sign-in with a second factor takes a code', async () => {
    const user = await newUser(server.current)
    const recoveryCode = await enableMfa(user)
    const page = await open(APP)
    const wrong = await call(page, 'signIn', user.email, `${PASSWORD}!`).catch(String)
    expect(wrong).toContain('Invalid email or password')
    const { partialToken } = await call<{ partialToken: string }>(
      page,
      'signIn',
      user.email,
      PASSWORD,
    )
    await call(page, 'enterCode', partialToken, recoveryCode)
    const invalid = await call(page, 'remember', '').catch(String)
    expect(invalid).toContain('content: String should have at least 1 character')
  })
})
