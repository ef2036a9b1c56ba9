import { describe, expect, test } from 'bun:test'
import { recall } from '../../shared/contract/index.ts'
import { type Behaviour, breaksOff, stalls } from '../harness/model-server.ts'
import { newUser, request } from '../harness/server.ts'
import { useConversation } from '../http/chat-support.ts'
import { connectHttp, textOf, ways } from './client.ts'

const suite = useConversation()

interface Progress {
  progress: number
  message?: string | undefined
}

/** Keeps what is told, and tells when some of the answer has come. */
const listen = () => {
  const told: Progress[] = []
  const { promise: heard, resolve } = Promise.withResolvers<void>()
  const onprogress = (progress: Progress) => {
    told.push(progress)
    if (progress.message?.includes('characters')) resolve()
  }
  return { told, heard, onprogress }
}

/** Says something, waits, and says the rest. */
const goesOn =
  (first: string[], when: Promise<void>, rest: string): Behaviour =>
  async (response, call) => {
    stalls(first)(response, call)
    await when
    const choices = [{ index: 0, delta: { content: rest }, finish_reason: 'stop' }]
    const chunk = { id: '1', object: 'chat.completion.chunk', created: 1, model: 'm', choices }
    response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`)
  }

describe.each(ways)('over %s', (_, connect) => {
  test('an answer tells how far it has come, to whoever asks', async () => {
    const { key } = await newUser(suite.server)
    await using mcp = await connect(suite.server, key)
    const telling = listen()
    suite.model.next(goesOn(['A heron. ', 'x'.repeat(250)], telling.heard, 'The end.'))
    const message = 'What is grey and stands in water?'
    const result = await mcp.call('talk', { message }, { onprogress: telling.onprogress })
    expect(textOf(result)).toEndWith('The end.')
    const { told } = telling
    expect(told.length).toBeGreaterThanOrEqual(3)
    expect(told.map(({ progress }) => progress)).toEqual(told.map((_, i) => i + 1))
    expect(told.map((each) => each.message).join('\n')).toMatch(/answers\n.*\d+ characters/s)
  })

  test('a cancelled talk stops the model, and the next call is answered', async () => {
    const { key } = await newUser(suite.server)
    await using mcp = await connect(suite.server, key)
    suite.model.next(stalls('Once upon a time'))
    const cancel = new AbortController()
    const talking = mcp.call('talk', { message: 'A story.' }, { signal: cancel.signal })
    const call = await suite.model.nextCall()
    cancel.abort()
    await expect(talking).rejects.toThrow()
    await call.left
    expect((await mcp.call('recall', { query: 'story' })).isError).toBeFalsy()
  })
})

test('a client that goes away in the middle of a talk stops the model', async () => {
  const { key } = await newUser(suite.server)
  const mcp = await connectHttp(suite.server, key)
  suite.model.next(stalls('Once upon a time'))
  const talking = mcp.call('talk', { message: 'A story.' }).catch(() => 'gone')
  const call = await suite.model.nextCall()
  await mcp.client.close()
  await call.left
  expect(await talking).toBe('gone')
})

test('of two talks at once, one is cancelled and the other is answered', async () => {
  const { key } = await newUser(suite.server)
  await using first = await connectHttp(suite.server, key)
  await using second = await connectHttp(suite.server, key)
  suite.model.next(stalls('Once upon a time'))
  const cancel = new AbortController()
  const talking = first.call('talk', { message: 'A story.' }, { signal: cancel.signal })
  const call = await suite.model.nextCall()
  const other = await second.call('talk', { message: 'A poem.' })
  expect(textOf(other)).toBe('Hello.')
  cancel.abort()
  await expect(talking).rejects.toThrow()
  await call.left
})

test('a model that breaks off is an error that says to call again', async () => {
  const { key } = await newUser(suite.server)
  await using mcp = await connectHttp(suite.server, key)
  const { heard, onprogress } = listen()
  suite.model.next(breaksOff('Once upon a time', heard))
  const result = await mcp.call('talk', { message: 'A story.' }, { onprogress })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('Call again')
})

test('what is said in a talk is remembered, and counted as a message', async () => {
  const { key, accessToken, client } = await newUser(suite.server)
  await using mcp = await connectHttp(suite.server, key)
  await mcp.call('talk', { message: 'The ferry leaves at noon.', agent_slug: 'harbour' })
  const { memories } = await client.call(recall, { body: { query: 'When does the ferry leave?' } })
  expect(memories).toMatchObject([{ agent_slug: 'harbour' }])
  const usage = await request(suite.server, 'GET', '/api/billing/usage', { token: accessToken })
  expect(usage.body.usage.messages.used).toBe(1)
})
