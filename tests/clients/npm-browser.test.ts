import { afterAll, beforeAll, describe, expect, setDefaultTimeout } from 'bun:test'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { browserTest, useBrowser } from '../browser/support.ts'
import { useConversation } from '../conversation/support.ts'
import { ROOT } from '../harness/base.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { breaksOff, says, stalls } from '../harness/model-server.ts'
import { PASSWORD, request, uniqueEmail } from '../harness/server.ts'
import { binOf, createProject, run } from './npm-project.ts'

setDefaultTimeout(120_000)

let site = ''
const app = Bun.serve({
  ...{ hostname: '127.0.0.1', port: 0 },
  fetch: ({ url }) => {
    const { pathname } = new URL(url)
    return new Response(
      Bun.file(join(site, pathname.endsWith('/') ? `${pathname}index.html` : pathname)),
    )
  },
})
afterAll(() => app.stop(true))
const APP = `http://localhost:${app.port}`

const suite = useConversation({ SVC_FRONTEND_ORIGINS: APP })
const { visit, expectProblems } = useBrowser({
  get current() {
    return suite.server
  },
})

beforeAll(async () => {
  const { directory, write } = await createProject('npm')
  const examples = join(ROOT, 'clients/npm/examples')
  for (const folder of ['browser', 'chats'])
    await cp(join(examples, 'browser'), join(directory, folder), { recursive: true })
  await write('chats/main.tsx', CHATS)
  await write('tsconfig.json', await Bun.file(join(examples, 'tsconfig.json')).text())
  await run(directory, [binOf('tsc'), '-p', '.', '--types', 'vite/client'])
  site = join(directory, 'site')
  for (const [folder, base] of [
    ['browser', '/'],
    ['chats', '/chats/'],
  ] as const) {
    const output = ['--base', base, '--outDir', join(site, base), '--emptyOutDir', 'false']
    const build = [binOf('vite'), 'build', folder, '--logLevel', 'error', ...output]
    await run(directory, build, { VITE_SVC_URL: suite.server.baseUrl })
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
  const { messages, question, answer, send } = useChat({ sessionId })
  return (
    <>
      {query.getAll('chat').map((id, index) => (
        <button key={id} type="button" onClick={() => setSessionId(id)}>Chat {index}</button>
      ))}
      {messages.map(({ id, role, content }) => <p key={id} className={role}>{content}</p>)}
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
const open = async (): Promise<Page> => {
  const page = await visit({ extraHTTPHeaders: {} }, [APP])
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
    return { page, chats, ask }
  }

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
