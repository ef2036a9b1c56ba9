import { afterAll, afterEach, beforeAll, setDefaultTimeout } from 'bun:test'
import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { getUsage, listMemories, remember } from '../../shared/contract/index.ts'
import { eventually } from '../harness/eventually.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { type ModelUpstream, startUpstream } from '../harness/upstream.ts'
import { extraction } from './support.ts'

export const FACT = 'We deploy to Hetzner, never to AWS.'
export const QUESTION = 'Where do we deploy the shop?'

/** A provider that answers the engines' own questions by itself. */
export const startProvider = (): Promise<ModelUpstream> =>
  startUpstream(({ messages }) => Array.isArray(messages) && extraction({ messages }) !== undefined)

/** A server with a provider of models, for all tests of a file. */
export const useProxy = () => {
  setDefaultTimeout(120_000)
  let server: TestServer | undefined
  let upstream: ModelUpstream | undefined
  beforeAll(async () => {
    upstream = await startProvider()
    server = await startServer({
      SVC_OPENAI_BASE_URL: `${upstream.url}/v1`,
      SVC_OPENAI_API_KEY: 'sk-of-the-operator',
      SVC_OPENAI_MODEL: 'a-model',
      SVC_ANTHROPIC_BASE_URL: upstream.url,
      SVC_ANTHROPIC_API_KEY: 'sk-ant-of-the-operator',
    })
  }, 120_000)
  afterEach(() => upstream?.reset())
  afterAll(async () => {
    await server?.stop()
    await upstream?.[Symbol.asyncDispose]()
  })
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the suite is not started yet')
    return value
  }
  return {
    get server() {
      return there(server)
    },
    get upstream() {
      return there(upstream)
    },
    /** A new user with a fact in memory, and clients with their key. */
    async newUser() {
      const user = await newVerifiedUser(there(server))
      await user.client.call(remember, { body: { content: FACT } })
      return { ...user, ...clientsOf(there(server), user), ...readersOf(user) }
    },
  }
}

export type ProxyUser = Awaited<ReturnType<ReturnType<typeof useProxy>['newUser']>>

export const openAiUrl = ({ url }: TestServer): string => `${url}/api/openai/v1`
export const anthropicUrl = ({ url }: TestServer): string => `${url}/api/anthropic`

/** The error of a request of a client. */
export const failureOf = async (request: PromiseLike<unknown>): Promise<unknown> => {
  try {
    await request
  } catch (error) {
    return error
  }
  throw new Error('the request did not fail')
}

const clientsOf = (server: TestServer, { key }: TestUser) => ({
  openai: new OpenAI({ apiKey: key, baseURL: openAiUrl(server), maxRetries: 0 }),
  anthropic: new Anthropic({ apiKey: key, baseURL: anthropicUrl(server), maxRetries: 0 }),
  /** Sends a body as it is. */
  post: (path: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${server.url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body,
    }),
})

const readersOf = ({ client }: TestUser) => ({
  /** The memories of captured conversations, oldest first. */
  async captured() {
    const { memories } = await client.call(listMemories, { query: { limit: 100 } })
    return memories
      .filter(({ source }) => source.ref?.startsWith('proxy:'))
      .toReversed()
      .map(({ content_text, source, thread }) => ({ content_text, kind: source.kind, thread }))
  },
  /** The texts of captured conversations, once there are so many. */
  async capturedTexts(count: number): Promise<string[]> {
    const { memories } = await eventually(async () => {
      const list = await client.call(listMemories, { query: { limit: 100 } })
      const captured = list.memories.filter(({ source }) => source.ref?.startsWith('proxy:'))
      return captured.length >= count && { memories: captured }
    })
    return memories.toReversed().map(({ content_text }) => content_text)
  },
  messagesUsed: async (): Promise<number> => (await client.call(getUsage, {})).usage.messages.used,
})
