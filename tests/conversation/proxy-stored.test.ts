import { expect, test } from 'bun:test'
import { listMemories, remember } from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { startServer } from '../harness/server.ts'
import { eventsOf, says } from '../harness/upstream.ts'
import { failureOf, QUESTION, useProxy } from './proxy-support.ts'

const proxy = useProxy()

const SECRET = `ghp_${'0aB1'.repeat(9)}`
const asking = (path: string, text: string, more: object = {}): string => {
  const messages = [{ role: 'user', content: text }]
  const conversation = path.endsWith('/responses') ? { input: messages } : { messages }
  return JSON.stringify({ model: 'a-model', max_tokens: 100, ...conversation, ...more })
}
const CHAT = '/openai/v1/chat/completions'
const PATHS = [CHAT, '/openai/v1/responses', '/anthropic/v1/messages']

test('credentials are redacted in what is stored, and not in what is sent', async () => {
  const user = await proxy.newUser()
  proxy.upstream.next(says(`Your token ${SECRET} works.`))
  const response = await user.post(CHAT, asking(CHAT, `My token is ${SECRET}.`))
  expect(await response.text()).toContain(SECRET)
  expect(proxy.upstream.calls.at(-1)?.text).toContain(SECRET)
  const stored = await user.capturedTexts(2)
  expect(stored).toEqual([
    expect.stringMatching(/^My token is \[redacted: GitHub/),
    expect.stringMatching(/^Your token \[redacted: GitHub.* works\.$/),
  ])
})

test('SVC_REDACT=off stores credentials', async () => {
  await using server = await startServer({
    SVC_OPENAI_BASE_URL: `${proxy.upstream.url}/v1`,
    SVC_OPENAI_MODEL: 'a-model',
    SVC_REDACT: 'off',
  })
  const { client, key } = await newVerifiedUser(server)
  const text = `My token is ${SECRET}.`
  const response = await fetch(`${server.url}/api${CHAT}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: asking(CHAT, text),
  })
  await response.text()
  const texts = await eventually(async () => {
    const { memories } = await client.call(listMemories, { query: {} })
    return memories.length === 2 && memories.map(({ content_text }) => content_text)
  })
  expect(texts).toContain(text)
})

test('X-Svc-Project names the project of what is stored, and gives the notes on the project', async () => {
  const user = await proxy.newUser()
  await user.client.call(remember, {
    body: {
      content: 'Tests of the shop run with make check.',
      memory_type: 'procedural',
      project: 'acme/shop',
    },
  })
  const headers = { 'x-svc-project': 'acme/shop' }
  await (await user.post(CHAT, asking(CHAT, QUESTION), headers)).text()
  const { text, headers: sent } = proxy.upstream.calls.at(-1) ?? {}
  expect(text).toContain('make check')
  expect(sent).not.toHaveProperty('x-svc-project')
  await user.capturedTexts(2)
  const { memories } = await user.client.call(listMemories, {
    query: { project: 'acme/shop' },
  })
  expect(memories.map(({ content_text }) => content_text)).toEqual(
    expect.arrayContaining([QUESTION, 'Hello.']),
  )
  const request = { model: 'a-model', messages: [{ role: 'user' as const, content: QUESTION }] }
  for (const project of ['', 'x'.repeat(201)])
    expect(
      await failureOf(
        user.openai.chat.completions.create(request, { headers: { 'x-svc-project': project } }),
      ),
    ).toMatchObject({ status: 400 })
})

for (const path of PATHS)
  test(`${path}: a streamed answer of over a million characters passes whole, and is stored in parts`, async () => {
    const user = await proxy.newUser()
    const answer = Array.from({ length: 12_500 }, (_, i) => `Paragraph ${i}: ${'text '.repeat(15)}`)
      .join('\n\n')
      .trim()
    expect(answer.length).toBeGreaterThan(1_100_000)
    proxy.upstream.next((response, call) => {
      const bytes = Buffer.from(eventsOf(call.path, answer))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (let at = 0; at < bytes.length; at += 60_000)
        response.write(bytes.subarray(at, at + 60_000))
      response.end()
    })
    const response = await user.post(path, asking(path, QUESTION, { stream: true }))
    const received = await response.text()
    expect(received.split('Paragraph ').length).toBeGreaterThan(12_500)
    const parts = await eventually(async () => {
      const { memories } = await user.client.call(listMemories, { query: { limit: 100 } })
      const answers = memories.filter(({ source }) => source.kind === 'answer')
      return answers.length > 0 && answers.toReversed().map(({ content_text }) => content_text)
    })
    expect(parts.length).toBeGreaterThan(30)
    const words = (text: string) => text.split(/\s+/).filter(Boolean)
    expect(parts.flatMap(words)).toEqual(words(answer))
  })
