import { describe, expect, test } from 'bun:test'
import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { generateText, isStepCount, jsonSchema, type LanguageModel, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { tiersFile } from '../billing/support.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { startServer, type TestServer } from '../harness/server.ts'
import { type ModelUpstream, says, sends, stallsAfter } from '../harness/upstream.ts'
import {
  anthropicUrl,
  FACT,
  failureOf,
  openAiUrl,
  type ProxyUser,
  QUESTION,
  useProxy,
} from './proxy-support.ts'

const proxy = useProxy()

const MODEL = 'a-model'
const ANSWER = 'You deploy to Hetzner.'
const system = 'You help.'
const messages = [{ role: 'user' as const, content: QUESTION }]

interface StreamingClient {
  /** The text of a streamed answer, as the client collects it. */
  stream(user: ProxyUser, signal?: AbortSignal): Promise<string>
}

const STREAMING: Record<string, StreamingClient> = {
  'openai, chat completions': {
    async stream({ openai }, signal) {
      const chunks = await openai.chat.completions.create(
        { model: MODEL, messages, stream: true },
        { signal },
      )
      let text = ''
      for await (const { choices } of chunks) text += choices[0]?.delta.content ?? ''
      return text
    },
  },
  'openai, responses': {
    async stream({ openai }, signal) {
      const events = await openai.responses.create(
        { model: MODEL, input: QUESTION, stream: true },
        { signal },
      )
      let text = ''
      for await (const event of events)
        if (event.type === 'response.output_text.delta') text += event.delta
      return text
    },
  },
  anthropic: {
    stream: ({ anthropic }, signal) =>
      anthropic.messages
        .stream({ model: MODEL, max_tokens: 100, messages }, { signal })
        .finalText(),
  },
}

for (const [name, { stream }] of Object.entries(STREAMING))
  describe(name, () => {
    test('a stream has memory, and is stored as a whole', async () => {
      const user = await proxy.newUser()
      proxy.upstream.next(says(ANSWER))
      expect(await stream(user)).toBe(ANSWER)
      expect(proxy.upstream.calls[0]?.text).toContain(FACT)
      expect(await user.capturedTexts(2)).toEqual([QUESTION, ANSWER])
    })

    test('a stream that the client aborts ends at the upstream, and is not stored', async () => {
      const user = await proxy.newUser()
      const begun = Promise.withResolvers<void>()
      proxy.upstream.next(stallsAfter('a long answer', begun.resolve))
      const abort = new AbortController()
      const streaming = failureOf(stream(user, abort.signal))
      await begun.promise
      abort.abort()
      await streaming
      await proxy.upstream.calls[0]?.disconnected
      proxy.upstream.next(says(ANSWER))
      await stream(user)
      expect(await user.capturedTexts(2)).toEqual([QUESTION, ANSWER])
    })
  })

/** The providers of the AI SDK for each protocol. */
const MODELS: Record<string, (server: TestServer, key: string) => LanguageModel> = {
  'chat completions': (server, apiKey) =>
    createOpenAI({ baseURL: openAiUrl(server), apiKey }).chat(MODEL),
  responses: (server, apiKey) =>
    createOpenAI({ baseURL: openAiUrl(server), apiKey }).responses(MODEL),
  messages: (server, apiKey) =>
    createAnthropic({ baseURL: `${anthropicUrl(server)}/v1`, apiKey })(MODEL),
}

const countBlocks = ({ calls }: ModelUpstream): number[] =>
  calls.map(({ text }) => text.split('<svc-memory>').length - 1)

for (const [name, modelOf] of Object.entries(MODELS))
  describe(`the AI SDK, ${name}`, () => {
    test('tools in two steps, two of them at once, have one turn with the same memories', async () => {
      const user = await proxy.newUser()
      const call = (path: string) => ({ name: 'read', args: { path } })
      proxy.upstream.next(
        says('', call('a.ts'), call('b.ts')),
        says('One more.', call('c.ts')),
        says(ANSWER),
      )
      const read: string[] = []
      const { text, steps } = await generateText({
        model: modelOf(proxy.server, user.key),
        system,
        prompt: QUESTION,
        maxRetries: 0,
        maxOutputTokens: 100,
        stopWhen: isStepCount(5),
        tools: {
          read: tool({
            inputSchema: jsonSchema<{ path: string }>({
              type: 'object',
              properties: { path: { type: 'string' } },
            }),
            execute({ path }) {
              read.push(path)
              return `content of ${path}`
            },
          }),
        },
      })
      expect([text, steps.length, read.sort()]).toEqual([ANSWER, 3, ['a.ts', 'b.ts', 'c.ts']])
      expect(countBlocks(proxy.upstream)).toEqual([1, 1, 1])
      expect(await user.capturedTexts(2)).toEqual([QUESTION, ANSWER])
      expect(await user.messagesUsed()).toBe(1)
    })

    test('a stream has the text of the upstream', async () => {
      const user = await proxy.newUser()
      proxy.upstream.next(says(ANSWER))
      const { textStream } = streamText({
        model: modelOf(proxy.server, user.key),
        prompt: QUESTION,
        maxRetries: 0,
        maxOutputTokens: 100,
      })
      expect((await Array.fromAsync(textStream)).join('')).toBe(ANSWER)
      expect(await user.capturedTexts(2)).toEqual([QUESTION, ANSWER])
    })
  })

test('the models and embeddings of the upstream pass, and do not count', async () => {
  const user = await proxy.newUser()
  const models = await user.openai.models.list()
  expect(models.data).toEqual([{ id: MODEL }] as typeof models.data)
  const listed = await user.anthropic.models.list()
  expect(listed.data).toMatchObject([{ id: MODEL }])
  const embedded = await user.openai.embeddings.create({
    model: MODEL,
    input: 'x',
    encoding_format: 'float',
  })
  expect(embedded.data[0]?.embedding).toEqual([0.5])
  const paths = proxy.upstream.calls.map(({ path }) => path)
  expect(paths).toEqual(['/v1/models', '/v1/models', '/v1/embeddings'])
  expect(await user.messagesUsed()).toBe(0)
})

describe('errors are those that the clients know', () => {
  const askOpenAi = (client: OpenAI) => client.chat.completions.create({ model: MODEL, messages })
  const askAnthropic = (client: Anthropic) =>
    client.messages.create({ model: MODEL, max_tokens: 100, messages })
  const clientsFor = (server: TestServer, apiKey: string) => ({
    openai: new OpenAI({ apiKey, baseURL: openAiUrl(server), maxRetries: 0 }),
    anthropic: new Anthropic({ apiKey, baseURL: anthropicUrl(server), maxRetries: 0 }),
  })

  test('a wrong key is an authentication error', async () => {
    const { openai, anthropic } = clientsFor(proxy.server, `svc_${'0'.repeat(40)}`)
    const first = await failureOf(askOpenAi(openai))
    expect(first).toBeInstanceOf(OpenAI.AuthenticationError)
    expect(first).toMatchObject({ code: 'invalid_api_key' })
    const second = await failureOf(askAnthropic(anthropic))
    expect(second).toBeInstanceOf(Anthropic.AuthenticationError)
    expect(second).toMatchObject({ error: { error: { type: 'authentication_error' } } })
    expect(proxy.upstream.calls).toEqual([])
  })

  test('a rate limit of the upstream is a rate limit error with its headers', async () => {
    const user = await proxy.newUser()
    const headers = { 'content-type': 'application/json', 'retry-after': '3' }
    const openAiBody = '{"error":{"message":"slow","type":"requests","code":"rate_limit_exceeded"}}'
    proxy.upstream.next(sends([openAiBody], 429, { ...headers, 'x-request-id': 'req_1' }))
    const first = await failureOf(askOpenAi(user.openai))
    expect(first).toBeInstanceOf(OpenAI.RateLimitError)
    expect(first).toMatchObject({ code: 'rate_limit_exceeded', requestID: 'req_1' })
    const anthropicBody = '{"type":"error","error":{"type":"rate_limit_error","message":"slow"}}'
    proxy.upstream.next(sends([anthropicBody], 429, { ...headers, 'request-id': 'req_2' }))
    const second = await failureOf(askAnthropic(user.anthropic))
    expect(second).toBeInstanceOf(Anthropic.RateLimitError)
    expect(second).toMatchObject({ requestID: 'req_2' })
  })

  test('a used-up quota is a rate limit error, which is not retried', async () => {
    await using server = await startServer({
      SVC_OPENAI_BASE_URL: `${proxy.upstream.url}/v1`,
      SVC_OPENAI_MODEL: MODEL,
      SVC_ANTHROPIC_BASE_URL: proxy.upstream.url,
      SVC_TIERS: tiersFile({ amnesiac: { quotas: { messages: 1 } } }),
    })
    const { key: apiKey } = await newVerifiedUser(server)
    const openai = new OpenAI({ apiKey, baseURL: openAiUrl(server) })
    const anthropic = new Anthropic({ apiKey, baseURL: anthropicUrl(server) })
    await askOpenAi(openai)
    const first = await failureOf(askOpenAi(openai))
    expect(first).toBeInstanceOf(OpenAI.RateLimitError)
    expect(first).toMatchObject({ code: 'insufficient_quota' })
    const second = await failureOf(askAnthropic(anthropic))
    expect(second).toBeInstanceOf(Anthropic.RateLimitError)
    expect(String(second)).toContain('You have used 1 of 1 messages')
    expect(proxy.upstream.calls).toHaveLength(1)
  })

  test('a server without a provider answers 503, which is not retried', async () => {
    await using server = await startServer()
    const { key: apiKey } = await newVerifiedUser(server)
    const openai = new OpenAI({ apiKey, baseURL: openAiUrl(server) })
    const first = await failureOf(askOpenAi(openai))
    expect(first).toBeInstanceOf(OpenAI.InternalServerError)
    expect(String(first)).toContain('503 This server has no provider for this API')
    const anthropic = new Anthropic({
      authToken: apiKey,
      apiKey: null,
      baseURL: anthropicUrl(server),
    })
    const second = await failureOf(askAnthropic(anthropic))
    expect(second).toMatchObject({ status: 503, error: { error: { type: 'api_error' } } })
  })
})
