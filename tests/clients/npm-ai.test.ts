import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, type ModelMessage, streamText } from 'ai'
import { memoryTools, withMemory } from '../../clients/npm/ai.ts'
import { createClient } from '../../clients/npm/index.ts'
import type { MemoryOptions } from '../../clients/npm/with-memory.ts'
import {
  endsEarly,
  fails,
  type ModelServer,
  stalls,
  startModelServer,
} from '../harness/model-server.ts'
import { newUser, useSharedServer } from '../harness/server.ts'
import { answers, callsTools } from './completions.ts'
import { says, startScripted } from './scripted-server.ts'

const server = useSharedServer()
let model: ModelServer
beforeAll(async () => {
  model = await startModelServer()
})
afterEach(() => model.reset())
afterAll(() => model[Symbol.asyncDispose]())

const FACT = 'Ada drinks green tea.'
const QUESTION = 'What does Ada drink?'

/** An app of a new user who has one memory. */
const createApp = async (options: Partial<MemoryOptions> = {}) => {
  const { key } = await newUser(server.current)
  const paths: string[] = []
  const client = createClient({
    baseUrl: server.current.url,
    apiKey: key,
    fetch: (url, init) => {
      paths.push(url.pathname)
      return fetch(url, init)
    },
  })
  await client.methods.remember({ content: FACT })
  const provider = createOpenAICompatible({ name: 'models', baseURL: model.url })
  const remembering = withMemory(provider('a-model'), { client, thread: 'chat-1', ...options })
  /** The memories beside the fact, oldest first. */
  const remembered = async (): Promise<string[]> => {
    const { memories } = await client.methods.listMemories({})
    const contents = memories.toReversed().map(({ content_text }) => content_text)
    return contents.filter((content) => content !== FACT)
  }
  const countOf = (path: string) => paths.filter((each) => each === path).length
  return { client, model: remembering, remembered, countOf }
}

const systemOf = (call: number): string =>
  JSON.stringify(
    model.calls[call]?.body.messages.filter(({ role }: { role: string }) => role === 'system'),
  )

describe('withMemory', () => {
  test('a generated answer gets the context, and the turn is remembered', async () => {
    const app = await createApp()
    model.next(answers('Green tea.'))
    const { text } = await generateText({
      model: app.model,
      instructions: 'Be short.',
      prompt: QUESTION,
    })
    expect(text).toBe('Green tea.')
    const [own, context] = model.calls[0]?.body.messages ?? []
    expect(own).toEqual({ role: 'system', content: 'Be short.' })
    expect(context.role).toBe('system')
    expect(context.content).toContain(FACT)
    expect(await app.remembered()).toEqual([QUESTION, 'Green tea.'])
    const { memories } = await app.client.methods.listMemories({})
    const trusts = memories.map(({ source: { trust }, thread }) => `${trust} ${thread}`)
    expect(trusts).toEqual(['assistant ai-sdk:chat-1', 'user ai-sdk:chat-1', 'user null'])
  })

  test('a streamed answer is remembered before its stream ends', async () => {
    const app = await createApp()
    model.next(answers(['Green ', 'tea.']))
    const parts: string[] = []
    for await (const part of streamText({ model: app.model, prompt: QUESTION }).textStream)
      parts.push(part)
    expect(parts).toEqual(['Green ', 'tea.'])
    expect(await app.remembered()).toEqual([QUESTION, 'Green tea.'])
  })

  test('the steps of a tool loop have one context and are remembered once', async () => {
    for (const run of [generateText, streamText]) {
      model.reset()
      const app = await createApp()
      model.next(
        callsTools(['recall', { query: 'tea' }]),
        callsTools(['recall', { query: 'Ada' }]),
        answers('Green tea.'),
      )
      const result = run({
        model: app.model,
        prompt: QUESTION,
        tools: memoryTools({ client: app.client }),
        stopWhen: isStepCount(5),
      })
      expect(await (await result).text).toBe('Green tea.')
      expect(model.calls).toHaveLength(3)
      expect(systemOf(0)).toContain(FACT)
      expect([systemOf(1), systemOf(2)]).toEqual([systemOf(0), systemOf(0)])
      expect([app.countOf('/api/context'), app.countOf('/api/captures')]).toEqual([1, 1])
      expect(await app.remembered()).toEqual([QUESTION, 'Green tea.'])
    }
  })

  test('a later message is remembered alone, and another answer to it too', async () => {
    const app = await createApp()
    const messages: ModelMessage[] = [
      { role: 'user', content: QUESTION },
      { role: 'assistant', content: 'Green tea.' },
      { role: 'user', content: 'And Bob?' },
    ]
    model.next(answers('Coffee.'), answers('Milk.'))
    await generateText({ model: app.model, messages })
    await generateText({ model: app.model, messages })
    expect(await app.remembered()).toEqual(['And Bob?', 'Coffee.', 'Milk.'])
  })

  test('a failing memory is reported, and the answer of the model is not affected', async () => {
    const reported: string[] = []
    const client = createClient({ baseUrl: 'http://127.0.0.1:9', apiKey: 'svc_key', maxRetries: 0 })
    const onError: MemoryOptions['onError'] = (error, action) =>
      reported.push(`${action}: ${(error as Error).message}`)
    const app = await createApp({ client, onError })
    model.next(answers('I do not know.'), answers('I do not know.'))
    expect((await generateText({ model: app.model, prompt: QUESTION })).text).toBe('I do not know.')
    expect(await streamText({ model: app.model, prompt: QUESTION }).text).toBe('I do not know.')
    const lost = 'No answer from http://127.0.0.1:9'
    expect(reported).toEqual([
      `context: ${lost}`,
      `remember: ${lost}`,
      `context: ${lost}`,
      `remember: ${lost}`,
    ])
  })

  test('a memory that asks for a longer wait than its timeout does not hold up the answer', async () => {
    const limited = says(429, { detail: 'Too many.' }, { 'retry-after': '20' })
    await using busy = await startScripted(limited)
    const reported: string[] = []
    const client = createClient({ baseUrl: busy.url, apiKey: 'svc_key' })
    const onError: MemoryOptions['onError'] = (_, action) => reported.push(action)
    const app = await createApp({ client, onError, timeoutMs: 200 })
    model.next(answers('Green tea.'))
    expect((await generateText({ model: app.model, prompt: QUESTION })).text).toBe('Green tea.')
    expect(reported).toEqual(['context', 'remember'])
    expect(busy.received).toHaveLength(2)
  })

  test('a long message with a character at the limit, half a character and NUL has context', async () => {
    const reported: unknown[] = []
    const app = await createApp({ onError: (error) => reported.push(error) })
    const long = `${QUESTION} `.repeat(2_000).slice(0, 31_999)
    const prompts = [`${long}🫖`, `${QUESTION}\ud83e`, `${QUESTION}\0`, '🫖'.repeat(200_001)]
    model.next(...prompts.map(() => answers('Green tea.')))
    for (const prompt of prompts) await generateText({ model: app.model, prompt })
    expect(reported).toEqual([])
    expect([0, 1, 2].map(systemOf)).toEqual(Array(3).fill(expect.stringContaining(FACT)))
    expect(await app.remembered()).toContain(`${QUESTION} `)
  })

  test('a question and an answer whose characters need three bytes are remembered', async () => {
    const reported: unknown[] = []
    const app = await createApp({ onError: (error) => reported.push(error) })
    const long = '茶'.repeat(400_000)
    model.next(answers(long))
    await generateText({ model: app.model, prompt: long })
    expect(reported).toEqual([])
    expect((await app.remembered()).join('').length).toBeGreaterThan(300_000)
  })

  test('answers that fail or end early are not remembered', async () => {
    const app = await createApp()
    model.next(fails(400), endsEarly('Gre'))
    await expect(
      generateText({ model: app.model, prompt: QUESTION, maxRetries: 0 }),
    ).rejects.toThrow()
    await streamText({ model: app.model, prompt: QUESTION, onError: () => {} }).consumeStream()
    expect(await app.remembered()).toEqual([])
  })

  test('an aborted answer is not remembered and no failure of the memory', async () => {
    const reported: unknown[] = []
    const app = await createApp({ onError: (error) => reported.push(error) })
    model.next(stalls('Gre'))
    const abort = new AbortController()
    const { textStream } = streamText({
      model: app.model,
      prompt: QUESTION,
      abortSignal: abort.signal,
    })
    for await (const _ of textStream) abort.abort()
    expect(await app.remembered()).toEqual([])
    expect(reported).toEqual([])
  })

  test('with `remember: false` the model only reads the memory', async () => {
    const app = await createApp({ remember: false })
    model.next(answers('Green tea.'))
    await generateText({ model: app.model, prompt: QUESTION })
    expect(systemOf(0)).toContain(FACT)
    expect(await app.remembered()).toEqual([])
  })
})

describe('memoryTools', () => {
  test('a model recalls, remembers and forgets', async () => {
    const app = await createApp()
    const { memories } = await app.client.methods.listMemories({})
    const memory_id = memories[0]?.memory_id
    model.next(
      callsTools(['recall', { query: 'tea', limit: 1 }]),
      callsTools(['remember', { content: 'Ada has a cat.', tags: ['pets'] }]),
      callsTools(['forget', { memory_id }]),
      answers('Done.'),
    )
    const provider = createOpenAICompatible({ name: 'models', baseURL: model.url })
    const { steps } = await generateText({
      model: provider('a-model'),
      prompt: 'Tidy up.',
      tools: memoryTools({ client: app.client, thread: 'chat-1' }),
      stopWhen: isStepCount(5),
    })
    const outputs = steps.flatMap(({ toolResults }) => toolResults.map(({ output }) => output))
    expect(outputs).toEqual([
      [expect.objectContaining({ memory_id, content: FACT })],
      { memory_id: expect.any(String), deduplicated: false },
      { forgotten: memory_id },
    ])
    const left = (await app.client.methods.listMemories({})).memories
    expect(left.map(({ content_text, thread, tags }) => [content_text, thread, tags])).toEqual([
      ['Ada has a cat.', 'chat-1', ['pets']],
    ])
    const [recallTool] = model.calls[0]?.body.tools ?? []
    expect(recallTool.function.parameters.required).toEqual(['query'])
  })

  test('a failed tool is an error that the model sees', async () => {
    const app = await createApp()
    model.next(callsTools(['forget', { memory_id: crypto.randomUUID() }]), answers('It was gone.'))
    const provider = createOpenAICompatible({ name: 'models', baseURL: model.url })
    await generateText({
      model: provider('a-model'),
      prompt: 'Forget it.',
      tools: memoryTools({ client: app.client }),
      stopWhen: isStepCount(5),
    })
    expect(model.calls[1]?.body.messages.at(-1).content).toContain('Memory not found')
  })
})
