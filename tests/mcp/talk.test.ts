import { describe, expect, test } from 'bun:test'
import { recall, remember } from '../../shared/contract/index.ts'
import { useConversation } from '../conversation/support.ts'
import { type Behaviour, breaksOff, fails, stalls } from '../harness/model-server.ts'
import { newUser, request } from '../harness/server.ts'
import { connectHttp, textOf, ways } from './client.ts'

const suite = useConversation()

interface Progress {
  progress: number
  message?: string | undefined
}

/** Records progress, and resolves when a part of the answer has arrived. */
const listen = () => {
  const reports: Progress[] = []
  const { promise: received, resolve } = Promise.withResolvers<void>()
  const onprogress = (progress: Progress) => {
    reports.push(progress)
    if (progress.message?.includes('characters')) resolve()
  }
  return { reports, received, onprogress }
}

/** A model that sends a part, waits, and sends the rest. */
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
  test('an answer reports progress to a client with a progress token', async () => {
    const { key } = await newUser(suite.server)
    await using mcp = await connect(suite.server, key)
    const listener = listen()
    suite.model.next(goesOn(['A heron. ', 'x'.repeat(250)], listener.received, 'The end.'))
    const message = 'What is grey and stands in water?'
    const result = await mcp.call('talk', { message }, { onprogress: listener.onprogress })
    expect(textOf(result)).toEndWith('The end.')
    const { reports } = listener
    expect(reports.length).toBeGreaterThanOrEqual(3)
    expect(reports.map(({ progress }) => progress)).toEqual(reports.map((_, i) => i + 1))
    expect(reports.map((each) => each.message).join('\n')).toMatch(/answers\n.*\d+ characters/s)
  })

  test('cancelling a talk stops the model, and the next call works', async () => {
    const { key } = await newUser(suite.server)
    await using mcp = await connect(suite.server, key)
    suite.model.next(stalls('Once upon a time'))
    const cancel = new AbortController()
    const talking = mcp.call('talk', { message: 'A story.' }, { signal: cancel.signal })
    const call = await suite.model.nextCall()
    cancel.abort()
    await expect(talking).rejects.toThrow()
    await call.disconnected
    expect((await mcp.call('recall', { query: 'story' })).isError).toBeFalsy()
  })
})

test('with a slow model, progress reports the memories first and then every few seconds', async () => {
  const waits = ways.map(() => Promise.withResolvers<void>())
  const allWaited = Promise.all(waits.map(({ promise }) => promise)).then(() => {})
  suite.model.always(goesOn([], allWaited, 'Grey.'))
  await Promise.all(
    ways.map(async ([way, connect], index) => {
      const { key, client } = await newUser(suite.server)
      await client.call(remember, { body: { content: 'The heron is grey.' } })
      await using mcp = await connect(suite.server, key)
      const reports: (string | undefined)[] = []
      const onprogress = ({ message }: Progress) => {
        reports.push(message)
        if (reports.filter((each) => each?.startsWith('waiting')).length === 2)
          waits[index]?.resolve()
      }
      const result = await mcp.call('talk', { message: 'Which colour is a heron?' }, { onprogress })
      expect([way, textOf(result)]).toEqual([way, expect.stringContaining('Grey.')])
      expect(reports.slice(0, 2)).toEqual(['recalling memories', 'memories recalled: 1'])
      const waiting = reports.slice(2, -2)
      expect(waiting.length).toBeGreaterThanOrEqual(2)
      for (const each of waiting) expect(each).toMatch(/^waiting for the model, \d+ s so far$/)
      expect(reports.slice(-2)).toEqual(['a-model answers', '5 characters so far'])
    }),
  )
})

test('a model that cannot be reached is an error after the memories', async () => {
  const { key } = await newUser(suite.server)
  await using mcp = await connectHttp(suite.server, key)
  suite.model.always(fails(400))
  const { reports, onprogress } = listen()
  const result = await mcp.call('talk', { message: 'A story.' }, { onprogress })
  const answered = result.isError ? 'error' : textOf(result)
  expect(answered).toMatch(/^error$|^No model could answer/)
  expect(reports.map(({ message }) => message)).toContain('memories recalled: 0')
})

test('a client that disconnects during a talk stops the model', async () => {
  const { key } = await newUser(suite.server)
  const mcp = await connectHttp(suite.server, key)
  suite.model.next(stalls('Once upon a time'))
  const talking = mcp.call('talk', { message: 'A story.' }).catch(() => 'gone')
  const call = await suite.model.nextCall()
  await mcp.client.close()
  await call.disconnected
  expect(await talking).toBe('gone')
})

test('cancelling one of two concurrent talks leaves the other running', async () => {
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
  await call.disconnected
})

test('a model failure during the answer returns an error that says to call again', async () => {
  const { key } = await newUser(suite.server)
  await using mcp = await connectHttp(suite.server, key)
  const { received, onprogress } = listen()
  suite.model.next(breaksOff('Once upon a time', received))
  const result = await mcp.call('talk', { message: 'A story.' }, { onprogress })
  expect(result.isError).toBe(true)
  expect(textOf(result)).toContain('Call again')
})

test('a talk is remembered and counted as a message', async () => {
  const { key, accessToken, client } = await newUser(suite.server)
  await using mcp = await connectHttp(suite.server, key)
  await mcp.call('talk', { message: 'The ferry leaves at noon.', agent_slug: 'harbour' })
  const { memories } = await client.call(recall, { body: { query: 'When does the ferry leave?' } })
  expect(memories).toMatchObject([{ agent_slug: 'harbour' }])
  const usage = await request(suite.server, 'GET', '/api/billing/usage', { token: accessToken })
  expect(usage.body.usage.messages.used).toBe(1)
})
