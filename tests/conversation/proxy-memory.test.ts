import { expect, test } from 'bun:test'
import type Anthropic from '@anthropic-ai/sdk'
import type OpenAI from 'openai'
import type { UpstreamCall } from '../harness/upstream.ts'
import { says } from '../harness/upstream.ts'
import { FACT, failureOf, QUESTION, useProxy } from './proxy-support.ts'

const proxy = useProxy()

type Ask = (text: string) => Promise<unknown>
type User = Awaited<ReturnType<typeof proxy.newUser>>

/** A question by each protocol. */
const PROTOCOLS: Record<string, (user: User) => Ask> = {
  'chat completions':
    ({ openai }) =>
    (content) =>
      openai.chat.completions.create({ model: 'a-model', messages: [{ role: 'user', content }] }),
  responses:
    ({ openai }) =>
    (input) =>
      openai.responses.create({ model: 'a-model', input }),
  messages:
    ({ anthropic }) =>
    (content) =>
      anthropic.messages.create({
        model: 'a-model',
        max_tokens: 100,
        messages: [{ role: 'user', content }],
      }),
}

const lastCall = (): UpstreamCall => {
  const call = proxy.upstream.calls.at(-1)
  if (!call) throw new Error('the provider was not called')
  return call
}

for (const [name, asking] of Object.entries(PROTOCOLS)) {
  test(`${name}: a fact of memory follows the person’s message, which is unchanged`, async () => {
    const user = await proxy.newUser()
    await asking(user)(QUESTION)
    const { body } = lastCall()
    const messages = body.messages ?? body.input
    expect(JSON.stringify(messages)).toContain(FACT)
    expect(JSON.stringify(messages[0])).toContain(JSON.stringify(QUESTION))
    if (name === 'chat completions') expect(messages[1]).toMatchObject({ role: 'user' })
    if (name === 'responses') expect(messages[1]).toMatchObject({ role: 'developer' })
    if (name === 'messages') {
      expect(messages).toHaveLength(1)
      expect(messages[0].content[0]).toEqual({ type: 'text', text: QUESTION })
      expect(messages[0].content[1].text).toMatch(/^<svc-memory>\n.*<\/svc-memory>$/s)
    }
  })

  test(`${name}: the person’s message and the final text are stored, and count as one message`, async () => {
    const user = await proxy.newUser()
    proxy.upstream.next(says('You deploy to Hetzner.'))
    await asking(user)(QUESTION)
    expect(await user.capturedTexts(2)).toEqual([QUESTION, 'You deploy to Hetzner.'])
    const [prompt, answer] = await user.captured()
    expect([prompt?.kind, answer?.kind]).toEqual(['prompt', 'answer'])
    expect(prompt?.thread).toMatch(/^api:[0-9a-f-]{36}$/)
    expect(await user.messagesUsed()).toBe(1)
  })

  test(`${name}: a message that needs no memory is sent as it is`, async () => {
    const user = await proxy.newUser()
    await asking(user)('yes')
    expect(JSON.stringify(lastCall().body)).not.toContain('svc-memory')
  })
}

const textsIn = ({ body }: UpstreamCall): string => JSON.stringify(body.messages ?? body.input)
const blocksIn = (call: UpstreamCall): number => textsIn(call).split('<svc-memory>').length - 1

test('all requests of a turn with tools have the same memories at the same place, counted once', async () => {
  const user = await proxy.newUser()
  const tool = { name: 'read_file', args: { path: 'a.ts' } }
  proxy.upstream.next(says('I will look.', tool), says('', tool), says('To Hetzner.'))
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: 'You help.' },
    { role: 'user', content: QUESTION },
  ]
  for (let step = 0; step < 3; step++) {
    const { choices } = await user.openai.chat.completions.create({ model: 'a-model', messages })
    const message = choices[0]?.message
    if (!message) throw new Error('no answer')
    messages.push(message)
    for (const { id } of message.tool_calls ?? [])
      messages.push({ role: 'tool', tool_call_id: id, content: 'Where do we deploy?' })
  }
  const [first, second, third] = proxy.upstream.calls
  expect(proxy.upstream.calls.map(blocksIn)).toEqual([1, 1, 1])
  expect(second?.body.messages.slice(0, 3)).toEqual(first?.body.messages)
  expect(third?.body.messages.slice(0, 3)).toEqual(first?.body.messages)
  expect(await user.capturedTexts(2)).toEqual([QUESTION, 'To Hetzner.'])
  expect(await user.messagesUsed()).toBe(1)
})

test('a later turn keeps what was added before at its place, and is not given it again', async () => {
  const user = await proxy.newUser()
  const messages: Anthropic.MessageParam[] = []
  const ask = async (content: string) => {
    messages.push({ role: 'user', content })
    const answer = await user.anthropic.messages.create({
      model: 'a-model',
      max_tokens: 100,
      messages,
    })
    messages.push({ role: 'assistant', content: answer.content })
    await user.capturedTexts(messages.length)
  }
  await ask(QUESTION)
  await ask('And where do we deploy the docs?')
  await ask('yes')
  expect(proxy.upstream.calls.map(blocksIn)).toEqual([1, 1, 1])
  const starts = proxy.upstream.calls.map(({ body }) => JSON.stringify(body.messages[0]))
  expect(new Set(starts).size).toBe(1)
  expect(await user.messagesUsed()).toBe(3)
  const threads = (await user.captured()).map(({ thread }) => thread)
  expect(new Set(threads).size).toBe(1)
})

test('two conversations that begin with the same words are two threads, and both get the memory', async () => {
  const user = await proxy.newUser()
  const ask = PROTOCOLS['chat completions']?.(user)
  await ask?.(QUESTION)
  await user.capturedTexts(2)
  await ask?.(QUESTION)
  await user.capturedTexts(4)
  expect(proxy.upstream.calls.map(blocksIn)).toEqual([1, 1])
  expect(new Set((await user.captured()).map(({ thread }) => thread)).size).toBe(2)
})

test('X-Svc-Thread names the conversation', async () => {
  const user = await proxy.newUser()
  const options = { headers: { 'x-svc-thread': 'shop-42' } }
  await user.openai.responses.create({ model: 'a-model', input: QUESTION }, options)
  await user.capturedTexts(2)
  expect((await user.captured())[0]?.thread).toBe('api:shop-42')
  for (const thread of ['', 'x'.repeat(201)]) {
    const failing = user.openai.responses.create(
      { model: 'a-model', input: QUESTION },
      { headers: { 'x-svc-thread': thread } },
    )
    expect(await failureOf(failing)).toMatchObject({ status: 400 })
  }
})

test('count_tokens counts the memories, and the message that follows has the same', async () => {
  const user = await proxy.newUser()
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: QUESTION }]
  await user.anthropic.messages.countTokens({ model: 'a-model', messages })
  await user.anthropic.messages.create({ model: 'a-model', max_tokens: 100, messages })
  const [counted, created] = proxy.upstream.calls
  expect(counted?.body.messages).toEqual(created?.body.messages)
  expect(blocksIn(counted as UpstreamCall)).toBe(1)
  expect(await user.messagesUsed()).toBe(1)
})

test('X-Svc-Memory: off sends and stores nothing more, and read stores nothing', async () => {
  const user = await proxy.newUser()
  const ask = (mode: string) =>
    user.openai.chat.completions.create(
      { model: 'a-model', messages: [{ role: 'user', content: QUESTION }] },
      { headers: { 'x-svc-memory': mode } },
    )
  await ask('off')
  await ask('read')
  expect(await failureOf(ask('maybe'))).toMatchObject({ status: 400 })
  expect(proxy.upstream.calls.map(blocksIn)).toEqual([0, 1])
  await ask('on')
  expect(await user.capturedTexts(2)).toEqual([QUESTION, 'Hello.'])
  expect(await user.messagesUsed()).toBe(3)
})

test('a prompt that begins with #nomem gets no memory and is not stored', async () => {
  const user = await proxy.newUser()
  const ask = PROTOCOLS.messages?.(user)
  await ask?.(`#nomem ${QUESTION}`)
  await ask?.('We moved to Lisbon.')
  expect(proxy.upstream.calls.map(blocksIn)).toEqual([0, 0])
  expect(await user.capturedTexts(2)).toEqual(['We moved to Lisbon.', 'Hello.'])
})

test('memories that a hook has added are not added again', async () => {
  const user = await proxy.newUser()
  const block = `<svc-memory>\n- ${FACT}\n</svc-memory>`
  await user.openai.responses.create({
    model: 'a-model',
    input: [
      { role: 'user', content: QUESTION },
      { role: 'developer', content: [{ type: 'input_text', text: block }] },
    ],
  })
  expect(blocksIn(lastCall())).toBe(1)
  await user.anthropic.messages.create({
    model: 'a-model',
    max_tokens: 100,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: QUESTION },
          { type: 'text', text: block },
        ],
      },
    ],
  })
  expect(blocksIn(lastCall())).toBe(1)
  expect(await user.capturedTexts(4)).toEqual([QUESTION, 'Hello.', QUESTION, 'Hello.'])
})

test('a request with a previous response and the output of a tool passes unchanged', async () => {
  const user = await proxy.newUser()
  const sent = {
    model: 'a-model',
    previous_response_id: 'resp_0',
    input: [{ type: 'function_call_output', call_id: 'call_0', output: QUESTION }],
  }
  const text = JSON.stringify(sent, null, 3)
  await (await user.post('/openai/v1/responses', text)).text()
  expect(lastCall().text).toBe(text)
  expect(await user.messagesUsed()).toBe(0)
})

test('images, a cached part and the results of tools beside a person’s text stay where they are', async () => {
  const user = await proxy.newUser()
  const content: Anthropic.ContentBlockParam[] = [
    { type: 'tool_result', tool_use_id: 'toolu_0', content: 'done' },
    { type: 'text', text: QUESTION, cache_control: { type: 'ephemeral' } },
    { type: 'text', text: '<system-reminder>Be brief.</system-reminder>' },
  ]
  await user.anthropic.messages.create({
    model: 'a-model',
    max_tokens: 100,
    messages: [
      { role: 'user', content: 'yes' },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'toolu_0', name: 'run', input: {} }],
      },
      { role: 'user', content },
    ],
  })
  const parts = lastCall().body.messages[2].content
  expect(parts.toSpliced(2, 1)).toEqual(content)
  expect(parts[2].text).toContain(FACT)
  expect(await user.capturedTexts(2)).toEqual([QUESTION, 'Hello.'])
})

test('a conversation that the provider keeps is one thread, with tools too, and gets a memory once', async () => {
  const user = await proxy.newUser()
  let previous: string | null = null
  const ask = async (input: OpenAI.Responses.ResponseInput | string) => {
    const { id } = await user.openai.responses.create({
      model: 'a-model',
      input,
      previous_response_id: previous,
    })
    previous = id
  }
  proxy.upstream.next(
    says('', { name: 'read', args: {} }),
    says('To Hetzner.'),
    says('To Hetzner, too.'),
  )
  await ask(QUESTION)
  await ask([{ type: 'function_call_output', call_id: 'call_0', output: 'done' }])
  await ask('And where do we deploy the docs?')
  expect(proxy.upstream.calls.map(blocksIn)).toEqual([1, 0, 0])
  expect(await user.capturedTexts(4)).toEqual([
    QUESTION,
    'To Hetzner.',
    'And where do we deploy the docs?',
    'To Hetzner, too.',
  ])
  const captured = await user.captured()
  expect(new Set(captured.map(({ thread }) => thread)).size).toBe(1)
  expect(await user.messagesUsed()).toBe(2)
})
