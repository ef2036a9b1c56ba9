import { describe, expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { browserTest, heading } from '../browser/support.ts'
import { useConversation } from '../conversation/support.ts'
import { eventually } from '../harness/eventually.ts'
import { says } from '../harness/model-server.ts'
import { request, type TestUser } from '../harness/server.ts'
import { expectAccessible, useConsole } from './support.ts'

const suite = useConversation({}, { namesChats: true })
const { open } = useConsole({
  get current() {
    return suite.server
  },
})

const field = (page: Page) => page.getByRole('textbox', { name: 'Message' })
const messages = (page: Page) => page.getByRole('region', { name: 'Messages' })
const sessionIn = (page: Page): string => new URL(page.url()).pathname.split('/').at(-1) ?? ''

const press = async (page: Page, name: string | RegExp, key = 'Enter'): Promise<void> => {
  await page.getByRole('button', { name }).first().focus()
  await page.keyboard.press(key)
}

/** Chooses from the menu of the chat by keyboard. */
const choose = async (page: Page, item: string): Promise<void> => {
  await page
    .locator('.chat-header')
    .getByRole('button', { name: /^Actions for/ })
    .focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: item }).press('Enter')
}

/** A chat of a user, made over the API. */
const withChat = async (questions: readonly string[], answer = says('Yes.')) => {
  const user = await suite.newUser()
  suite.model.always(answer)
  let session_id: string | undefined
  for (const message of questions)
    session_id = (await suite.post('/api/chat', { message, session_id }, user)).body.session_id
  return { user, id: session_id ?? '' }
}

const contentsOf = async (user: TestUser, session: string): Promise<string[]> => {
  const { body } = await suite.get(`/api/sessions/${session}/messages`, user)
  return body.map(({ content }: { content: string }) => content)
}

describe('a chat', () => {
  browserTest('a new chat is named by the model after its first answer', async () => {
    const user = await suite.newUser()
    const page = await open(user, '/chat')
    suite.model.next(says('Tea is fine.'), says('Hot Drinks'))
    await field(page).fill('Which drink is hot?')
    await field(page).press('Enter')
    await heading(page, 'Hot Drinks')
    await page.getByRole('link', { name: /Hot Drinks/ }).waitFor()
  })

  browserTest('a message is edited in a copy, and the first chat stays', async () => {
    const { user, id } = await withChat(['Is tea hot?', 'Is ice cold?'])
    const page = await open(user, `/chat/${id}`)
    await messages(page).getByText('Is ice cold?').waitFor()
    await expectAccessible(page)
    const edit = page.getByRole('button', { name: 'Edit in a copy of the chat' }).nth(1)
    await edit.focus()
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => !url.pathname.endsWith(id))
    const branch = sessionIn(page)
    expect(await field(page).inputValue()).toBe('Is ice cold?')
    await messages(page).getByText('Is tea hot?').waitFor()
    expect(await messages(page).getByText('Is ice cold?').count()).toBe(0)
    await field(page).fill('Is fire hot?')
    await field(page).press('Enter')
    await eventually(async () => (await contentsOf(user, branch)).length === 4)
    expect((await contentsOf(user, branch))[2]).toBe('Is fire hot?')
    expect((await contentsOf(user, id))[2]).toBe('Is ice cold?')
    await page.goBack()
    await messages(page).getByText('Is ice cold?').waitFor()
  })

  browserTest('a chat goes on from an answer in a copy, with a way back', async () => {
    const { user, id } = await withChat(['Is tea hot?', 'Is ice cold?'])
    const page = await open(user, `/chat/${id}`)
    await press(page, 'Go on from here in a copy of the chat')
    await page.waitForURL((url) => !url.pathname.endsWith(id))
    await messages(page).getByText('Is tea hot?').waitFor()
    expect(await contentsOf(user, sessionIn(page))).toHaveLength(2)
    await press(page, 'Back to the first')
    await page.waitForURL((url) => url.pathname.endsWith(id))
  })

  browserTest('the model is chosen for the next messages', async () => {
    const user = await suite.newUser()
    await suite.post('/api/remember', { content: 'I drink green tea.' }, user)
    const page = await open(user, '/chat')
    await expectAccessible(page)
    await press(page, 'Model: a-model (default)')
    await page.getByRole('menuitemradio', { name: /Memories only/ }).press('Enter')
    await field(page).fill('What do I drink?')
    await field(page).press('Enter')
    await messages(page).getByText('I drink green tea.').first().waitFor()
    const asked = suite.model.calls.map(({ body }) => JSON.stringify(body.messages))
    expect(asked.filter((text) => text.includes('What do I drink?'))).toEqual([])
    await press(page, /^Model: Memories only/)
    await page.getByRole('menuitemradio', { name: 'a-model (default)' }).press('Enter')
    suite.model.next(says('Green tea.'))
    await field(page).fill('Say it again.')
    await field(page).press('Enter')
    await messages(page).getByText('Green tea.', { exact: true }).waitFor()
  })

  browserTest('a message is found among those that are not loaded', async () => {
    const { user, id } = await withChat(['The heron is grey.'])
    suite.model.always(says('Mm.'))
    for (let i = 0; i < 30; i++)
      await suite.post('/api/chat', { message: `Number ${i}`, session_id: id }, user)
    const page = await open(user, `/chat/${id}`)
    await messages(page).getByText('Number 29').waitFor()
    expect(await messages(page).getByText('The heron is grey.').count()).toBe(0)
    await choose(page, 'Find in this chat')
    const find = page.getByRole('textbox', { name: 'Find in this chat' })
    await find.fill('HERON')
    await page.getByRole('status').getByText('1 message', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'You: The heron is grey.' }).focus()
    await page.keyboard.press('Enter')
    await messages(page).getByText('The heron is grey.').waitFor()
    await page.locator('[id]:focus').getByText('The heron is grey.').waitFor()
    await find.fill('nothing like it')
    await page.getByRole('status').getByText('No message', { exact: true }).waitFor()
    await find.press('Escape')
    await find.waitFor({ state: 'detached' })
  })

  browserTest('a whole chat is exported as Markdown', async () => {
    const { user, id } = await withChat(['Is "a/b" hot?', 'Second **question**'])
    const page = await open(user, `/chat/${id}`)
    await messages(page).getByText('Second').waitFor()
    const download = page.waitForEvent('download')
    await choose(page, 'Export as Markdown')
    const file = await download
    expect(file.suggestedFilename()).toBe('Is a b hot.md')
    const text = readFileSync(await file.path(), 'utf8')
    expect(text).toMatch(/^# Is "a\/b" hot\?\n\n## You, 20/)
    expect(text).toContain('Second **question**')
    expect(text.match(/## svc · a-model/g)).toHaveLength(2)
  })

  browserTest('an answer shows what the model was given', async () => {
    const user = await suite.newUser()
    await suite.post('/api/remember', { content: 'I drink green tea.' }, user)
    await request(suite.server, 'PUT', '/api/auth/instructions', {
      token: user.accessToken,
      body: { instructions: 'Call me Ada.' },
    })
    const { session_id } = (await suite.post('/api/chat', { message: 'What do I drink?' }, user))
      .body
    const page = await open(user, `/chat/${session_id}`)
    await press(page, 'Given to the model')
    const dialog = page.getByRole('dialog', { name: 'Given to the model' })
    await dialog.getByText('Call me Ada.').waitFor()
    await dialog.getByRole('heading', { name: /^[\d,]+ of [\d,]+ tokens$/ }).waitFor()
    await dialog.getByRole('heading', { name: '1 memory', exact: true }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('link', { name: 'I drink green tea.' }).focus()
    await page.keyboard.press('Enter')
    await heading(page, 'Memory')
  })

  browserTest('attached pictures are shown, and one that was deleted is named', async () => {
    const user = await suite.newUser()
    const picture = await sharp({
      create: { width: 40, height: 20, channels: 3, background: 'teal' },
    })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('file', new File([new Uint8Array(picture)], 'teal.png'))
    const uploaded = await fetch(new URL('/api/files', suite.server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${user.key}` },
      body: form,
    })
    const { id } = (await uploaded.json()) as { id: string }
    suite.model.always(says('Teal.'))
    const url = `data:image/png;base64,${picture.toString('base64')}`
    const { session_id } = (
      await suite.post(
        '/api/chat',
        {
          message: 'Which color?',
          file_ids: [id],
          content_blocks: [{ type: 'image_url', image_url: { url } }],
        },
        user,
      )
    ).body
    const page = await open(user, `/chat/${session_id}`)
    for (const name of ['teal.png', 'A picture was attached']) {
      const shown = messages(page).getByRole('img', { name })
      await shown.waitFor()
      await eventually(async () => (await shown.boundingBox())?.width === 40)
    }
    await expectAccessible(page)
    await request(suite.server, 'DELETE', `/api/files/${id}`, { token: user.key })
    await page.reload()
    await messages(page).getByText('Deleted file').waitFor()
  })

  browserTest('code has colors, and code of an unknown language is shown as it is', async () => {
    const hostile = 'const x = "<img src=x onerror=alert(1)>" // a comment'
    const answer = [
      ['```ts', hostile, '```'],
      ['```nonsense', 'as it is', '```'],
      ['```', 'no language', '```'],
    ]
      .map((lines) => lines.join('\n'))
      .join('\n\n')
    const { user, id } = await withChat(['Some code?'], says(answer))
    const page = await open(user, `/chat/${id}`)
    await messages(page).locator('.hljs-keyword').getByText('const').waitFor()
    const blocks = messages(page).locator('pre')
    expect(await blocks.nth(0).textContent()).toBe(`${hostile}\n`)
    expect(await blocks.nth(1).textContent()).toBe('as it is\n')
    expect(await blocks.nth(2).textContent()).toBe('no language\n')
    await expectAccessible(page)
  })

  browserTest('formulas are drawn, and hostile ones are text', async () => {
    const answer = [
      'The area is $\\pi r^2$, for $5.',
      '\\[ \\frac{1}{2} \\]',
      '$$\\href{javascript:alert(1)}{x}$$ $$\\notacommand$$ $$\\def\\a{\\a\\a}\\a$$',
    ].join('\n\n')
    const { user, id } = await withChat(['An area?'], says(answer))
    const page = await open(user, `/chat/${id}`)
    await messages(page).locator('math').nth(1).waitFor()
    expect(await messages(page).locator('math mfrac').count()).toBe(1)
    expect(await messages(page).locator('math msup').count()).toBe(1)
    expect(await messages(page).locator('a[href^=javascript]').count()).toBe(0)
    await messages(page).getByText(', for $5.').waitFor()
    await messages(page).locator('code').getByText('\\notacommand').waitFor()
    await expectAccessible(page)
  })
})
