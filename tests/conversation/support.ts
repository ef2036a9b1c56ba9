import { afterAll, afterEach, beforeAll, setDefaultTimeout } from 'bun:test'
import { connect } from 'node:net'
import type { ResponseOf } from '../../shared/contract/endpoint.ts'
import type { chatStream } from '../../shared/contract/index.ts'
import { newVerifiedUser } from '../harness/http.ts'
import { type ModelServer, startModelServer } from '../harness/model-server.ts'
import { request, startServer, type TestServer, type TestUser } from '../harness/server.ts'
import { startWeb, type Web } from '../harness/web.ts'

export type ChatEvent = ResponseOf<typeof chatStream> extends AsyncIterable<infer E> ? E : never

/** Fact extraction calls the same model in the background. */
export const extraction = ({ messages }: Prompt): string | undefined =>
  String(messages[0]?.content).startsWith('You extract facts about people') ? '{}' : undefined

/** The console lets a model name a chat after its first answer; this is no name. */
const naming = ({ messages }: Prompt): string | undefined =>
  String(messages[0]?.content).startsWith('Name the conversation') ? '.' : undefined

interface Prompt {
  messages: { content: unknown }[]
}

export interface Conversation {
  readonly server: TestServer
  readonly model: ModelServer
  readonly web: Web
  /** Shared by the tests of a file. */
  readonly user: TestUser
  newUser(): Promise<TestUser>
  post(
    path: string,
    body: unknown,
    who?: TestUser,
    headers?: Record<string, string>,
  ): Promise<Reply>
  get(path: string, who?: TestUser): Promise<Reply>
}

type Reply = Awaited<ReturnType<typeof request>>

/** A server with a model server and a web, for all tests of a file. */
export const useConversation = (
  env: Record<string, string> = {},
  { namesChats = false }: { namesChats?: boolean } = {},
): Conversation => {
  setDefaultTimeout(120_000)
  let server: TestServer | undefined
  let model: ModelServer | undefined
  let web: Web | undefined
  let user: TestUser | undefined
  beforeAll(async () => {
    model = await startModelServer(
      0,
      namesChats ? extraction : (body) => extraction(body) ?? naming(body),
    )
    web = await startWeb()
    const configured = { SVC_OPENAI_BASE_URL: model.url, SVC_CHAT_MODEL: 'a-model' }
    server = await startServer({ ...configured, ...env }, undefined, {
      fetching: { ...web.fetching, timeoutMs: 60_000 },
    })
    user = await newVerifiedUser(server)
  }, 120_000)
  afterEach(() => model?.reset())
  afterAll(async () => {
    await server?.stop()
    await model?.[Symbol.asyncDispose]()
    await web?.[Symbol.asyncDispose]()
  })
  const there = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error('the suite is not started yet')
    return value
  }
  return {
    get server() {
      return there(server)
    },
    get model() {
      return there(model)
    },
    get web() {
      return there(web)
    },
    get user() {
      return there(user)
    },
    newUser: () => newVerifiedUser(there(server)),
    post: (path, body, caller = there(user), headers = {}) =>
      request(there(server), 'POST', path, { token: caller.key, body, headers }),
    get: (path, member = there(user)) => request(there(server), 'GET', path, { token: member.key }),
  }
}

/** The events of a complete stream. */
export const eventsIn = (text: string): ChatEvent[] =>
  text
    .split('\n\n')
    .filter((frame) => frame.startsWith('event: '))
    .map((frame) => {
      const [, event, data] = /^event: (\w+)\ndata: (.*)$/s.exec(frame) ?? []
      return { event, data: JSON.parse(data ?? 'null') } as ChatEvent
    })

/** The text of all deltas. */
export const textOf = (events: ChatEvent[]): string =>
  events.map((each) => (each.event === 'delta' ? each.data.text : '')).join('')

export const namesOf = (events: ChatEvent[]): string[] => events.map(({ event }) => event)

/** The text of a prompt, and its parts inside and outside of the data marks. */
export const promptOf = (call: { body: { messages: { content: unknown }[] } } | undefined) => {
  const text = (call?.body.messages ?? [])
    .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
    .join('\n\n')
  const [, name] = /Between <(data-[0-9a-f]{16})>/.exec(text) ?? []
  const part = new RegExp(`\\n<${name}>\\n([^]*?)\\n</${name}>`, 'g')
  const shown = text.replace(/Between <data-\S+ and <\/data-\S+/, '')
  const data = [...`\n${shown}`.matchAll(part)].map(([, inner]) => inner).join('\n')
  return { text, data, outside: `\n${shown}`.replace(part, '\n') }
}

/** A request over a plain socket, which can stop reading or close without an abort. */
export const openSocket = async (url: string, path: string, key: string, body: unknown) => {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const json = JSON.stringify(body)
  const connected = Promise.withResolvers<void>()
  socket.once('connect', connected.resolve).once('error', connected.reject)
  await connected.promise
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`,
  )
  return socket
}
