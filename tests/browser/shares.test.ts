import { afterAll, afterEach, beforeAll, expect } from 'bun:test'
import { newVerifiedUser, startRestartable } from '../harness/http.ts'
import { type ModelServer, says, startModelServer } from '../harness/model-server.ts'
import { quietPort } from '../harness/ports.ts'
import { request, type TestUser } from '../harness/server.ts'
import { browserTest, expectGoodPage, heading, useBrowser } from './support.ts'

let running: Awaited<ReturnType<typeof startRestartable>> | undefined
let model: ModelServer | undefined
let user: TestUser
const current = () => {
  if (!running) throw new Error('the server starts before the tests')
  return running.current
}
beforeAll(async () => {
  model = await startModelServer()
  const port = await quietPort()
  running = await startRestartable({
    SVC_PORT: String(port),
    SVC_BASE_URL: `http://localhost:${port}`,
    SVC_OPENAI_BASE_URL: model.url,
    SVC_CHAT_MODEL: 'a-model',
  })
  user = await newVerifiedUser(current())
}, 60_000)
afterEach(() => model?.reset())
afterAll(async () => {
  await running?.[Symbol.asyncDispose]()
  await model?.[Symbol.asyncDispose]()
})
const { visit } = useBrowser({
  get current() {
    return current()
  },
})

const post = async (path: string, body: object) => {
  const answer = await request(current(), 'POST', path, { token: user.key, body })
  expect(answer.status).toBeLessThan(300)
  return answer.body
}

const CODE = `const tea = (kind) => {\n    return "<b>" + kind // ${'a long line '.repeat(20)}\n}`
const ANSWER = `First a paragraph,
of two lines. <script>document.title = 'taken over'</script>

Then code:

\`\`\`ts
${CODE}
\`\`\`

And an end, ${'long'.repeat(60)}.`

/** Shares a new chat session with one message and its answer. */
const shareOf = async (message: string, answer: string) => {
  model?.always(says(answer))
  const { session_id } = await post('/api/chat', { message })
  return post('/api/shares', { session_id })
}

browserTest('a shared conversation is public and shows HTML in it as text', async () => {
  const { url } = await shareOf('How do I make <i>tea</i>?', ANSWER)
  const page = await visit()
  await page.goto(url)
  await heading(page, 'How do I make <i>tea</i>?')
  await expectGoodPage(page)
  const [question, answer] = await page.locator('article').all()
  expect(await question?.locator('h2').textContent()).toBe('User')
  expect(await question?.locator('p').allInnerTexts()).toEqual(['How do I make <i>tea</i>?'])
  expect(await answer?.locator('h2').textContent()).toBe('svc')
  expect(await answer?.locator('p').allInnerTexts()).toEqual([
    "First a paragraph,\nof two lines. <script>document.title = 'taken over'</script>",
    'Then code:',
    `And an end, ${'long'.repeat(60)}.`,
  ])
  expect(await answer?.locator('pre').textContent()).toBe(CODE)
  expect(await page.title()).toBe('How do I make <i>tea</i>? · svc')
})

const MARKDOWN = `## Tea

- **green** at 80 °C
- [black](https://tea.example/black)
- [not this](javascript:alert)

| kind | minutes |
| --- | --- |
| oolong | 3 |

![a pot](https://tea.example/pot.png)`

browserTest(
  'a shared conversation renders Markdown, and loads no image of another host',
  async () => {
    const { url } = await shareOf('Which teas are there?', MARKDOWN)
    const page = await visit()
    await page.goto(url)
    const answer = page.locator('article').last()
    await answer.getByRole('heading', { level: 4, name: 'Tea' }).waitFor()
    expect(await answer.locator('li').allInnerTexts()).toEqual([
      'green at 80 °C',
      'black',
      'not this',
    ])
    expect(await answer.locator('strong').textContent()).toBe('green')
    expect(await answer.locator('td').allInnerTexts()).toEqual(['oolong', '3'])
    const links = await answer.locator('a').all()
    expect(await Promise.all(links.map((link) => link.getAttribute('href')))).toEqual([
      'https://tea.example/black',
      'https://tea.example/pot.png',
    ])
    expect(await answer.locator('time').getAttribute('datetime')).toMatch(/^\d{4}-\d\d-\d\dT/)
  },
)

browserTest('an empty shared conversation shows a note', async () => {
  const { id: session_id } = await post('/api/sessions', { title: 'Plans' })
  const { url } = await post('/api/shares', { session_id })
  const page = await visit()
  await page.goto(url)
  await heading(page, 'Plans')
  await page.getByText('The conversation had no messages when it was shared.').waitFor()
})

browserTest('a revoked link and an unknown link show an error page', async () => {
  const { url, token } = await shareOf('Hello there', 'Good day.')
  await request(current(), 'DELETE', `/api/shares/${token}`, { token: user.key })
  const page = await visit()
  const gone = await page.goto(url)
  expect(gone?.status()).toBe(410)
  expect(gone?.headers()['x-robots-tag']).toBe('noindex, nofollow')
  await heading(page, 'No longer shared')
  await expectGoodPage(page)
  const never = await page.goto(`${url}x`)
  expect(never?.status()).toBe(404)
  await heading(page, 'Conversation not found')
})

browserTest(
  'the links of a long conversation lead to the next page and back to the first',
  async () => {
    const { id: session_id } = await post('/api/sessions', {})
    await running?.restart(
      `insert into chat_messages (user_id, session_id, position, message_id, role, content)
     select '${user.id}', '${session_id}', n, gen_random_uuid(),
       case when n % 2 = 1 then 'user' else 'assistant' end,
       case when n % 2 = 1 then 'Number ' || (n + 1) / 2 else 'Go on.' end
     from generate_series(1, 102) n`,
      `update chat_sessions set message_count = 102 where session_id = '${session_id}'`,
    )
    const { url } = await post('/api/shares', { session_id })
    const page = await visit()
    const first = await page.goto(url)
    expect(first?.headers()['x-robots-tag']).toBe('noindex, nofollow')
    expect(await page.locator('article').count()).toBe(100)
    await page.getByRole('link', { name: 'Next messages' }).click()
    await page.getByText('Number 51').waitFor()
    expect(await page.locator('article').count()).toBe(2)
    expect(await page.getByRole('link', { name: 'Next messages' }).count()).toBe(0)
    await page.getByRole('link', { name: 'From the beginning' }).click()
    await page.getByText('Number 1', { exact: true }).first().waitFor()
    expect(await page.locator('article').count()).toBe(100)
  },
)
