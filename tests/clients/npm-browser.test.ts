import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { addAuthenticator } from '../browser/authenticator.ts'
import { browserTest, useBrowser } from '../browser/support.ts'
import { useConversation } from '../conversation/support.ts'
import { ROOT } from '../harness/base.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { breaksOff, says, stalls } from '../harness/model-server.ts'
import { person, startGoogle } from '../harness/oauth-provider.ts'
import { PASSWORD, request, startServer, type TestServer, uniqueEmail } from '../harness/server.ts'
import { binOf, createProject, run } from './npm-project.ts'

setDefaultTimeout(120_000)

let site = ''
const app = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) => fileOf(new URL(url).pathname),
})
afterAll(() => app.stop(true))
const APP = `http://localhost:${app.port}`

/** A file of the site. The providers return to `/auth/callback`. */
const fileOf = (pathname: string): Response => {
  const path = pathname === '/auth/callback' ? '/' : pathname
  return new Response(Bun.file(join(site, path.endsWith('/') ? `${path}index.html` : path)))
}

const google = await startGoogle()
const GOOGLE = google.env.SVC_OAUTH_GOOGLE_ISSUER ?? ''
afterAll(() => google[Symbol.asyncDispose]())
const suite = useConversation({ SVC_FRONTEND_ORIGINS: APP, ...google.env })

/** A server behind a proxy that also serves the page: passkeys work on its own origin only. */
let own: TestServer | undefined
const ownOrigin = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: (incoming) => {
    const { pathname, search } = new URL(incoming.url)
    if (!pathname.startsWith('/api/')) return fileOf(`/own${pathname}`)
    return fetch(new Request(`${own?.url}${pathname}${search}`, incoming))
  },
})
afterAll(() => ownOrigin.stop(true))
const OWN = `http://localhost:${ownOrigin.port}`
afterAll(() => own?.stop())
const ownServer = (): TestServer => {
  if (!own) throw new Error('the server is not started')
  return own
}
const { visit, expectProblems } = useBrowser({
  get current() {
    return suite.server
  },
})

beforeAll(async () => {
  const { directory, write } = await createProject('npm')
  const examples = join(ROOT, 'clients/npm/examples')
  own = await startServer({ SVC_BASE_URL: OWN })
  for (const folder of ['browser', 'chats'])
    await cp(join(examples, 'browser'), join(directory, folder), { recursive: true })
  await write('chats/main.tsx', CHATS)
  await write('tsconfig.json', await Bun.file(join(examples, 'tsconfig.json')).text())
  await run(directory, [binOf('tsc'), '-p', '.', '--types', 'vite/client'])
  site = join(directory, 'site')
  for (const [folder, target, base, url] of [
    ['browser', '/', '/', suite.server.baseUrl],
    ['chats', '/chats/', '/chats/', suite.server.baseUrl],
    ['browser', '/own/', '/', OWN],
  ] as const) {
    const output = ['--base', base, '--outDir', join(site, target), '--emptyOutDir', 'false']
    const build = [binOf('vite'), 'build', folder, '--logLevel', 'error', ...output]
    await run(directory, build, { VITE_SVC_URL: url })
  }
}, 120_000)

/** Switches between the chats of its address. */
const CHATS = `
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import { createClient } from 'svc-client'
import { SvcProvider, useChat } from 'svc-client/react'

const query = new URLSearchParams(location.search)
const client = createClient({ baseUrl: import.meta.env.VITE_SVC_URL, apiKey: query.get('key') ?? '' })

const Chats = () => {
  const [sessionId, setSessionId] = useState<string>()
  const { messages, question, answer, send, ...chat } = useChat({ sessionId })
  return (
    <>
      {query.getAll('chat').map((id, index) => (
        <button key={id} type="button" onClick={() => setSessionId(id)}>Chat {index}</button>
      ))}
      <output aria-label="Session">{chat.sessionId}</output>
      {chat.hasEarlier && <button type="button" onClick={() => void chat.loadEarlier()}>Earlier</button>}
      <button type="button" onClick={() => void chat.regenerate()}>Regenerate</button>
      {messages.map(({ id, role, content }) => (
        <p key={id} className={role} onDoubleClick={() => void chat.branch(id)}>{content}</p>
      ))}
      {chat.error && <p role="alert">{chat.error.message}</p>}
      {chat.attachments.map(({ id, name }) => (
        <button key={id} type="button" onClick={() => chat.detach(id)}>Remove {name}</button>
      ))}
      <input aria-label="File" type="file" onChange={({ currentTarget: { files } }) => {
        for (const file of files ?? []) void chat.attach(file)
      }} />
      {question && <p className="question">{question}</p>}
      {answer && <p className="arriving">{answer.text}</p>}
      <input aria-label="Message" onKeyDown={({ key, currentTarget: { value } }) => {
        if (key === 'Enter') void send(value)
      }} />
    </>
  )
}

const root = document.getElementById('root')
if (root) createRoot(root).render(<SvcProvider client={client}><Chats /></SvcProvider>)
`

/** Without the header of the other browser tests, which CORS does not allow. */
const open = async (...elsewhere: string[]): Promise<Page> => {
  const page = await visit({ extraHTTPHeaders: {} }, [APP, ...elsewhere])
  // Before a sign-in there is no session to restore.
  expectProblems(/401/)
  await page.goto(APP)
  return page
}

const enter = async (page: Page, email: string, button: string): Promise<void> => {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: button }).click()
}

const send = async (page: Page, message: string): Promise<void> => {
  await page.getByLabel('Message').fill(message)
  await page.getByRole('button', { name: 'Send' }).click()
}

const verify = async (email: string): Promise<void> => {
  const mail = await suite.server.noticed(new RegExp(`^Mail to ${email} [^]*/verify\\?token=`))
  const token = /\/verify\?token=([\w-]+)/.exec(mail)?.[1]
  await request(suite.server, 'POST', '/api/auth/verify-email', { body: { token } })
}

describe('the page of the example, which Vite built, on another origin', () => {
  browserTest('a sign-up, a chat, a reload and a sign-out', async () => {
    const email = uniqueEmail()
    const page = await open()
    await enter(page, email, 'Sign up')
    await page.getByLabel('Message').waitFor()
    await verify(email)
    suite.model.next(says(['Green ', 'tea.']))
    await send(page, 'What does Ada drink?')
    await page.locator('p.assistant', { hasText: 'Green tea.' }).waitFor()
    expect(await page.locator('p.user').allTextContents()).toEqual(['What does Ada drink?'])
    expect(await page.locator('p.arriving').count()).toBe(0)

    await page.reload()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Email').waitFor()
    await page.reload()
    await page.getByLabel('Email').waitFor()
  })

  browserTest('a sign-in with a second factor takes a code', async () => {
    const { email, accessToken: token } = await newVerifiedUser(suite.server)
    const setup = await request(suite.server, 'POST', '/api/auth/mfa/setup', { token })
    const code = new TOTP({ secret: Secret.fromBase32(setup.body.secret) }).generate()
    const body = { code }
    const enabled = await request(suite.server, 'POST', '/api/auth/mfa/enable', { token, body })
    const page = await open()
    await enter(page, email, 'Sign in')
    await page.getByLabel('Code').fill('000000')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Code').fill(enabled.body.recovery_codes[0])
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByLabel('Message').waitFor()
  })

  browserTest('memories are found while the question is typed', async () => {
    const user = await newVerifiedUser(suite.server)
    for (const content of ['Ada drinks green tea.', 'Bob lives in Porto.'])
      await request(suite.server, 'POST', '/api/remember', { token: user.key, body: { content } })
    const page = await open()
    await enter(page, user.email, 'Sign in')
    await page.getByLabel('Search').pressSequentially('What does Ada drink?')
    await page.getByRole('listitem').filter({ hasText: 'Ada drinks green tea.' }).first().waitFor()
    await page.getByLabel('Search').fill('')
    await page.getByRole('listitem').first().waitFor({ state: 'detached' })
  })

  browserTest('an answer is stopped, and a failed one and a wrong password are shown', async () => {
    const user = await newVerifiedUser(suite.server)
    const page = await open()
    await page.getByLabel('Email').fill(user.email)
    await page.getByLabel('Password').fill(`${PASSWORD}!`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('Invalid email or password').waitFor()
    await enter(page, user.email, 'Sign in')

    suite.model.next(stalls('Green'))
    await send(page, 'What does Ada drink?')
    const call = await suite.model.nextCall()
    await page.locator('p.arriving', { hasText: 'Green' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    await call.disconnected
    await page.getByRole('button', { name: 'Send' }).waitFor()

    const shown = Promise.withResolvers<void>()
    suite.model.next(breaksOff('Cof', shown.promise))
    await send(page, 'And Bob?')
    await page.locator('p.arriving', { hasText: 'Cof' }).waitFor()
    shown.resolve()
    await page.getByRole('alert').waitFor()
    await page.locator('p.assistant', { hasText: 'Cof' }).waitFor()
  })
})

describe('useSession', () => {
  browserTest('the error of a failed restore ends with the next success', async () => {
    // The other server has signed in as often as an address may in a minute.
    const server = ownServer()
    const user = await newVerifiedUser(server)
    const page = await visit({ extraHTTPHeaders: {} }, [OWN])
    expectProblems(/refresh|ERR_FAILED|401/)
    await page.route('**/api/auth/refresh', (route) => route.abort())
    await page.goto(OWN)
    await page.getByRole('alert').getByText('No answer from').waitFor()
    await page.unroute('**/api/auth/refresh')
    await page.getByRole('button', { name: 'Try again' }).click()
    await enter(page, user.email, 'Sign in')
    await page.getByText(`Signed in as ${user.email}`).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    const other = await newVerifiedUser(server)
    await enter(page, other.email, 'Sign in')
    await page.getByText(`Signed in as ${other.email}`).waitFor()
  })
})

/** Creates a passkey in the page. @returns the status of the response. */
const ADD_PASSKEY = `async (token) => {
  const headers = { authorization: 'Bearer ' + token, 'content-type': 'application/json' }
  const post = (path, body) =>
    fetch('/api/auth/passkeys' + path, { method: 'POST', headers, body: JSON.stringify(body) })
  const { options } = await (await post('/options', {})).json()
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const created = await navigator.credentials.create({ publicKey })
  return (await post('', { name: 'phone', response: created.toJSON() })).status
}`

describe('useSignIn', () => {
  /** Answers in place of the page of Google. */
  const atGoogle = async (page: Page, answer: (url: string) => Promise<URL>) => {
    await page.route(`${GOOGLE}/**`, async (route) => {
      const { href } = await answer(route.request().url())
      await route.fulfill({ status: 302, headers: { location: href } })
    })
  }

  browserTest('a provider signs in, and leaves no token in the address', async () => {
    const who = person()
    const page = await open(GOOGLE)
    await atGoogle(page, (url) => google.agree(url, who))
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByText(`Signed in as ${who.email}`).waitFor()
    expect(page.url()).toBe(`${APP}/auth/callback`)
  })

  browserTest('a provider that the person declines is an error of the form', async () => {
    const page = await open(GOOGLE)
    await atGoogle(page, async (url) => {
      const asked = new URL(url).searchParams
      const back = new URL(asked.get('redirect_uri') ?? '')
      back.search = String(
        new URLSearchParams({ error: 'access_denied', state: asked.get('state') ?? '' }),
      )
      return back
    })
    await page.getByRole('button', { name: 'Continue with Google' }).click()
    await page.getByRole('alert').getByText('access_denied').waitFor()
    expect(page.url()).toBe(`${APP}/auth/callback`)
  })

  browserTest('a passkey signs in, and completes a sign-in with a password', async () => {
    const server = ownServer()
    const user = await newVerifiedUser(server)
    const page = await visit({ extraHTTPHeaders: {} }, [OWN])
    expectProblems(/401/)
    await page.goto(OWN)
    await addAuthenticator(page)
    const added = await page.evaluate(`(${ADD_PASSKEY})(${JSON.stringify(user.accessToken)})`)
    expect(added).toBe(201)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText(`Signed in as ${user.email}`).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()

    const token = user.accessToken
    const setup = await request(server, 'POST', '/api/auth/mfa/setup', { token })
    const code = new TOTP({ secret: Secret.fromBase32(setup.body.secret) }).generate()
    await request(server, 'POST', '/api/auth/mfa/enable', { token, body: { code } })
    await enter(page, user.email, 'Sign in')
    await page.getByLabel('Code').waitFor()
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText(`Signed in as ${user.email}`).waitFor()
  })
})

describe('useChat', () => {
  const openChats = async () => {
    const user = await newVerifiedUser(suite.server)
    const chats: string[] = []
    for (const content of ['About Ada', 'About Bob']) {
      suite.model.next(says(`${content}.`))
      const body = { message: content }
      const { body: chat } = await request(suite.server, 'POST', '/api/chat', {
        token: user.key,
        body,
      })
      chats.push(chat.session_id)
    }
    const page = await visit({ extraHTTPHeaders: {} }, [APP])
    const query = new URLSearchParams({ key: user.key })
    for (const id of chats) query.append('chat', id)
    await page.goto(`${APP}/chats/?${query}`)
    const ask = async (message: string) => {
      await page.getByLabel('Message').fill(message)
      await page.getByLabel('Message').press('Enter')
    }
    return { page, chats, ask, user }
  }
  const textsOf = (page: Page) => page.locator('p').allTextContents()

  browserTest(
    'earlier messages are loaded before the others, and stay with the next answer',
    async () => {
      const { page, chats, ask, user } = await openChats()
      for (let turn = 0; turn < 26; turn++) {
        suite.model.next(says(`Answer ${turn}`))
        const body = { message: `Question ${turn}`, session_id: chats[0] }
        await request(suite.server, 'POST', '/api/chat', { token: user.key, body })
      }
      await page.getByRole('button', { name: 'Chat 0' }).click()
      await page.getByText('Answer 25').waitFor()
      expect(await page.locator('p').count()).toBe(50)
      await page.getByRole('button', { name: 'Earlier' }).click()
      await page.getByText('About Ada.').waitFor()
      const [first, second, third] = await textsOf(page)
      expect([first, second, third]).toEqual(['About Ada', 'About Ada.', 'Question 0'])
      await page.getByRole('button', { name: 'Earlier' }).waitFor({ state: 'detached' })
      suite.model.next(says('The end.'))
      await ask('More')
      await page.locator('p.assistant', { hasText: 'The end.' }).waitFor()
      expect(await page.locator('p').count()).toBe(56)
    },
  )

  browserTest('an answer is regenerated in place of the one before', async () => {
    const { page } = await openChats()
    await page.getByRole('button', { name: 'Chat 0' }).click()
    await page.locator('p.assistant', { hasText: 'About Ada.' }).waitFor()
    suite.model.next(stalls('Green'))
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await page.locator('p.arriving', { hasText: 'Green' }).waitFor()
    expect(await textsOf(page)).toEqual(['About Ada', 'Green'])
    suite.model.next(says('Black tea.'))
    await page.getByRole('button', { name: 'Regenerate' }).click()
    await page.locator('p.assistant', { hasText: 'Black tea.' }).waitFor()
    expect(await textsOf(page)).toEqual(['About Ada', 'Black tea.'])
  })

  browserTest('a branch goes on in a copy of the session', async () => {
    const { page, chats, ask } = await openChats()
    await page.getByRole('button', { name: 'Chat 0' }).click()
    await page.locator('p.assistant', { hasText: 'About Ada.' }).dblclick()
    const session = page.getByRole('status', { name: 'Session' })
    await session.filter({ hasNotText: chats[0] ?? '' }).waitFor()
    suite.model.next(says('Elsewhere.'))
    await ask('Go on')
    await page.locator('p.assistant', { hasText: 'Elsewhere.' }).waitFor()
    expect(await textsOf(page)).toEqual(['About Ada', 'About Ada.', 'Go on', 'Elsewhere.'])
    expect(chats).not.toContain((await session.textContent()) ?? '')
  })

  browserTest(
    'an attached file goes with the next message alone, and a refused one is an error',
    async () => {
      const { page, ask } = await openChats()
      expectProblems(/400/)
      const attach = (name: string, text: string) =>
        page
          .getByLabel('File')
          .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) })
      await attach('empty.txt', '')
      await page.getByRole('alert').waitFor()
      await attach('tea.txt', 'Ada drinks green tea.')
      await page.getByRole('button', { name: 'Remove tea.txt' }).waitFor()
      await attach('other.txt', 'Bob lives in Porto.')
      await page.getByRole('button', { name: 'Remove other.txt' }).click()
      suite.model.next(says('Green tea.'), says('Nothing.'))
      await ask('What is in it?')
      await page.locator('p.assistant', { hasText: 'Green tea.' }).waitFor()
      expect(await page.getByRole('button', { name: /^Remove/ }).count()).toBe(0)
      const sent = JSON.stringify(suite.model.calls.at(-1)?.body)
      expect(sent).toContain('Ada drinks green tea.')
      expect(sent).not.toContain('Bob lives in Porto.')
    },
  )

  browserTest('another session stops the answer, and shows its own messages', async () => {
    const { page, ask } = await openChats()
    await page.getByRole('button', { name: 'Chat 0' }).click()
    await page.locator('p.assistant', { hasText: 'About Ada.' }).waitFor()
    suite.model.next(stalls('Green'))
    await ask('More')
    await page.locator('p.arriving', { hasText: 'Green' }).waitFor()
    await page.getByRole('button', { name: 'Chat 1' }).click()
    await suite.model.calls.at(-1)?.disconnected
    await page.locator('p.assistant', { hasText: 'About Bob.' }).waitFor()
    expect(await page.locator('p').allTextContents()).toEqual(['About Bob', 'About Bob.'])
  })

  browserTest('a question that is sent while messages load stays shown', async () => {
    const { page, chats, ask } = await openChats()
    await page.getByRole('button', { name: 'Chat 0' }).click()
    await page.locator('p.assistant', { hasText: 'About Ada.' }).waitFor()
    const [arrived, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    await page.route(`**/api/sessions/${chats[0]}/messages*`, async (route) => {
      arrived.resolve()
      await released.promise
      await route.continue()
    })
    suite.model.next(says('Tea.'), stalls('Green'))
    await ask('First')
    await arrived.promise
    await ask('Second')
    await page.locator('p.arriving', { hasText: 'Green' }).waitFor()
    released.resolve()
    await page.locator('p.assistant', { hasText: 'Tea.' }).waitFor()
    expect(await page.locator('p.question').allTextContents()).toEqual(['Second'])
    expect(await page.locator('p.arriving').allTextContents()).toEqual(['Green'])
  })
})
